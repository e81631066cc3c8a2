#include "allocator/placement/tight/order_search.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "allocator/placement/regions.h"
#include "allocator/placement/window_first_fit.h"

namespace berth::tight {
namespace {

constexpr uint64_t kSeed = 0x6f72646572;

uint64_t HighestEnd(const Problem& problem,
                    const std::vector<uint64_t>& addresses) {
  uint64_t end = 0;
  for (int32_t id = 0; id < problem.num_nodes(); ++id) {
    if (problem.size_bytes[id] == 0) continue;
    end = std::max(end, addresses[id] + problem.size_bytes[id]);
  }
  return end;
}

}  // namespace

std::optional<std::vector<uint64_t>> DecodeOrder(
    const Problem& problem, absl::Span<const int32_t> order, uint64_t highest,
    int64_t& steps) {
  WindowFirstFit first_fit(problem, order);
  std::vector<uint64_t> addresses(problem.num_nodes(), 0);
  steps += static_cast<int64_t>(problem.pin_live.values.size());
  for (const int32_t node : order) {
    steps += static_cast<int64_t>(problem.live.of(node).size());
    const std::optional<uint64_t> address = PlaceNode(first_fit, problem, node);
    if (!address.has_value()) return std::nullopt;
    const uint64_t size = problem.size_bytes[node];
    if (size > 0 && *address + size > highest) return std::nullopt;
    addresses[node] = *address;
  }
  return addresses;
}

OrderSearch::OrderSearch(const Problem& problem,
                         std::vector<uint64_t> addresses)
    : problem_(problem),
      peak_(std::numeric_limits<uint64_t>::max()),
      order_(problem.num_nodes()),
      rng_(kSeed) {
  std::iota(order_.begin(), order_.end(), 0);
  if (!addresses.empty()) {
    Accept(std::move(addresses));
  } else {
    std::stable_sort(order_.begin(), order_.end(),
                     [this](int32_t a, int32_t b) {
                       return problem_.size_bytes[a] > problem_.size_bytes[b];
                     });
  }
}

// First fit in the order of addresses puts nothing higher.
void OrderSearch::Accept(std::vector<uint64_t> addresses) {
  addresses_ = std::move(addresses);
  peak_ = HighestEnd(problem_, addresses_);
  std::sort(order_.begin(), order_.end(), [this](int32_t a, int32_t b) {
    return addresses_[a] != addresses_[b] ? addresses_[a] < addresses_[b]
                                          : a < b;
  });
}

// Moves a few nodes, one that ends at the peak among them, to random earlier
// places of the order.
void OrderSearch::Restart() {
  const int32_t n = problem_.num_nodes();
  next_ = order_;
  const int64_t moves = 1 + static_cast<int64_t>(rng_.Below(3));
  for (int64_t i = 0; i < moves && n > 1; ++i) {
    int32_t from = static_cast<int32_t>(rng_.Below(n));
    if (i == 0 && found()) {
      for (int32_t at = 0; at < n; ++at) {
        const int32_t id = next_[at];
        if (problem_.size_bytes[id] > 0 &&
            addresses_[id] + problem_.size_bytes[id] == peak_) {
          from = at;
        }
      }
    }
    const int32_t to = static_cast<int32_t>(rng_.Below(from + 1));
    std::rotate(next_.begin() + to, next_.begin() + from,
                next_.begin() + from + 1);
  }
  if (tried_++ == 0) next_ = order_;
  std::optional<std::vector<uint64_t>> addresses =
      DecodeOrder(problem_, next_, peak_, steps_);
  if (!addresses.has_value()) {
    if (!found()) order_ = next_;
    return;
  }
  Accept(*std::move(addresses));
}

}  // namespace berth::tight
