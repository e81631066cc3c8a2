// Which nodes COLLECTIVEs access, and the CC region they ask for (spec §9).
#ifndef BERTH_ALLOCATOR_VALIDATE_CC_REGION_H_
#define BERTH_ALLOCATOR_VALIDATE_CC_REGION_H_

#include <cstdint>
#include <vector>

#include "allocator/base/int_math.h"
#include "allocator/model/options.h"
#include "allocator/model/program.h"
#include "allocator/validate/checks.h"

namespace berth::validation {

// One access record of a COLLECTIVE.
struct CollectiveAccess {
  int32_t location = 0;
  // aligned_size of the location + bytes of the access: what --allreduce-
  // buffer-size=-1 sums.
  uint128 auto_bytes = 0;
};

// Of all types, in instruction order. Cost: O(instructions).
std::vector<CollectiveAccess> CollectiveAccesses(const Function& function);

// Regions of a run without a record, by the options. `any_cc`: a node that is
// not pinned is accessed by a COLLECTIVE; `auto_bytes`: the sum over all of
// them.
Regions RegionsByOptions(const PlanOptions& options, uint64_t floor,
                         uint64_t ceiling, bool any_cc, uint128 auto_bytes);

}  // namespace berth::validation

#endif  // BERTH_ALLOCATOR_VALIDATE_CC_REGION_H_
