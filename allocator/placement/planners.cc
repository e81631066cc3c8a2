#include "allocator/placement/planners.h"

#include <cstdint>
#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "allocator/base/check.h"
#include "allocator/base/phase.h"
#include "allocator/base/status_macros.h"
#include "allocator/model/options.h"
#include "allocator/placement/greedy.h"
#include "allocator/placement/order.h"
#include "allocator/placement/plain_first_fit.h"
#include "allocator/placement/problem.h"
#include "allocator/placement/regions.h"
#include "allocator/placement/tight/tight.h"
#include "allocator/placement/window_first_fit.h"

namespace berth {
namespace {

// The error for `node`, which no region holds after `placement`'s nodes that
// come before it in `popped`. Off the hot path: asks the plain first fit.
absl::Status Exhausted(const Problem& problem, absl::Span<const int32_t> popped,
                       const Placement& placement, int32_t node) {
  PlainFirstFit plain(problem, popped);
  for (const int32_t placed : popped) {
    if (placed == node) break;
    if (problem.size_bytes[placed] > 0) {
      plain.Place(placed, placement.address[placed]);
    }
  }
  return DoesNotFit(problem, node,
                    plain.LargestGap(node, problem.floor, problem.ceiling));
}

template <typename FirstFit>
absl::StatusOr<Placement> Select(const Problem& problem,
                                 absl::Span<const int32_t> popped) {
  FirstFit first_fit(problem, popped);
  Placement placement;
  placement.address.assign(problem.num_nodes(), 0);
  for (const int32_t node : popped) {
    const std::optional<uint64_t> address = PlaceNode(first_fit, problem, node);
    if (!address.has_value()) {
      return Exhausted(problem, popped, placement, node);
    }
    placement.address[node] = *address;
  }
  placement.visits = first_fit.visits();
  return placement;
}

}  // namespace

absl::StatusOr<Placement> SelectPlain(const Problem& problem,
                                      absl::Span<const int32_t> popped) {
  return Select<PlainFirstFit>(problem, popped);
}

absl::StatusOr<Placement> SelectFast(const Problem& problem,
                                     absl::Span<const int32_t> popped) {
  return Select<WindowFirstFit>(problem, popped);
}

absl::StatusOr<Placement> Plan(const Problem& problem,
                               const PlannerOptions& options) {
  BERTH_RETURN_IF_ERROR(CheckProblem(problem));
  if (options.planner == Planner::kGreedy) {
    Enter(options.seam, Phase::kPlace);
    return PlanGreedy(problem);
  }
  if (options.planner == Planner::kTight) {
    Enter(options.seam, Phase::kPlace);
    return PlanTight(problem, {options.budget_steps, options.stop});
  }
  Enter(options.seam, Phase::kOrder);
  const bool reference = options.planner == Planner::kReference;
  const EliminationOrder order =
      reference ? ReferenceOrder(problem) : BriggsOrder(problem);
  Enter(options.seam, Phase::kPlace);
  const std::vector<int32_t> popped = order.Popped();
  BERTH_ASSIGN_OR_RETURN(
      Placement placement,
      reference ? SelectPlain(problem, popped) : SelectFast(problem, popped));
  placement.visits += order.visits;
  return placement;
}

}  // namespace berth
