#include "allocator/placement/greedy.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "allocator/base/status_macros.h"
#include "allocator/placement/plain_first_fit.h"
#include "allocator/placement/regions.h"
#include "allocator/placement/window_first_fit.h"

namespace berth {
namespace {

// Higher keys come first; ties by the second key, then by id. Doubles are exact
// enough and the same everywhere: one correctly rounded product or root each.
struct Key {
  double first = 0;
  double second = 0;
};

using KeyOf = Key (*)(const Problem& problem, int32_t node);

double Size(const Problem& problem, int32_t node) {
  return static_cast<double>(problem.size_bytes[node]);
}

double Length(const Problem& problem, int32_t node) {
  return static_cast<double>(problem.occupied_length[node]);
}

double FirstTime(const Problem& problem, int32_t node) {
  return problem.live.of(node).front().lo;
}

double LastTime(const Problem& problem, int32_t node) {
  return problem.live.of(node).back().hi;
}

// The most promising first: what comes later is given up the sooner.
constexpr KeyOf kOrders[] = {
    // Size; of equal sizes the longer first.
    [](const Problem& p, int32_t n) {
      return Key{Size(p, n), Length(p, n)};
    },
    // Area; of equal areas the larger first.
    [](const Problem& p, int32_t n) {
      return Key{Size(p, n) * Length(p, n), Size(p, n)};
    },
    // Between the two.
    [](const Problem& p, int32_t n) {
      return Key{Size(p, n) * std::sqrt(Length(p, n)), Length(p, n)};
    },
    [](const Problem& p, int32_t n) {
      return Key{Length(p, n) * std::sqrt(Size(p, n)), Size(p, n)};
    },
    // Length; of equal lengths the larger first.
    [](const Problem& p, int32_t n) {
      return Key{Length(p, n), Size(p, n)};
    },
    // As time goes, forwards and backwards.
    [](const Problem& p, int32_t n) {
      return Key{-FirstTime(p, n), Size(p, n)};
    },
    [](const Problem& p, int32_t n) {
      return Key{LastTime(p, n), Size(p, n)};
    },
};

std::vector<int32_t> OrderBy(const Problem& problem, KeyOf key_of) {
  std::vector<Key> keys(problem.num_nodes());
  for (int32_t node = 0; node < problem.num_nodes(); ++node) {
    keys[node] = key_of(problem, node);
  }
  std::vector<int32_t> order(problem.num_nodes());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&keys](int32_t a, int32_t b) {
    if (keys[a].first != keys[b].first) return keys[a].first > keys[b].first;
    if (keys[a].second != keys[b].second) {
      return keys[a].second > keys[b].second;
    }
    return a < b;
  });
  return order;
}

// First fit in one order.
struct Attempt {
  enum class End { kPlaced, kGivenUp, kDoesNotFit };
  End end = End::kPlaced;
  int32_t failed_node = -1;  // kDoesNotFit
  uint64_t peak = 0;
  Placement placement;
};

// Gives up when some end reaches `hopeless`.
Attempt Try(const Problem& problem, const std::vector<int32_t>& order,
            uint64_t hopeless) {
  Attempt attempt;
  attempt.peak = problem.floor;
  attempt.placement.address.assign(problem.num_nodes(), 0);
  WindowFirstFit first_fit(problem, order);
  for (const int32_t node : order) {
    const std::optional<uint64_t> address = PlaceNode(first_fit, problem, node);
    if (!address.has_value()) {
      attempt.end = Attempt::End::kDoesNotFit;
      attempt.failed_node = node;
      break;
    }
    attempt.placement.address[node] = *address;
    if (problem.size_bytes[node] == 0) continue;
    attempt.peak = std::max(attempt.peak, *address + problem.size_bytes[node]);
    if (attempt.peak >= hopeless) {
      attempt.end = Attempt::End::kGivenUp;
      break;
    }
  }
  attempt.placement.visits = first_fit.visits();
  return attempt;
}

// What spec §7 step 3 says of the node that the attempt failed at.
absl::Status Exhausted(const Problem& problem,
                       const std::vector<int32_t>& order,
                       const Attempt& attempt) {
  PlainFirstFit plain(problem, order);
  for (const int32_t node : order) {
    if (node == attempt.failed_node) break;
    plain.Place(node, attempt.placement.address[node]);
  }
  return DoesNotFit(
      problem, attempt.failed_node,
      plain.LargestGap(attempt.failed_node, problem.floor, problem.ceiling));
}

}  // namespace

absl::StatusOr<Placement> PlanGreedy(const Problem& problem) {
  BERTH_RETURN_IF_ERROR(CheckProblem(problem));
  const uint128 lowest_peak = problem.floor + MaxLoad(problem);
  std::optional<Attempt> best;
  absl::Status first_failure;
  uint64_t visits = 0;
  for (const KeyOf key_of : kOrders) {
    const std::vector<int32_t> order = OrderBy(problem, key_of);
    Attempt attempt = Try(
        problem, order,
        best.has_value() ? best->peak : std::numeric_limits<uint64_t>::max());
    visits += attempt.placement.visits;
    if (attempt.end == Attempt::End::kDoesNotFit && first_failure.ok()) {
      first_failure = Exhausted(problem, order, attempt);
    }
    if (attempt.end != Attempt::End::kPlaced) continue;
    best = std::move(attempt);
    if (best->peak <= lowest_peak) break;
  }
  if (!best.has_value()) return first_failure;
  best->placement.visits = visits;
  return std::move(best->placement);
}

}  // namespace berth
