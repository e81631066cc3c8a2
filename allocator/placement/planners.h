// Planner by name: the one place that knows which order and which first fit
// each planner uses (cli.md: --planner).
//
//   reference  ReferenceOrder placed by PlainFirstFit: the plain twin.
//   briggs     BriggsOrder placed by WindowFirstFit: the contract's order.
//   greedy     the best of several fixed orders (greedy.h).
//   tight      bounded search (tight/tight.h).
//
// Thread-safety: pure functions. Cost: see each planner's header.
#ifndef BERTH_ALLOCATOR_PLACEMENT_PLANNERS_H_
#define BERTH_ALLOCATOR_PLACEMENT_PLANNERS_H_

#include <functional>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "allocator/base/phase.h"
#include "allocator/model/options.h"
#include "allocator/placement/problem.h"

namespace berth {

struct PlannerOptions {
  Planner planner = Planner::kBriggs;
  uint64_t budget_steps = PlanOptions().budget_steps;  // tight only
  // tight only: asked now and then; true ends the search with what it has. The
  // result then depends on when. Empty: never.
  std::function<bool()> stop;
  PhaseSeam seam;  // told of kOrder and kPlace
};

// A placement of every node: I1, I2, I3 hold and, where first fit decides, I9.
// kResourceExhausted names the first node that does not fit, its w, the largest
// gap, the ceiling and what set the floor (spec §7).
absl::StatusOr<Placement> Plan(const Problem& problem,
                               const PlannerOptions& options);

// Select (spec §9): places the nodes of `popped` in that order by first fit
// over the regions.
absl::StatusOr<Placement> SelectPlain(const Problem& problem,
                                      absl::Span<const int32_t> popped);
absl::StatusOr<Placement> SelectFast(const Problem& problem,
                                     absl::Span<const int32_t> popped);

}  // namespace berth

#endif  // BERTH_ALLOCATOR_PLACEMENT_PLANNERS_H_
