// What the planner asks about interference: the fastest that stays simple.
//
//   PlannerOracle   single queries
//   HalfGraph       all-pairs work: no explicit interference graph anywhere
//   Neighbours      neighbours of a location with several intervals, once each
//
// OwnedOf() turns the model's table into what they are built from.
#ifndef BERTH_ALLOCATOR_INTERFERENCE_PLANNER_ORACLE_H_
#define BERTH_ALLOCATOR_INTERFERENCE_PLANNER_ORACLE_H_

#include <vector>

#include "allocator/interference/half_graph.h"
#include "allocator/interference/neighbours.h"
#include "allocator/interference/window_lists.h"
#include "allocator/model/intervals.h"

namespace berth {

using PlannerOracle = WindowLists;

// The intervals of a table with their owners, owner by owner. O(intervals).
std::vector<OwnedInterval> OwnedOf(const IntervalTable& table);

}  // namespace berth

#endif  // BERTH_ALLOCATOR_INTERFERENCE_PLANNER_ORACLE_H_
