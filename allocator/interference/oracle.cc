#include "allocator/interference/oracle.h"

#include "absl/strings/str_cat.h"
#include "allocator/base/check.h"
#include "allocator/base/int_math.h"

namespace berth {

void CheckIntervals(absl::Span<const OwnedInterval> intervals) {
  BERTH_CHECK(static_cast<int64_t>(intervals.size()) < kMaxCount);
  for (const OwnedInterval& interval : intervals) {
    BERTH_CHECK(interval.lo <= interval.hi);
  }
}

absl::Status CheckIndex(int32_t index, absl::Span<const OwnedInterval> stored) {
  if (index >= 0 && static_cast<size_t>(index) < stored.size()) {
    return absl::OkStatus();
  }
  return absl::OutOfRangeError(absl::StrCat("stored interval ", index, " of ",
                                            stored.size(), " does not exist"));
}

}  // namespace berth
