// The greedy planner (Planner::kGreedy): first fit in several fixed orders, the
// lowest peak wins; of equal peaks the earlier order.
//
// The orders are by decreasing size, area (size x length), length, mixtures of
// these, and by time. An order is given up as soon as it passes the best peak
// so far, and the search ends when a peak meets the lower bound.
//
// Thread-safety: pure function, deterministic. Cost: at most one first fit by
// WindowFirstFit an order. Memory: one first fit and two placements.
#ifndef BERTH_ALLOCATOR_PLACEMENT_GREEDY_H_
#define BERTH_ALLOCATOR_PLACEMENT_GREEDY_H_

#include "absl/status/statusor.h"
#include "allocator/placement/problem.h"

namespace berth {

// A placement of every node, by first fit over the regions of spec §9.
// kResourceExhausted, if no order fits, names the node at which the first order
// failed (spec §7). Other errors: CheckProblem()'s.
absl::StatusOr<Placement> PlanGreedy(const Problem& problem);

}  // namespace berth

#endif  // BERTH_ALLOCATOR_PLACEMENT_GREEDY_H_
