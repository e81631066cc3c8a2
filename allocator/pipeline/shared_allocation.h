// The pass `coloring_allocator_dram_shared`: places the owners of the SHARED
// space above every core's DRAM (spec §10).
#ifndef BERTH_ALLOCATOR_PIPELINE_SHARED_ALLOCATION_H_
#define BERTH_ALLOCATOR_PIPELINE_SHARED_ALLOCATION_H_

#include "absl/status/status.h"
#include "allocator/pipeline/state.h"

namespace berth {

// Marks owners and copies (shared_post_dram_alloc: nobody else writes it),
// takes the floor once, and places the owners: one common run, or with
// --shared-mb-per-core a slab for each owner core. Their time is phases; an
// access, or a COLLECTIVE, through any copy is the owner's. An owner's
// alignment is the least common multiple of its copies'.
//
// Writes addresses of owners (placed_by BERTH), and the record of a run into
// every function that owns a tensor of it; copies get theirs from
// `sync_shared_allocations`. A program without SHARED DRAM has no shared run.
// kResourceExhausted: what does not fit its slab or the window, as spec §7
// says. kInvalidArgument: alignments whose common multiple passes 2^64 - 1.
// Cost: O(shared locations) + planners.h.
absl::Status AllocateShared(PipelineState& state);

}  // namespace berth

#endif  // BERTH_ALLOCATOR_PIPELINE_SHARED_ALLOCATION_H_
