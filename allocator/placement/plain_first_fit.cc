#include "allocator/placement/plain_first_fit.h"

#include <algorithm>

#include "allocator/base/check.h"

namespace berth {

bool Interfere(absl::Span<const Interval> a, absl::Span<const Interval> b) {
  for (size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    if (Overlap(a[i], b[j])) return true;
    if (a[i].hi < b[j].hi) {
      ++i;
    } else {
      ++j;
    }
  }
  return false;
}

PlainFirstFit::PlainFirstFit(const Problem& problem, absl::Span<const int32_t>)
    : problem_(problem), address_(problem.size_bytes.size(), 0) {}

std::vector<PlainFirstFit::Range> PlainFirstFit::Gaps(int32_t node,
                                                      uint64_t start,
                                                      uint64_t ceiling) {
  const absl::Span<const Interval> live = problem_.live.of(node);
  std::vector<Range> occupied;
  const auto add_clipped = [&](uint64_t lo, uint64_t hi) {
    lo = std::max(lo, start);
    hi = std::min(hi, ceiling);
    if (lo < hi) occupied.push_back({lo, hi});
  };
  for (int32_t other : placed_) {
    if (other == node || !Interfere(live, problem_.live.of(other))) continue;
    add_clipped(address_[other], address_[other] + problem_.size_bytes[other]);
  }
  for (int32_t pin = 0; pin < problem_.num_pins(); ++pin) {
    if (!Interfere(live, problem_.pin_live.of(pin))) continue;
    add_clipped(problem_.pins[pin].address, problem_.pins[pin].end);
  }
  visits_ += placed_.size() + problem_.pins.size();
  std::sort(occupied.begin(), occupied.end(),
            [](const Range& a, const Range& b) { return a.lo < b.lo; });

  std::vector<Range> gaps;
  uint64_t previous_end = start;
  for (const Range& range : occupied) {
    if (range.lo > previous_end) gaps.push_back({previous_end, range.lo});
    previous_end = std::max(previous_end, range.hi);
  }
  if (ceiling > previous_end) gaps.push_back({previous_end, ceiling});
  return gaps;
}

std::optional<uint64_t> PlainFirstFit::Find(int32_t node, uint64_t start,
                                            uint64_t ceiling) {
  const uint64_t size = problem_.size_bytes[node];
  BERTH_CHECK(size > 0);
  if (!problem_.windows.empty()) return FindAmongWindows(node, start, ceiling);
  for (const Range& gap : Gaps(node, start, ceiling)) {
    const std::optional<uint64_t> address = PlaceInGap(
        gap.lo, gap.hi, size, problem_.alignment[node], problem_.page_bytes);
    if (address.has_value()) return address;
  }
  return std::nullopt;
}

std::optional<uint64_t> PlainFirstFit::FindAmongWindows(int32_t node,
                                                        uint64_t start,
                                                        uint64_t ceiling) {
  const absl::Span<const Interval> live = problem_.live.of(node);
  // Addresses x of the node, lo < x < hi, at which its bytes of some run meet
  // the bytes [begin, end) that are taken during `when`. One below 0 as "none".
  std::vector<Range> meeting;
  const auto add = [&](const Interval& when, uint64_t begin, uint64_t end) {
    for (size_t run = 0; run < live.size(); ++run) {
      if (!Overlap(live[run], when)) continue;
      const ByteWindow own = problem_.WindowOf(node, static_cast<int32_t>(run));
      // own.lower + x < end and begin < own.upper + x
      if (end <= own.lower) continue;
      const uint64_t first = begin < own.upper ? 0 : begin - own.upper + 1;
      meeting.push_back({first, end - own.lower});
    }
  };
  for (const int32_t other : placed_) {
    if (other == node) continue;
    int32_t run = 0;
    for (const Interval& when : problem_.live.of(other)) {
      const ByteWindow window = problem_.WindowOf(other, run++);
      add(when, address_[other] + window.lower, address_[other] + window.upper);
    }
  }
  for (int32_t pin = 0; pin < problem_.num_pins(); ++pin) {
    if (problem_.pins[pin].address == problem_.pins[pin].end) continue;
    for (const Interval& when : problem_.pin_live.of(pin)) {
      add(when, problem_.pins[pin].address, problem_.pins[pin].end);
    }
  }
  visits_ += placed_.size() + problem_.pins.size();
  std::sort(meeting.begin(), meeting.end(),
            [](const Range& a, const Range& b) { return a.lo < b.lo; });
  const auto allowed = [&](uint64_t x) {
    return PlaceInGap(x, ceiling, problem_.size_bytes[node],
                      problem_.alignment[node], problem_.page_bytes);
  };
  std::optional<uint64_t> x = allowed(start);
  for (bool moved = true; moved && x.has_value();) {
    moved = false;
    for (const Range& range : meeting) {
      if (!x.has_value() || range.lo > *x) break;
      if (*x >= range.hi) continue;
      x = allowed(range.hi);
      moved = true;
    }
  }
  return x;
}

void PlainFirstFit::Place(int32_t node, uint64_t address) {
  const uint64_t size = problem_.size_bytes[node];
  BERTH_CHECK(CheckedAdd(address, size).has_value());
  if (size == 0) return;
  address_[node] = address;
  placed_.push_back(node);
}

uint64_t PlainFirstFit::LargestGap(int32_t node, uint64_t start,
                                   uint64_t ceiling) {
  uint64_t largest = 0;
  for (const Range& gap : Gaps(node, start, ceiling)) {
    largest = std::max(largest, gap.hi - gap.lo);
  }
  return largest;
}

absl::Status Exhausted(const Problem& problem, absl::Span<const int32_t> order,
                       size_t place, absl::Span<const uint64_t> address) {
  PlainFirstFit plain(problem, order);
  for (const int32_t placed : order.first(place)) {
    if (problem.size_bytes[placed] > 0) plain.Place(placed, address[placed]);
  }
  const int32_t node = order[place];
  return DoesNotFit(problem, node,
                    plain.LargestGap(node, problem.floor, problem.ceiling));
}

}  // namespace berth
