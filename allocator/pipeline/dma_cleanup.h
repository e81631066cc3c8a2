// The pass `dynamic_dma_cleanup` (spec §11): adjacent copies that continue each
// other become one.
#ifndef BERTH_ALLOCATOR_PIPELINE_DMA_CLEANUP_H_
#define BERTH_ALLOCATOR_PIPELINE_DMA_CLEANUP_H_

#include <cstdint>

#include "absl/status/status.h"
#include "allocator/model/program.h"
#include "allocator/pipeline/state.h"

namespace berth {

// Two neighbouring DMA_COPYs of one block become one where their sources lie in
// one location and their destinations in one, the second continues the first in
// both, upwards or downwards, and the bytes that both read meet none that both
// write, by offset or by address. Left to right, again and again until nothing
// merges; the first's name and place stay. Returns how many went.
//
// REQUIRES: a function of a checked program; it stays one. Cost:
// O(instructions) per round; a round is made only of blocks in which the last
// one merged some.
int64_t MergeAdjacentCopies(Function& function);

// Of every function; those in which copies went get `cleaned` in the record of
// their LOCAL run, and the report counts them. Never fails.
absl::Status CleanUpDmaCopies(PipelineState& state);

}  // namespace berth

#endif  // BERTH_ALLOCATOR_PIPELINE_DMA_CLEANUP_H_
