// How searches go down from the best packing known: by half the way to the
// target until that fails, by a quarter, by an eighth; then all over.
//
// Thread-safety: pure functions.
#ifndef BERTH_ALLOCATOR_PLACEMENT_TIGHT_DESCENT_H_
#define BERTH_ALLOCATOR_PLACEMENT_TIGHT_DESCENT_H_

#include <algorithm>
#include <cstdint>

namespace berth::tight {

// How many descents may fail.
inline constexpr int32_t kDescents = 3;

// The capacity to try next, below `upper`. REQUIRES: target < upper.
inline int64_t NextBelow(int64_t upper, int64_t target,
                         int32_t failed_descents) {
  return upper -
         std::max<int64_t>(1, (upper - target) >> (1 + failed_descents));
}

}  // namespace berth::tight

#endif  // BERTH_ALLOCATOR_PLACEMENT_TIGHT_DESCENT_H_
