#include "allocator/placement/lower_bound.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "allocator/base/check.h"
#include "allocator/base/int_math.h"
#include "allocator/model/intervals.h"
#include "allocator/placement/first_fit.h"
#include "allocator/placement/problem.h"

namespace berth {
namespace {

constexpr int64_t kMaxPinSteps = 10'000'000;

void Improve(const LowerBound& other, LowerBound& best) {
  if (other.peak_bytes > best.peak_bytes) best = other;
}

uint128 RoundUp(uint128 value, uint64_t granule) {
  return (value + granule - 1) / granule * granule;
}

LowerBound BoundOfLoad(const Problem& problem) {
  LowerBound bound{.peak_bytes = problem.floor};
  const std::vector<uint128> loads = Loads(problem);
  for (int32_t t = 0; t < problem.num_times; ++t) {
    Improve({.peak_bytes = problem.floor + loads[t], .time = t}, bound);
  }
  return bound;
}

// With a granule that divides every alignment, every address is a multiple of
// it; so a node takes up its size rounded up, but for what is above the
// topmost.
LowerBound BoundOfAlignment(const Problem& problem) {
  uint64_t granule = 0;
  for (int32_t id = 0; id < problem.num_nodes(); ++id) {
    if (problem.size_bytes[id] == 0) continue;
    granule = std::gcd(granule, problem.alignment[id]);
  }
  LowerBound bound{.kind = BoundKind::kAligned};
  if (granule <= 1) return bound;
  std::vector<int128> change(static_cast<size_t>(problem.num_times) + 1, 0);
  uint64_t most_padding = 0;
  for (int32_t id = 0; id < problem.num_nodes(); ++id) {
    const int128 rounded =
        static_cast<int128>(RoundUp(problem.size_bytes[id], granule));
    most_padding = std::max(
        most_padding, static_cast<uint64_t>(rounded - problem.size_bytes[id]));
    for (const Interval& interval : problem.live.of(id)) {
      change[interval.lo] += rounded;
      change[interval.hi + 1] -= rounded;
    }
  }
  int128 load = 0;
  for (int32_t t = 0; t < problem.num_times; ++t) {
    load += change[t];
    if (load == 0) continue;
    Improve({.peak_bytes = RoundUp(problem.floor, granule) +
                           static_cast<uint128>(load) - most_padding,
             .kind = BoundKind::kAligned,
             .time = t},
            bound);
  }
  return bound;
}

// Nodes of (page / 2, page] bytes: no two of one time end in the same page.
LowerBound BoundOfPages(const Problem& problem) {
  const uint64_t page = problem.page_bytes;
  LowerBound bound{.kind = BoundKind::kPages};
  if (page <= 1) return bound;
  std::vector<int32_t> change(static_cast<size_t>(problem.num_times) + 1, 0);
  uint64_t least = page;
  for (int32_t id = 0; id < problem.num_nodes(); ++id) {
    const uint64_t size = problem.size_bytes[id];
    if (size <= page / 2 || size > page) continue;
    least = std::min(least, size);
    for (const Interval& interval : problem.live.of(id)) {
      ++change[interval.lo];
      --change[interval.hi + 1];
    }
  }
  int32_t count = 0;
  for (int32_t t = 0; t < problem.num_times; ++t) {
    count += change[t];
    if (count == 0) continue;
    Improve({.peak_bytes =
                 (uint128{problem.floor / page} + (count - 1)) * page + least,
             .kind = BoundKind::kPages,
             .time = t},
            bound);
  }
  return bound;
}

struct Gap {
  uint64_t lo = 0;
  uint64_t hi = 0;
};

// What the given pins, sorted by address, leave free from the floor up. The
// last gap has no end.
std::vector<Gap> GapsAround(const Problem& problem,
                            const std::vector<Pin>& pins) {
  std::vector<Gap> gaps;
  uint64_t end = problem.floor;
  for (const Pin& pin : pins) {
    if (pin.address == pin.end) continue;
    if (pin.address > end) gaps.push_back({end, pin.address});
    end = std::max(end, pin.end);
  }
  gaps.push_back({end, std::numeric_limits<uint64_t>::max()});
  return gaps;
}

LowerBound BoundOfPins(const Problem& problem) {
  LowerBound bound{.kind = BoundKind::kPins};
  std::vector<int32_t> times = {0};  // where the set of pins changes
  for (const Interval& interval : problem.pin_live.values) {
    times.push_back(interval.lo);
    times.push_back(interval.hi + 1);
  }
  std::sort(times.begin(), times.end());
  times.erase(std::unique(times.begin(), times.end()), times.end());
  uint64_t least = std::numeric_limits<uint64_t>::max();
  for (const uint64_t size : problem.size_bytes) {
    if (size > 0) least = std::min(least, size);
  }
  const std::vector<uint128> loads = Loads(problem);
  for (size_t i = 0; i < times.size(); ++i) {
    const int32_t begin = times[i];
    const int32_t end = i + 1 < times.size() ? times[i + 1] : problem.num_times;
    if (begin >= end) continue;
    const auto most =
        std::max_element(loads.begin() + begin, loads.begin() + end);
    if (*most == 0) continue;
    std::vector<Pin> pins;
    for (int32_t pin = 0; pin < problem.num_pins(); ++pin) {
      for (const Interval& interval : problem.pin_live.of(pin)) {
        if (interval.lo <= begin && begin <= interval.hi) {
          pins.push_back(problem.pins[pin]);
        }
      }
    }
    uint128 left = *most;
    for (const Gap& gap : GapsAround(problem, pins)) {
      const uint64_t room = gap.hi - gap.lo;
      if (room < least) continue;
      if (left > room && gap.hi != std::numeric_limits<uint64_t>::max()) {
        left -= room;
        continue;
      }
      Improve({.peak_bytes = gap.lo + left,
               .kind = BoundKind::kPins,
               .time = static_cast<int32_t>(most - loads.begin())},
              bound);
      break;
    }
  }
  return bound;
}

// Every node alone, among the pins it meets.
LowerBound BoundOfNodes(const Problem& problem, bool with_pins) {
  LowerBound bound{.kind = BoundKind::kNode};
  for (int32_t id = 0; id < problem.num_nodes(); ++id) {
    const uint64_t size = problem.size_bytes[id];
    if (size == 0) continue;
    std::vector<Pin> pins;
    for (int32_t pin = 0; with_pins && pin < problem.num_pins(); ++pin) {
      const absl::Span<const Interval> mine = problem.live.of(id);
      const absl::Span<const Interval> its = problem.pin_live.of(pin);
      for (size_t i = 0, j = 0; i < mine.size() && j < its.size();) {
        if (Overlap(mine[i], its[j])) {
          pins.push_back(problem.pins[pin]);
          break;
        }
        mine[i].hi < its[j].hi ? ++i : ++j;
      }
    }
    for (const Gap& gap : GapsAround(problem, pins)) {
      const std::optional<uint64_t> address = PlaceInGap(
          gap.lo, gap.hi, size, problem.alignment[id], problem.page_bytes);
      if (!address.has_value()) continue;
      Improve({.peak_bytes = uint128{*address} + size,
               .kind = BoundKind::kNode,
               .node = id},
              bound);
      break;
    }
  }
  return bound;
}

}  // namespace

std::string Name(BoundKind kind) {
  switch (kind) {
    case BoundKind::kLoad:
      return "load";
    case BoundKind::kAligned:
      return "aligned";
    case BoundKind::kPins:
      return "pins";
    case BoundKind::kNode:
      return "node";
    case BoundKind::kPages:
      return "pages";
  }
  BERTH_CHECK(false);
}

LowerBound BestLowerBound(const Problem& problem) {
  LowerBound best = BoundOfLoad(problem);
  // The others take the bytes of a node to be one piece, always.
  if (!problem.windows.empty()) {
    Improve(BoundOfNodes(problem, /*with_pins=*/false), best);
    return best;
  }
  Improve(BoundOfAlignment(problem), best);
  // Changes of the set of pins times pins, and pairs of node and pin.
  const int64_t pin_runs = static_cast<int64_t>(problem.pin_live.values.size());
  const bool pins_are_cheap =
      (problem.num_nodes() + 2 * pin_runs + 1) * pin_runs <= kMaxPinSteps;
  if (pin_runs > 0 && pins_are_cheap) Improve(BoundOfPins(problem), best);
  Improve(BoundOfNodes(problem, pins_are_cheap), best);
  Improve(BoundOfPages(problem), best);
  return best;
}

}  // namespace berth
