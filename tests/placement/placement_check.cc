#include "tests/placement/placement_check.h"

#include <algorithm>
#include <numeric>

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "allocator/model/instance.h"
#include "allocator/model/intervals.h"

namespace berth {
namespace {

bool ShareTime(absl::Span<const Interval> a, absl::Span<const Interval> b) {
  for (const Interval& x : a) {
    for (const Interval& y : b) {
      if (x.lo <= y.hi && y.lo <= x.hi) return true;
    }
  }
  return false;
}

bool ShareBytes(uint64_t lo, uint64_t size, uint64_t other_lo,
                uint64_t other_end) {
  return lo < other_end && other_lo < lo + size;
}

// Whether the node may lie at x, rules of one node only.
bool Allowed(const Problem& problem, int32_t id, uint64_t x) {
  const uint64_t size = problem.size_bytes[id];
  const uint64_t page = problem.page_bytes;
  if (x < problem.floor || x > problem.ceiling || problem.ceiling - x < size) {
    return false;
  }
  if (x % problem.alignment[id] != 0) return false;
  return size > page || x / page == (x + size - 1) / page;
}

// Whether the two meet at some time in some byte, windows minded.
bool Clash(const Problem& problem, int32_t a, uint64_t x, int32_t b,
           uint64_t y) {
  const auto a_runs = problem.live.of(a);
  const auto b_runs = problem.live.of(b);
  for (size_t i = 0; i < a_runs.size(); ++i) {
    for (size_t j = 0; j < b_runs.size(); ++j) {
      const ByteWindow p = problem.WindowOf(a, static_cast<int32_t>(i));
      const ByteWindow q = problem.WindowOf(b, static_cast<int32_t>(j));
      if (ShareTime({a_runs[i]}, {b_runs[j]}) &&
          ShareBytes(x + p.lower, p.upper - p.lower, y + q.lower,
                     y + q.upper)) {
        return true;
      }
    }
  }
  return false;
}

bool ClashWithPin(const Problem& problem, int32_t id, uint64_t x, int32_t pin) {
  const auto runs = problem.live.of(id);
  for (size_t i = 0; i < runs.size(); ++i) {
    const ByteWindow p = problem.WindowOf(id, static_cast<int32_t>(i));
    if (ShareTime({runs[i]}, problem.pin_live.of(pin)) &&
        ShareBytes(x + p.lower, p.upper - p.lower, problem.pins[pin].address,
                   problem.pins[pin].end)) {
      return true;
    }
  }
  return false;
}

}  // namespace

std::string FaultOf(const Problem& problem, const Placement& placement) {
  if (placement.address.size() != problem.size_bytes.size()) {
    return "addresses are missing";
  }
  for (int32_t id = 0; id < problem.num_nodes(); ++id) {
    const uint64_t size = problem.size_bytes[id];
    const uint64_t x = placement.address[id];
    if (size == 0) continue;
    if (!Allowed(problem, id, x)) return absl::StrCat("#", id, " at ", x);
    for (int32_t other = 0; other < id; ++other) {
      const uint64_t y = placement.address[other];
      if (problem.size_bytes[other] > 0 && Clash(problem, id, x, other, y)) {
        return absl::StrCat("#", id, " at ", x, " meets #", other, " at ", y);
      }
    }
    for (int32_t pin = 0; pin < problem.num_pins(); ++pin) {
      const Pin& p = problem.pins[pin];
      if (p.address < p.end && ClashWithPin(problem, id, x, pin)) {
        return absl::StrCat("#", id, " at ", x, " meets pin ", pin);
      }
    }
  }
  return "";
}

std::optional<uint64_t> BruteForcePeak(const Problem& problem) {
  std::vector<int32_t> order;
  for (int32_t id = 0; id < problem.num_nodes(); ++id) {
    if (problem.size_bytes[id] > 0) order.push_back(id);
  }
  std::optional<uint64_t> best;
  std::vector<uint64_t> address(problem.num_nodes());
  do {
    uint64_t peak = problem.floor;
    bool fits = true;
    for (size_t i = 0; i < order.size() && fits; ++i) {
      const int32_t id = order[i];
      const uint64_t size = problem.size_bytes[id];
      // Byte by byte: nothing here can be wrong, and problems are tiny.
      fits = false;
      for (uint64_t x = problem.floor; !fits && x + size <= problem.ceiling;
           ++x) {
        if (best.has_value() && x + size >= *best) break;
        fits = Allowed(problem, id, x);
        for (size_t k = 0; k < i && fits; ++k) {
          const int32_t other = order[k];
          fits = !ShareBytes(x, size, address[other],
                             address[other] + problem.size_bytes[other]) ||
                 !ShareTime(problem.live.of(id), problem.live.of(other));
        }
        for (int32_t pin = 0; pin < problem.num_pins() && fits; ++pin) {
          fits = !ShareBytes(x, size, problem.pins[pin].address,
                             problem.pins[pin].end) ||
                 problem.pins[pin].address == problem.pins[pin].end ||
                 !ShareTime(problem.live.of(id), problem.pin_live.of(pin));
        }
        if (fits) address[id] = x;
      }
      peak = std::max(peak, address[id] + size);
    }
    if (fits && (!best.has_value() || peak < *best)) best = peak;
  } while (std::next_permutation(order.begin(), order.end()));
  return best;
}

std::string ToString(const Problem& problem) {
  std::string text =
      absl::StrCat("floor ", problem.floor, " cc_end ", problem.cc_end,
                   " ceiling ", problem.ceiling, " page ", problem.page_bytes);
  const auto add_times = [&text](absl::Span<const Interval> intervals) {
    for (const Interval& interval : intervals) {
      absl::StrAppend(&text, " ", interval.lo, "-", interval.hi);
    }
  };
  for (int32_t id = 0; id < problem.num_nodes(); ++id) {
    absl::StrAppend(&text, "\n#", id, " size ", problem.size_bytes[id],
                    " align ", problem.alignment[id],
                    problem.cc[id] ? " cc" : "", " live");
    add_times(problem.live.of(id));
  }
  for (int32_t pin = 0; pin < problem.num_pins(); ++pin) {
    absl::StrAppend(&text, "\npin ", problem.pins[pin].address, "..",
                    problem.pins[pin].end, " live");
    add_times(problem.pin_live.of(pin));
  }
  return text;
}

}  // namespace berth
