#include "allocator/interference/matrix.h"

#include <bit>
#include <limits>

#include "allocator/base/check.h"
#include "allocator/interference/filter.h"

namespace berth {

Matrix::Matrix(absl::Span<const OwnedInterval> intervals) : stored_(intervals) {
  CheckIntervals(intervals);
  BERTH_CHECK(intervals.size() <= static_cast<size_t>(kMaxMatrixIntervals));
  const size_t n = intervals.size();
  words_ = (n + 63) / 64;
  // Padded to whole words with intervals that overlap nothing.
  std::vector<int32_t> lo(words_ * 64, std::numeric_limits<int32_t>::max());
  std::vector<int32_t> hi(words_ * 64, std::numeric_limits<int32_t>::min());
  id_.reserve(n);
  for (size_t i = 0; i < n; ++i) {
    lo[i] = intervals[i].lo;
    hi[i] = intervals[i].hi;
    id_.push_back(intervals[i].id);
  }
  bits_.resize(n * words_);
  for (size_t i = 0; i < n; ++i) {
    uint64_t* row = bits_.data() + i * words_;
    for (size_t w = 0; w < words_; ++w) {
      uint64_t word = 0;
      for (size_t part = 0; part < 4; ++part) {
        const size_t j = w * 64 + part * 16;
        word |= uint64_t{OverlapMask16(&lo[j], &hi[j], lo[i], hi[i])}
                << (part * 16);
      }
      row[w] = word;
    }
    // Padding would match a query that reaches both ends of int32.
    if (n % 64 != 0) row[words_ - 1] &= (uint64_t{1} << (n % 64)) - 1;
  }
}

void Matrix::Overlaps(int32_t lo, int32_t hi, IdList* out) {
  if (lo > hi) return;
  visits_ += size();
  for (const OwnedInterval& interval : stored_) {
    if (interval.lo <= hi && lo <= interval.hi) out->push_back(interval.id);
  }
}

absl::Status Matrix::OverlapsOf(int32_t index, IdList* out) {
  if (absl::Status status = CheckIndex(index, stored_); !status.ok()) {
    return status;
  }
  const uint64_t* row = bits_.data() + static_cast<size_t>(index) * words_;
  size_t count = 0;
  for (size_t w = 0; w < words_; ++w) count += std::popcount(row[w]);
  const size_t before = out->size();
  out->resize(before + count);
  int32_t* end = out->data() + before;
  for (size_t w = 0; w < words_; ++w) {
    for (uint64_t word = row[w]; word != 0; word &= word - 1) {
      *end++ = id_[w * 64 + static_cast<size_t>(std::countr_zero(word))];
    }
  }
  visits_ += static_cast<int64_t>(words_);
  return absl::OkStatus();
}

int64_t Matrix::Count(int32_t lo, int32_t hi) {
  if (lo > hi) return 0;
  visits_ += size();
  int64_t count = 0;
  for (const OwnedInterval& interval : stored_) {
    count += interval.lo <= hi && lo <= interval.hi;
  }
  return count;
}

}  // namespace berth
