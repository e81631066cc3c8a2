#include "allocator/base/check.h"
#include "allocator/base/int_math.h"
#include "allocator/placement/first_fit.h"

namespace berth {

std::optional<uint64_t> PlaceInGap(uint64_t lo, uint64_t hi, uint64_t size,
                                   uint64_t alignment, uint64_t page) {
  BERTH_CHECK(size > 0 && alignment > 0 && page > 0);
  uint64_t x = lo;
  for (;;) {
    const std::optional<uint64_t> aligned = CheckedRoundUp(x, alignment);
    if (!aligned.has_value()) return std::nullopt;
    x = *aligned;
    if (x > hi || hi - x < size) return std::nullopt;
    const uint64_t last = x + (size - 1);  // in the gap, so it cannot wrap
    if (size > page || x / page == last / page) return x;
    x = last / page * page;  // the one boundary that [x, last] crosses
  }
}

}  // namespace berth
