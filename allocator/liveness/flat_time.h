// Flat time (spec §2): the instructions of a function are numbered 0, 1, 2...
// in layout order, across blocks.
//
// Thread-safety: pure functions.
#ifndef BERTH_ALLOCATOR_LIVENESS_FLAT_TIME_H_
#define BERTH_ALLOCATOR_LIVENESS_FLAT_TIME_H_

#include <cstdint>
#include <vector>

#include "allocator/model/program.h"

namespace berth {

// For each block the flat index of its first instruction, and last the number
// of instructions: block b is [starts[b], starts[b + 1]), empty if these are
// equal. REQUIRES: a checked program (fewer than 2^31 - 1 instructions). Cost:
// O(blocks).
std::vector<int32_t> BlockStarts(const Function& function);

// The block that holds instruction `flat`. REQUIRES: `starts` is BlockStarts()
// of a function with more than `flat` instructions. Cost: O(log blocks).
int32_t BlockOf(const std::vector<int32_t>& starts, int32_t flat);

}  // namespace berth

#endif  // BERTH_ALLOCATOR_LIVENESS_FLAT_TIME_H_
