#include "allocator/interference/sweep.h"

#include <algorithm>

#include "allocator/interference/append.h"

namespace berth {

Sweep::Sweep(absl::Span<const OwnedInterval> intervals) : stored_(intervals) {
  CheckIntervals(intervals);
  const Uninitialized<OwnedInterval> sorted = SortedByLo(intervals);
  const size_t n = sorted.size();
  lo_.resize(n);
  hi_.resize(n);
  id_.resize(n);
  ends_.resize(n);
  for (size_t p = 0; p < n; ++p) {
    const OwnedInterval& interval = sorted[p];
    lo_[p] = interval.lo;
    hi_[p] = interval.hi;
    id_[p] = interval.id;
    ends_[p] = {interval.hi, static_cast<int32_t>(p)};
  }
  SortByTime(&ends_);
}

void Sweep::Overlaps(int32_t lo, int32_t hi, IdList* out) {
  if (lo > hi) return;
  const auto end = std::upper_bound(lo_.begin(), lo_.end(), hi);
  const int64_t n = end - lo_.begin();
  visits_ += n;
  Appender append(out);
  append.AdvanceTo(
      Filter().at_least(hi_.data(), id_.data(), n, lo, append.Room(n)));
}

absl::Status Sweep::OverlapsOf(int32_t index, IdList* out) {
  if (absl::Status status = CheckIndex(index, stored_); !status.ok()) {
    return status;
  }
  Overlaps(stored_[index].lo, stored_[index].hi, out);
  return absl::OkStatus();
}

int64_t Sweep::Count(int32_t lo, int32_t hi) {
  if (lo > hi) return 0;
  const auto started = std::upper_bound(lo_.begin(), lo_.end(), hi);
  const auto ended = std::lower_bound(
      ends_.begin(), ends_.end(), lo,
      [](const TimeAt& end, int32_t time) { return end.time < time; });
  return (started - lo_.begin()) - (ended - ends_.begin());
}

}  // namespace berth
