#include "allocator/placement/greedy.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "allocator/base/int_math.h"
#include "allocator/base/status_macros.h"
#include "allocator/placement/greedy_orders.h"
#include "allocator/placement/local_order.h"
#include "allocator/placement/plain_first_fit.h"
#include "allocator/placement/regions.h"
#include "allocator/placement/sweep_first_fit.h"
#include "allocator/placement/window_first_fit.h"
#include "allocator/placement/window_layout.h"

namespace berth {
namespace {

// First fit in one order.
struct Attempt {
  enum class End { kPlaced, kGivenUp, kDoesNotFit };
  End end = End::kPlaced;
  // Place in the order of the node at which it ended, the last if all fitted.
  size_t stopped_at = 0;
  uint64_t peak = 0;
  Placement placement;
};

// Gives up when some end reaches `hopeless`, if there is one.
template <typename FirstFit>
Attempt TryBy(FirstFit first_fit, const Problem& problem,
              const LocalOrder& order, std::optional<uint64_t> hopeless) {
  Attempt attempt;
  attempt.peak = problem.floor;
  attempt.placement.address.assign(problem.num_nodes(), 0);
  // The node that it refuses last is the one at which the attempt ends.
  const auto place = [&](int32_t node) {
    const std::optional<uint64_t> address = PlaceNode(first_fit, problem, node);
    if (!address.has_value()) {
      attempt.end = Attempt::End::kDoesNotFit;
      return false;
    }
    attempt.placement.address[node] = *address;
    if (problem.size_bytes[node] == 0) return true;
    const uint64_t end = *address + problem.size_bytes[node];
    attempt.peak = std::max(attempt.peak, end);
    if (!hopeless.has_value() || end < *hopeless) return true;
    attempt.end = Attempt::End::kGivenUp;
    return false;
  };
  const size_t refused = order.PlaceAll(place, [&](int32_t node) {
    __builtin_prefetch(&attempt.placement.address[node], 1);
  });
  attempt.stopped_at =
      std::min(refused, std::max<size_t>(order.nodes().size(), 1) - 1);
  attempt.placement.visits = first_fit.visits();
  return attempt;
}

Attempt Try(const WindowLayout& layout, absl::Span<const int32_t> order,
            std::optional<uint64_t> hopeless) {
  const Problem& problem = layout.problem();
  if (SweepFirstFit::Serves(problem, order)) {
    return TryBy(SweepFirstFit(problem, order), problem,
                 LocalOrder::AsItIs(order), hopeless);
  }
  const LocalOrder local(layout, order);
  return TryBy(WindowFirstFit(layout, local.nodes()), problem, local, hopeless);
}

class Search {
 public:
  explicit Search(const Problem& problem)
      : problem_(problem),
        layout_(problem),
        nodes_left_(kGreedyFits * int64_t{problem.num_nodes()}),
        lowest_peak_(problem.floor) {
    const std::vector<uint128> loads = Loads(problem);
    const auto most = std::max_element(loads.begin(), loads.end());
    if (most != loads.end()) {
      lowest_peak_ += *most;
      peak_time_ = static_cast<int32_t>(most - loads.begin());
    }
  }

  absl::StatusOr<Placement> Run() {
    for (int index = 0; index < kGreedyOrders; ++index) {
      std::vector<int32_t> order = GreedyOrder(problem_, peak_time_, index);
      Take(order);
      if (base_.empty()) base_ = std::move(order);
      if (Done()) break;
    }
    while (!Done() && Repair()) {
    }
    if (!best_.has_value()) return first_failure_;
    best_->placement.visits = visits_;
    return std::move(best_->placement);
  }

 private:
  // An attempt counts as at least this part of the nodes: beginning one costs
  // something for each.
  static constexpr int64_t kLeastPart = 8;

  std::optional<uint64_t> Hopeless() const {
    if (!best_.has_value()) return std::nullopt;
    return best_->peak;
  }
  bool Done() const {
    return nodes_left_ <= 0 ||
           (best_.has_value() && best_->peak <= lowest_peak_);
  }

  // Tries `order`, which becomes the base of repairs if it is the best so far.
  // Returns where it stopped.
  size_t Take(const std::vector<int32_t>& order) {
    Attempt attempt = Try(layout_, order, Hopeless());
    visits_ += attempt.placement.visits;
    const size_t stopped_at = attempt.stopped_at;
    nodes_left_ -= std::max(static_cast<int64_t>(stopped_at) + 1,
                            problem_.num_nodes() / kLeastPart);
    if (attempt.end == Attempt::End::kPlaced) {
      best_ = std::move(attempt);
      if (!base_.empty()) base_ = order;
    } else if (attempt.end == Attempt::End::kDoesNotFit &&
               first_failure_.ok() && !best_.has_value()) {
      first_failure_ = Exhausted(problem_, order, attempt.stopped_at,
                                 attempt.placement.address);
    }
    return stopped_at;
  }

  // False if there is nothing to move.
  bool Repair() {
    const std::vector<int32_t> order = base_;
    const size_t from = Take(order);
    const size_t to = from / 2;
    if (from == to) return false;
    std::rotate(base_.begin() + to, base_.begin() + from,
                base_.begin() + from + 1);
    return true;
  }

  const Problem& problem_;
  const WindowLayout layout_;
  int64_t nodes_left_;  // that may still be tried
  uint128 lowest_peak_;
  int32_t peak_time_ = 0;
  std::optional<Attempt> best_;
  std::vector<int32_t> base_;
  absl::Status first_failure_;
  uint64_t visits_ = 0;
};

}  // namespace

absl::StatusOr<Placement> PlanGreedy(const Problem& problem) {
  BERTH_RETURN_IF_ERROR(CheckProblem(problem));
  return Search(problem).Run();
}

}  // namespace berth
