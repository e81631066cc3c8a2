// The common first step of the sorted oracles: sorting by time, and ranks.
//
// Thread-safety: pure functions, values.
#ifndef BERTH_ALLOCATOR_INTERFERENCE_LO_ORDER_H_
#define BERTH_ALLOCATOR_INTERFERENCE_LO_ORDER_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "allocator/model/intervals.h"

namespace berth {

// A time and the position that it came from.
struct TimeAt {
  int32_t time;
  int32_t position;

  friend bool operator==(const TimeAt&, const TimeAt&) = default;
};

// Sorts by time; equal times keep their order. Radix, O(n) per 11 bits of the
// range of times; an insertion sort for few.
void SortByTime(std::vector<TimeAt>* items);

// All intervals by lo, ties in the order given.
std::vector<TimeAt> OrderByLo(absl::Span<const OwnedInterval> intervals);

// How many of an ascending array of times are <= t, by a table over buckets of
// time: O(1) where times are spread, O(log n) at worst. Holds about one entry
// for each four times.
class RankTable {
 public:
  RankTable() = default;
  // `times` ascending. Not kept: pass the same array to Rank.
  explicit RankTable(absl::Span<const int32_t> times);

  int32_t Rank(const int32_t* times, int32_t t) const {
    if (t < first_) return 0;
    if (t >= last_) return size_;
    const uint32_t bucket =
        (static_cast<uint32_t>(t) - static_cast<uint32_t>(first_)) >> shift_;
    const int32_t begin = starts_[bucket];
    const int32_t end = starts_[bucket + 1];
    // With shift 0 all times of a bucket are equal to t.
    if (shift_ == 0) return end;
    return Within(times, begin, end, t);
  }

  uint64_t bytes() const { return starts_.capacity() * sizeof(int32_t); }

  // #(times <= t), given that those before `begin` are and none from `end` is.
  static int32_t Within(const int32_t* times, int32_t begin, int32_t end,
                        int32_t t) {
    int32_t count = end - begin;
    while (count > 4) {
      const int32_t half = count / 2;
      begin += times[begin + half - 1] <= t ? half : 0;
      count -= half;
    }
    int32_t rank = begin;
    for (int32_t i = 0; i < count; ++i) rank += times[begin + i] <= t;
    return rank;
  }

 private:
  int32_t size_ = 0;
  int32_t first_ = 0;
  int32_t last_ = INT32_MIN;  // empty: every t has rank size_ = 0
  int shift_ = 0;
  std::vector<int32_t> starts_;  // bucket -> #(times of earlier buckets)
};

// The least shift for which (last - first) >> shift is at most `limit`; at most
// 31. REQUIRES: limit > 0.
int ShiftFor(int32_t first, int32_t last, int64_t limit);

}  // namespace berth

#endif  // BERTH_ALLOCATOR_INTERFERENCE_LO_ORDER_H_
