// How a search for a packing under a fixed capacity ends.
#ifndef BERTH_ALLOCATOR_PLACEMENT_TIGHT_OUTCOME_H_
#define BERTH_ALLOCATOR_PLACEMENT_TIGHT_OUTCOME_H_

#include <cstdint>

namespace berth::tight {

enum class Outcome : uint8_t {
  kFound,      // addresses() is a packing
  kExhausted,  // there is none
  kLimit,      // neither, within what was allowed
};

}  // namespace berth::tight

#endif  // BERTH_ALLOCATOR_PLACEMENT_TIGHT_OUTCOME_H_
