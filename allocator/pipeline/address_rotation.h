// The pass `address_rotation_dram` (spec §11): spreads what LOCAL runs placed
// over a wider window, so that fewer tensors follow each other in the same
// bytes and fewer dependences come of it.
#ifndef BERTH_ALLOCATOR_PIPELINE_ADDRESS_ROTATION_H_
#define BERTH_ALLOCATOR_PIPELINE_ADDRESS_ROTATION_H_

#include <cstdint>
#include <optional>

#include "absl/status/status.h"
#include "allocator/pipeline/state.h"
#include "allocator/placement/problem.h"

namespace berth {

// One run: nodes that are in no collective, by (first index, id), are searched
// from a cursor that starts at cc_end and moves to the end of each; else from
// cc_end; below `ceiling`, against pins, CC nodes and what has moved. Nodes
// without bytes stay. nullopt, and the node in `failed`, if one finds no room.
// Cost: window_first_fit.h.
std::optional<Placement> RotatePlacement(const Problem& problem,
                                         const Placement& placement,
                                         uint64_t ceiling, int32_t& failed);

// Every LOCAL run, callees first. A run whose rotation fails, or does not lead
// to fewer placement edges, keeps its placement; events tell of either. Later
// functions of a module start above what earlier ones occupy: where one has
// moved, they are placed anew above it, and if one of them then does not fit,
// the whole module keeps what it had. Sets `rotated` and what the record
// measures. Touches nothing but what these runs placed. Errors: none but the
// module's call order.
absl::Status RotateAddresses(PipelineState& state);

}  // namespace berth

#endif  // BERTH_ALLOCATOR_PIPELINE_ADDRESS_ROTATION_H_
