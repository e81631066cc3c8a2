#include "allocator/interference/planner_oracle.h"

namespace berth {

std::vector<OwnedInterval> OwnedOf(const IntervalTable& table) {
  std::vector<OwnedInterval> owned;
  owned.reserve(table.values.size());
  for (int32_t owner = 0; owner < table.size(); ++owner) {
    for (const Interval& interval : table.of(owner)) {
      owned.push_back({interval.lo, interval.hi, owner});
    }
  }
  return owned;
}

}  // namespace berth
