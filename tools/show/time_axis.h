// The time axis of a panel. Internal to tools/show.
#ifndef BERTH_TOOLS_SHOW_TIME_AXIS_H_
#define BERTH_TOOLS_SHOW_TIME_AXIS_H_

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "allocator/base/int_math.h"
#include "tools/show/memory_map.h"
#include "tools/show/scene.h"

namespace berth::show {

// Times [lo, hi] of a panel on pixels [left, right): hi ends at right.
class TimeAxis {
 public:
  TimeAxis(const std::vector<MapRange>& ranges, Px100 left, Px100 right)
      : left_(left), right_(right) {
    bool any = false;
    for (const MapRange& range : ranges) {
      if (range.lo > range.hi) continue;
      lo_ = any ? std::min(lo_, range.lo) : range.lo;
      hi_ = any ? std::max(hi_, range.hi) : range.hi;
      any = true;
    }
  }

  int64_t lo() const { return lo_; }
  int64_t hi() const { return hi_; }
  // Number of times; at most 2^64 - 1 (one short of the longest span there is).
  uint64_t span() const {
    const uint64_t distance =
        static_cast<uint64_t>(hi_) - static_cast<uint64_t>(lo_);
    return distance + (distance != std::numeric_limits<uint64_t>::max());
  }
  // Where `time` begins. REQUIRES: lo() <= time.
  Px100 Begin(int64_t time) const { return At(Distance(time)); }
  // Where it ends.
  Px100 End(int64_t time) const {
    return At(std::min(Distance(time), span() - 1) + 1);
  }
  Px100 Middle(int64_t time) const { return (Begin(time) + End(time)) / 2; }

 private:
  uint64_t Distance(int64_t time) const {
    return static_cast<uint64_t>(time) - static_cast<uint64_t>(lo_);
  }
  Px100 At(uint64_t distance) const {
    const auto width = static_cast<uint64_t>(right_ - left_);
    return left_ + static_cast<Px100>(uint128{std::min(distance, span())} *
                                      width / span());
  }

  int64_t lo_ = 0;
  int64_t hi_ = 0;
  const Px100 left_;
  const Px100 right_;
};

}  // namespace berth::show

#endif  // BERTH_TOOLS_SHOW_TIME_AXIS_H_
