#include "allocator/interference/lo_order.h"

namespace berth {

RankTable::RankTable(absl::Span<const int32_t> times)
    : size_(static_cast<int32_t>(times.size())) {
  if (times.empty()) return;
  first_ = times.front();
  last_ = times.back();
  const uint32_t base = static_cast<uint32_t>(first_);
  const uint32_t range = static_cast<uint32_t>(last_) - base;
  // Buckets so wide that there is no more than one for each time.
  while (int64_t{range >> shift_} > size_) ++shift_;
  const uint32_t buckets = (range >> shift_) + 1;
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
