#include "allocator/placement/planners.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "allocator/base/phase.h"
#include "allocator/base/status_macros.h"
#include "allocator/model/options.h"
#include "allocator/placement/greedy.h"
#include "allocator/placement/local_order.h"
#include "allocator/placement/order.h"
#include "allocator/placement/plain_first_fit.h"
#include "allocator/placement/problem.h"
#include "allocator/placement/regions.h"
#include "allocator/placement/tight/tight.h"
#include "allocator/placement/window_first_fit.h"
#include "allocator/placement/window_layout.h"

namespace berth {
namespace {

template <typename FirstFit>
absl::StatusOr<Placement> Select(FirstFit first_fit, const Problem& problem,
                                 absl::Span<const int32_t> popped,
                                 const LocalOrder& order) {
  Placement placement;
  placement.address.assign(problem.num_nodes(), 0);
  const auto place = [&](int32_t node) {
    const std::optional<uint64_t> address = PlaceNode(first_fit, problem, node);
    if (address.has_value()) placement.address[node] = *address;
    return address.has_value();
  };
  const size_t placed = order.PlaceAll(place, [&](int32_t node) {
    __builtin_prefetch(&placement.address[node], 1);
  });
  if (placed < popped.size()) {
    return Exhausted(problem, popped, placed, placement.address);
  }
  placement.visits = first_fit.visits();
  return placement;
}

}  // namespace

absl::StatusOr<Placement> SelectPlain(const Problem& problem,
                                      absl::Span<const int32_t> popped) {
  return Select(PlainFirstFit(problem, popped), problem, popped,
                LocalOrder::AsItIs(popped));
}

absl::StatusOr<Placement> SelectFast(const Problem& problem,
                                     absl::Span<const int32_t> popped) {
  const WindowLayout layout(problem);
  const LocalOrder order(layout, popped);
  return Select(WindowFirstFit(layout, order.nodes()), problem, popped, order);
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
