// The pass `coloring_allocator_dram`: places the LOCAL candidates of every
// function of every core (spec §9; the source: DRAM_Allocator::allocate).
//
// Never reads --disable-dram-allocation: the pipeline builder leaves the pass
// out (spec §11).
#ifndef BERTH_ALLOCATOR_PIPELINE_LOCAL_ALLOCATION_H_
#define BERTH_ALLOCATOR_PIPELINE_LOCAL_ALLOCATION_H_

#include <cstdint>

#include "absl/status/status.h"
#include "allocator/liveness/liveness.h"
#include "allocator/model/program.h"
#include "allocator/pipeline/floor.h"
#include "allocator/pipeline/state.h"

namespace berth {

// Functions callees first, cores ascending. Writes addresses (placed_by BERTH)
// and one RunRecord per function. On an error the failing function's record has
// dram_allocation_result false; the caller takes the addresses back.
// kResourceExhausted: what does not fit, as spec §7 says.
absl::Status AllocateLocal(PipelineState& state);

// One function of it, whose run starts at `floor`.
absl::Status AllocateFunction(int32_t core, Function& function,
                              const Liveness& liveness, const HighWater& floor,
                              PipelineState& state);

}  // namespace berth

#endif  // BERTH_ALLOCATOR_PIPELINE_LOCAL_ALLOCATION_H_
