// The pass `sync_shared_allocations`: every copy of a shared tensor gets the
// address, partition and bank of its owner, all modules at once (spec §10).
//
// Agreement at compile time; no barrier comes of it.
#ifndef BERTH_ALLOCATOR_PIPELINE_SHARED_SYNC_H_
#define BERTH_ALLOCATOR_PIPELINE_SHARED_SYNC_H_

#include "absl/status/status.h"
#include "allocator/pipeline/state.h"

namespace berth {

// Copies become placed_by SYNC, pre-placed ones stay INPUT. Partition and bank
// are 0 unless the owner has them. A tensor whose owner has no address, and a
// program of one core, are left alone. Never fails. Cost: O(copies).
absl::Status SyncSharedAllocations(PipelineState& state);

}  // namespace berth

#endif  // BERTH_ALLOCATOR_PIPELINE_SHARED_SYNC_H_
