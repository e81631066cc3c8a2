// The greedy planner (Planner::kGreedy): first fit in several fixed orders, and
// then repairs of the best of them; the lowest peak wins, of equal peaks the
// earlier.
//
// The orders (greedy_orders.cc has the list): outward in time from where the
// load is greatest; by size, roughly by size, by length, and as time goes. An
// order is given up at the first node that ends at or above the best peak so
// far. A repair moves the node at which the last attempt was given up, or did
// not fit, half way to the front and tries again: what came too late comes
// earlier. The search ends when a peak meets the lower bound, or when it has
// placed kGreedyFits times as many nodes as there are, an attempt counting as
// an eighth of them at least. A problem whose bytes are all multiplied by four
// has the same placement, multiplied by four; by three it need not, since some
// orders go by classes of sizes.
//
// Thread-safety: pure function, deterministic. Cost: about kGreedyFits first
// fits by WindowFirstFit (SweepFirstFit, for the order by time, where it
// serves), and a sort for each order. Memory: two placements, two orders, and
// either one first fit or a sort (greedy_orders.h).
#ifndef BERTH_ALLOCATOR_PLACEMENT_GREEDY_H_
#define BERTH_ALLOCATOR_PLACEMENT_GREEDY_H_

#include "absl/status/statusor.h"
#include "allocator/placement/problem.h"

namespace berth {

inline constexpr int64_t kGreedyFits = 8;

// A placement of every node, by first fit over the regions of spec §9.
// kResourceExhausted, if no attempt fits, names the node at which the first
// order failed (spec §7). Other errors: CheckProblem()'s.
absl::StatusOr<Placement> PlanGreedy(const Problem& problem);

}  // namespace berth

#endif  // BERTH_ALLOCATOR_PLACEMENT_GREEDY_H_
