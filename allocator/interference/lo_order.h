// The common first step of the sorted oracles: sorting by time, and ranks.
//
// Thread-safety: pure functions, values.
#ifndef BERTH_ALLOCATOR_INTERFERENCE_LO_ORDER_H_
#define BERTH_ALLOCATOR_INTERFERENCE_LO_ORDER_H_

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "allocator/interference/oracle.h"
#include "allocator/model/intervals.h"

namespace berth {

// A time and the position that it came from.
struct TimeAt {
  int32_t time;
  int32_t position;

  friend bool operator==(const TimeAt&, const TimeAt&) = default;
};

// `items` by key(item), an int32; equal keys keep their order. Radix: as few
// passes over the range of keys as 11 bits each allow, so O(n) each; an
// insertion sort for few. Items are moved, not indices: a gather afterwards
// would cost more than a pass.
template <typename Item, typename Key>
Uninitialized<Item> SortedByKey(absl::Span<const Item> items, Key key);

inline void SortByTime(Uninitialized<TimeAt>* items) {
  *items = SortedByKey<TimeAt>(*items, [](const TimeAt& i) { return i.time; });
}

// All intervals by lo, ties in the order given.
inline Uninitialized<OwnedInterval> SortedByLo(
    absl::Span<const OwnedInterval> intervals) {
  return SortedByKey<OwnedInterval>(
      intervals, [](const OwnedInterval& i) { return i.lo; });
}

// How many of an ascending array of times are <= t, by a table over buckets of
// time: O(1) where times are spread, O(log n) at worst. Holds about one entry a
// time.
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
    const int32_t count = starts_[bucket + 1] - begin;
    // A time of a later bucket is above t, so that the compare is right for an
    // empty bucket, too, and the common cases need no branch between them.
    if (count <= 1) return begin + (times[begin] <= t);
    return Within(times, begin, begin + count, t);
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

namespace lo_order_internal {

inline constexpr int kMaxDigitBits = 11;
inline constexpr size_t kFew = 64;

template <typename Item, typename Key>
void InsertionSort(Uninitialized<Item>* items, Key key) {
  Uninitialized<Item>& a = *items;
  for (size_t i = 1; i < a.size(); ++i) {
    const Item item = a[i];
    size_t j = i;
    for (; j > 0 && key(a[j - 1]) > key(item); --j) a[j] = a[j - 1];
    a[j] = item;
  }
}

}  // namespace lo_order_internal

template <typename Item, typename Key>
Uninitialized<Item> SortedByKey(absl::Span<const Item> items, Key key) {
  using lo_order_internal::kMaxDigitBits;
  int32_t first = INT32_MAX;
  int32_t last = INT32_MIN;
  bool ascends = true;
  for (const Item& item : items) {
    ascends = ascends && last <= key(item);
    first = std::min(first, key(item));
    last = std::max(last, key(item));
  }
  if (ascends || items.size() <= lo_order_internal::kFew) {
    Uninitialized<Item> sorted(items.begin(), items.end());
    if (!ascends) lo_order_internal::InsertionSort(&sorted, key);
    return sorted;
  }
  const uint32_t base = static_cast<uint32_t>(first);
  const int bits = std::bit_width(static_cast<uint32_t>(last) - base);
  const int passes = (bits + kMaxDigitBits - 1) / kMaxDigitBits;
  const int digit_bits = (bits + passes - 1) / passes;
  const uint32_t mask = (1u << digit_bits) - 1;
  Uninitialized<Item> sorted;
  Uninitialized<Item> before;  // what the pass at hand sorts, after the first
  for (int pass = 0; pass < passes; ++pass) {
    const int shift = pass * digit_bits;
    // Few intervals span few times: what is not used is not cleared.
    std::array<uint32_t, (1u << kMaxDigitBits) + 1> begin;
    std::fill_n(begin.begin(), mask + 2, 0u);
    const auto digit = [base, shift, mask, key](const Item& item) {
      return ((static_cast<uint32_t>(key(item)) - base) >> shift) & mask;
    };
    for (const Item& item : items) ++begin[digit(item) + 1];
    for (uint32_t d = 0; d <= mask; ++d) begin[d + 1] += begin[d];
    sorted.swap(before);
    sorted.resize(items.size());
    for (const Item& item : items) sorted[begin[digit(item)]++] = item;
    items = sorted;
  }
  return sorted;
}

}  // namespace berth

#endif  // BERTH_ALLOCATOR_INTERFERENCE_LO_ORDER_H_
