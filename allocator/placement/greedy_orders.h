// The orders in which the greedy planner (greedy.h) tries first fit.
//
// Each is by a key of two numbers, ties by size, the larger first, then by id.
// Sorted by radix on the first number, then within equal ones on the second,
// which takes half as long as comparing.
//
// Thread-safety: pure functions. Cost: O(V), comparisons within short runs.
// Memory: 36 bytes a node while sorting.
#ifndef BERTH_ALLOCATOR_PLACEMENT_GREEDY_ORDERS_H_
#define BERTH_ALLOCATOR_PLACEMENT_GREEDY_ORDERS_H_

#include <cstdint>
#include <vector>

#include "allocator/placement/problem.h"

namespace berth {

inline constexpr int kGreedyOrders = 9;

// All nodes in order number `index` of kGreedyOrders, the most promising orders
// first. `peak_time`: where the load is greatest.
std::vector<int32_t> GreedyOrder(const Problem& problem, int32_t peak_time,
                                 int index);

}  // namespace berth

#endif  // BERTH_ALLOCATOR_PLACEMENT_GREEDY_ORDERS_H_
