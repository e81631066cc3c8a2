// The pass `check_dram_addressed` (spec §11): what is accessed has an address.
#ifndef BERTH_ALLOCATOR_PIPELINE_ADDRESSED_CHECK_H_
#define BERTH_ALLOCATOR_PIPELINE_ADDRESSED_CHECK_H_

#include "absl/status/status.h"
#include "allocator/pipeline/state.h"

namespace berth {

// kResourceExhausted (the answer is no) that counts the candidates which some
// instruction accesses and which have no address, and lists the first of them,
// cores ascending, file order. Cost: O(locations).
absl::Status CheckDramAddressed(PipelineState& state);

}  // namespace berth

#endif  // BERTH_ALLOCATOR_PIPELINE_ADDRESSED_CHECK_H_
