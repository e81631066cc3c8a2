#include "allocator/placement/sweep_first_fit.h"

#include <algorithm>

#include "allocator/base/check.h"
#include "allocator/base/int_math.h"

namespace berth {

bool SweepFirstFit::Serves(const Problem& problem,
                           absl::Span<const int32_t> order) {
  if (problem.num_pins() > 0 || !problem.windows.empty()) return false;
  int32_t time = 0;
  for (const int32_t node : order) {
    const absl::Span<const Interval> live = problem.live.of(node);
    if (live.size() != 1 || live[0].lo < time) return false;
    time = live[0].lo;
  }
  return true;
}

SweepFirstFit::SweepFirstFit(const Problem& problem,
                             absl::Span<const int32_t> order)
    : problem_(problem),
      order_(order),
      last_ending_(std::max(problem.num_times, 0), kNone) {}

void SweepFirstFit::AdvanceTo(int32_t time) {
  for (; time_ < time; ++time_) {
    for (int32_t id = last_ending_[time_]; id != kNone;) {
      Ending& ending = endings_[id];
      taken_.Erase(ending.lo, ending.hi);
      const int32_t next = ending.next;
      ending.next = unused_;
      unused_ = id;
      id = next;
    }
  }
}

std::optional<uint64_t> SweepFirstFit::Find(int32_t node, uint64_t start,
                                            uint64_t ceiling) {
  const uint64_t size = problem_.size_bytes[node];
  BERTH_CHECK(size > 0);
  AdvanceTo(problem_.live.of(node)[0].lo);
  uint64_t x = start;
  for (;;) {
    const std::optional<uint64_t> allowed = PlaceInGap(
        x, ceiling, size, problem_.alignment[node], problem_.page_bytes);
    if (!allowed.has_value()) return std::nullopt;
    x = taken_.NextGap(*allowed, size, visits_);
    if (x == *allowed) return x;
  }
}

void SweepFirstFit::Place(int32_t node, uint64_t address) {
  const uint64_t size = problem_.size_bytes[node];
  const std::optional<uint64_t> end = CheckedAdd(address, size);
  BERTH_CHECK(end.has_value());
  if (size == 0) return;
  const Interval live = problem_.live.of(node)[0];
  AdvanceTo(live.lo);
  taken_.Insert(address, *end);
  int32_t id = unused_;
  if (id == kNone) {
    id = static_cast<int32_t>(endings_.size());
    endings_.emplace_back();
  } else {
    unused_ = endings_[id].next;
  }
  endings_[id] = {address, *end, last_ending_[live.hi]};
  last_ending_[live.hi] = id;
  for (; order_[next_] != node; ++next_) {
    BERTH_CHECK(next_ + 1 < order_.size());
  }
  PrefetchAhead();
}

void SweepFirstFit::PrefetchAhead() {
  constexpr size_t kNode = 16, kRun = 8;
  if (next_ + kNode >= order_.size()) return;
  const int32_t far = order_[next_ + kNode];
  __builtin_prefetch(&problem_.live.offsets[far]);
  __builtin_prefetch(&problem_.size_bytes[far]);
  __builtin_prefetch(&problem_.alignment[far]);
  __builtin_prefetch(problem_.live.values.data() +
                     problem_.live.offsets[order_[next_ + kRun]]);
}

}  // namespace berth
