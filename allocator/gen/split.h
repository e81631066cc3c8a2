// From a program of one core to one over N cores, tensor-parallel style.
//
// Every core runs the same functions over its part of the tensors:
//  - A **private part** stands for each tensor: an N-th of its elements.
//  - What a COLLECTIVE accesses becomes a **shared staging buffer** of full
//    size. A def writes the core's own slice of it, a use reads all of it, the
//    COLLECTIVE is a rendezvous of all cores.
//  - Every eighth other tensor is **handed over**: one core makes it, in shared
//    memory and at full size, and all cores read it.
//
// Staging buffers and hand-overs are owned by cores in turn; copies point at
// the owner, or, every fourth time, along a chain. A BARRIER stands wherever
// cores must wait: between a slice written and the whole read, and between the
// whole read and a slice written again.
//
// Rendezvous can only stand where every path passes, or every iteration of a
// loop that every path passes (spine.h); cores are taken to run such loops
// equally often. There, an iteration begins with a wait (split_waits.h). What
// branches access stays private, and a COLLECTIVE or BARRIER in there no longer
// meets: it becomes a COMPUTE, or nothing.
#ifndef BERTH_ALLOCATOR_GEN_SPLIT_H_
#define BERTH_ALLOCATOR_GEN_SPLIT_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "allocator/model/program.h"

namespace berth {

inline constexpr int32_t kMaxSplitCores = 64;

// kInvalidArgument: `cores` outside 1..kMaxSplitCores, or a program that has
// more than one core or SHARED locations already.
//
// REQUIRES: a checked program. The result is one too, and keeps every rule of
// spec §10. Thread-safety: pure. Cost: O(cores * size of the program).
absl::StatusOr<Program> SplitProgram(const Program& program, int32_t cores);

}  // namespace berth

#endif  // BERTH_ALLOCATOR_GEN_SPLIT_H_
