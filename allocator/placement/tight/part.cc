#include "allocator/placement/tight/part.h"

#include <algorithm>
#include <numeric>

#include "allocator/base/int_math.h"
#include "allocator/model/intervals.h"

namespace berth::tight {
namespace {

constexpr uint64_t kMaxUnits = uint64_t{1} << 60;

// Per time, whether some of the nodes is live.
std::vector<bool> LiveTimes(const Problem& problem,
                            absl::Span<const int32_t> nodes) {
  std::vector<int32_t> change(static_cast<size_t>(problem.num_times) + 1, 0);
  for (const int32_t node : nodes) {
    for (const Interval& interval : problem.live.of(node)) {
      ++change[interval.lo];
      --change[interval.hi + 1];
    }
  }
  std::vector<bool> live(problem.num_times);
  int32_t count = 0;
  for (int32_t t = 0; t < problem.num_times; ++t) {
    count += change[t];
    live[t] = count > 0;
  }
  return live;
}

// The pins with bytes above `floor` that are live at a time when a node is.
std::vector<int32_t> PinsThatMeet(const Problem& problem,
                                  absl::Span<const int32_t> nodes,
                                  uint64_t floor) {
  std::vector<int32_t> pins;
  if (problem.num_pins() == 0) return pins;
  const std::vector<bool> live = LiveTimes(problem, nodes);
  for (int32_t pin = 0; pin < problem.num_pins(); ++pin) {
    if (problem.pins[pin].end <= floor ||
        problem.pins[pin].address == problem.pins[pin].end) {
      continue;
    }
    const absl::Span<const Interval> intervals = problem.pin_live.of(pin);
    const auto meets = [&live](const Interval& interval) {
      return std::find(live.begin() + interval.lo,
                       live.begin() + interval.hi + 1,
                       true) != live.begin() + interval.hi + 1;
    };
    if (std::any_of(intervals.begin(), intervals.end(), meets)) {
      pins.push_back(pin);
    }
  }
  return pins;
}

}  // namespace

std::optional<FreeAddresses> FindFreeAddresses(const Problem& problem,
                                               absl::Span<const int32_t> nodes,
                                               uint64_t floor,
                                               uint64_t ceiling) {
  if (!problem.windows.empty()) return std::nullopt;
  FreeAddresses free;
  uint64_t gcd = 0;
  uint64_t alignment = 1;
  bool one_alignment = true;
  for (const int32_t node : nodes) {
    gcd = std::gcd(gcd, problem.size_bytes[node]);
    one_alignment &= problem.alignment[node] == problem.alignment[nodes[0]];
  }
  const auto obeyed = [&](int32_t node) {
    return gcd % problem.alignment[node] == 0 &&
           floor % problem.alignment[node] == 0;
  };
  if (!std::all_of(nodes.begin(), nodes.end(), obeyed)) {
    if (!one_alignment) return std::nullopt;
    alignment = problem.alignment[nodes[0]];
  }
  const std::optional<uint64_t> rounded_floor =
      CheckedRoundUp(floor, alignment);
  if (!rounded_floor.has_value() || *rounded_floor > ceiling) {
    return std::nullopt;
  }
  free.floor = *rounded_floor;

  std::vector<uint64_t> sizes;
  free.unit = 0;
  for (const int32_t node : nodes) {
    const std::optional<uint64_t> size =
        CheckedRoundUp(problem.size_bytes[node], alignment);
    if (!size.has_value()) return std::nullopt;
    free.rounded |= *size != problem.size_bytes[node];
    free.unit = std::gcd(free.unit, *size);
    sizes.push_back(*size);
  }
  const uint64_t page = problem.page_bytes;
  for (const int32_t node : nodes) {
    const uint64_t size = problem.size_bytes[node];
    if (page == 1 || size > page) continue;
    if (size > free.unit || page % free.unit != 0 ||
        free.floor % free.unit != 0) {
      return std::nullopt;
    }
  }
  uint64_t end = ceiling;
  for (const int32_t pin : PinsThatMeet(problem, nodes, free.floor)) {
    const uint64_t address = std::max(problem.pins[pin].address, free.floor);
    free.pins_above |= address < end;
    end = std::min(end, address);
  }
  free.room = end - free.floor;
  for (const uint64_t size : sizes) {
    if (size / free.unit >= kMaxUnits) return std::nullopt;
    free.size_units.push_back(static_cast<int64_t>(size / free.unit));
  }
  return free;
}

Problem SubProblem(const Problem& problem, absl::Span<const int32_t> nodes,
                   uint64_t floor, uint64_t ceiling) {
  Problem sub;
  for (const int32_t node : nodes) {
    sub.size_bytes.push_back(problem.size_bytes[node]);
    sub.alignment.push_back(problem.alignment[node]);
    sub.occupied_length.push_back(problem.occupied_length[node]);
    sub.live.Append(problem.live.of(node));
    for (size_t run = 0; run < problem.live.of(node).size(); ++run) {
      if (problem.windows.empty()) break;
      sub.windows.push_back(problem.WindowOf(node, static_cast<int32_t>(run)));
    }
    if (!problem.names.empty()) sub.names.push_back(problem.names[node]);
  }
  sub.cc.assign(nodes.size(), false);
  for (const int32_t pin : PinsThatMeet(problem, nodes, floor)) {
    sub.pins.push_back(problem.pins[pin]);
    sub.pin_live.Append(problem.pin_live.of(pin));
  }
  sub.num_times = problem.num_times;
  sub.page_bytes = problem.page_bytes;
  sub.floor = sub.cc_end = floor;
  sub.ceiling = ceiling;
  sub.floor_reason = problem.floor_reason;
  return sub;
}

}  // namespace berth::tight
