#include "allocator/interference/lo_order.h"

#include <algorithm>
#include <array>

namespace berth {
namespace {

constexpr int kDigitBits = 11;
constexpr uint32_t kDigits = 1u << kDigitBits;
constexpr size_t kFew = 64;

void InsertionSort(std::vector<TimeAt>* items) {
  std::vector<TimeAt>& a = *items;
  for (size_t i = 1; i < a.size(); ++i) {
    const TimeAt item = a[i];
    size_t j = i;
    for (; j > 0 && a[j - 1].time > item.time; --j) a[j] = a[j - 1];
    a[j] = item;
  }
}

}  // namespace

void SortByTime(std::vector<TimeAt>* items) {
  if (items->size() <= kFew) return InsertionSort(items);
  int32_t first = INT32_MAX;
  int32_t last = INT32_MIN;
  bool sorted = true;
  for (const TimeAt& item : *items) {
    sorted = sorted && last <= item.time;
    first = std::min(first, item.time);
    last = std::max(last, item.time);
  }
  if (sorted) return;
  const uint32_t base = static_cast<uint32_t>(first);
  const uint32_t range = static_cast<uint32_t>(last) - base;
  std::vector<TimeAt> other(items->size());
  for (int shift = 0; shift < 32 && (range >> shift) != 0;
       shift += kDigitBits) {
    std::array<uint32_t, kDigits + 1> begin = {};
    const auto digit = [base, shift](const TimeAt& item) {
      return ((static_cast<uint32_t>(item.time) - base) >> shift) &
             (kDigits - 1);
    };
    for (const TimeAt& item : *items) ++begin[digit(item) + 1];
    for (uint32_t d = 0; d < kDigits; ++d) begin[d + 1] += begin[d];
    for (const TimeAt& item : *items) other[begin[digit(item)]++] = item;
    items->swap(other);
  }
}

std::vector<TimeAt> OrderByLo(absl::Span<const OwnedInterval> intervals) {
  std::vector<TimeAt> order(intervals.size());
  for (size_t i = 0; i < intervals.size(); ++i) {
    order[i] = {intervals[i].lo, static_cast<int32_t>(i)};
  }
  SortByTime(&order);
  return order;
}

int ShiftFor(int32_t first, int32_t last, int64_t limit) {
  const int64_t range = int64_t{last} - first;
  int shift = 0;
  while ((range >> shift) > limit) ++shift;
  return shift;
}

RankTable::RankTable(absl::Span<const int32_t> times)
    : size_(static_cast<int32_t>(times.size())) {
  if (times.empty()) return;
  first_ = times.front();
  last_ = times.back();
  shift_ = ShiftFor(first_, last_, size_ / 4 + 1);
  const uint32_t base = static_cast<uint32_t>(first_);
  const uint32_t buckets =
      ((static_cast<uint32_t>(last_) - base) >> shift_) + 1;
  starts_.resize(buckets + 1);
  size_t i = 0;
  for (uint32_t bucket = 0; bucket <= buckets; ++bucket) {
    while (i < times.size() &&
           (static_cast<uint32_t>(times[i]) - base) >> shift_ < bucket) {
      ++i;
    }
    starts_[bucket] = static_cast<int32_t>(i);
  }
}

}  // namespace berth
