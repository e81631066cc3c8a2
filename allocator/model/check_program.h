// The rules of spec §1 that a program must keep before anything reads it.
#ifndef BERTH_ALLOCATOR_MODEL_CHECK_PROGRAM_H_
#define BERTH_ALLOCATOR_MODEL_CHECK_PROGRAM_H_

#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "allocator/model/program.h"

namespace berth {

// OK, or kInvalidArgument that names core, function and location, block or
// instruction, of the first fault in file order:
//  - cores are 0..N-1, each once; names are unique where they must be, not
//    empty, valid UTF-8 without control characters;
//  - sizes, rounded sizes and ends of addresses fit u64; alignment > 0; usage,
//    types and kinds are known values; placed_by agrees with address;
//  - accesses lie in their locations; extent 0 has offset 0;
//  - DMA_COPY has one use and one def of equal extents, BARRIER no access, CALL
//    a callee of its module and only it; calls do not recurse;
//  - successors are blocks of the function; counts are below 2^31 - 1.
// The rules that need all cores at once (spec §10) are the pipeline's.
// Cost: O(size of the program).
absl::Status CheckProgram(const Program& program);

// The functions of `module` callees first: depth-first post-order from the
// functions in file order, callees in instruction order (spec §3).
// kInvalidArgument that names the functions of a cycle on recursion.
// REQUIRES: callee indices in range. Cost: O(instructions).
absl::StatusOr<std::vector<int32_t>> CalleesFirst(const Module& module);

// The bytes of `access`: its extent, or all of its location's bytes.
uint64_t AccessBytes(const Access& access, const Location& location);

}  // namespace berth

#endif  // BERTH_ALLOCATOR_MODEL_CHECK_PROGRAM_H_
