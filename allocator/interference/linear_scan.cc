#include "allocator/interference/linear_scan.h"

#include <algorithm>

#include "allocator/interference/filter.h"

namespace berth {
namespace {

// Intervals a kernel call looks at: bounds the room that `out` must have.
constexpr int64_t kChunk = 4096;

}  // namespace

LinearScan::LinearScan(absl::Span<const OwnedInterval> intervals)
    : stored_(intervals) {
  CheckIntervals(intervals);
  lo_.reserve(intervals.size());
  hi_.reserve(intervals.size());
  id_.reserve(intervals.size());
  for (const OwnedInterval& interval : intervals) {
    lo_.push_back(interval.lo);
    hi_.push_back(interval.hi);
    id_.push_back(interval.id);
  }
}

void LinearScan::Overlaps(int32_t lo, int32_t hi, IdList* out) {
  if (lo > hi) return;
  for (int64_t i = 0; i < size(); i += kChunk) {
    const int64_t n = std::min(kChunk, size() - i);
    const size_t before = out->size();
    out->resize(before + static_cast<size_t>(n + kFilterSlack));
    const int32_t* end = Filter().overlapping(&lo_[i], &hi_[i], &id_[i], n, lo,
                                              hi, out->data() + before);
    out->resize(static_cast<size_t>(end - out->data()));
  }
  visits_ += size();
}

absl::Status LinearScan::OverlapsOf(int32_t index, IdList* out) {
  if (absl::Status status = CheckIndex(index, stored_); !status.ok()) {
    return status;
  }
  Overlaps(stored_[index].lo, stored_[index].hi, out);
  return absl::OkStatus();
}

int64_t LinearScan::Count(int32_t lo, int32_t hi) {
  if (lo > hi) return 0;
  visits_ += size();
  return Filter().count_overlapping(lo_.data(), hi_.data(), size(), lo, hi);
}

}  // namespace berth
