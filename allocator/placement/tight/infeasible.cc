#include "allocator/placement/tight/infeasible.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>

#include "allocator/placement/tight/part_search.h"
#include "allocator/placement/tight/section_model.h"

namespace berth::tight {
namespace {

// One test, which takes its steps out of `budget`.
bool Proved(const IntervalTable& live, absl::Span<const int32_t> nodes,
            absl::Span<const int64_t> size_units, int64_t capacity,
            int64_t max_steps, int64_t& budget) {
  std::map<int32_t, int64_t> size_of;
  for (size_t i = 0; i < nodes.size(); ++i) size_of[nodes[i]] = size_units[i];
  std::vector<int32_t> sorted;
  sorted.reserve(size_of.size());
  for (const auto& [node, size] : size_of) sorted.push_back(node);
  for (const Piece& piece : SplitIntoPieces(live, sorted)) {
    int64_t room = capacity;
    for (const int32_t node : piece.below) room -= size_of[node];
    std::vector<int64_t> sizes;
    for (const int32_t node : piece.nodes) sizes.push_back(size_of[node]);
    const std::optional<SectionModel> model =
        BuildSectionModel(live, piece.nodes, sizes, SectionModelLimits());
    if (!model.has_value()) continue;
    if (model->max_load > room) return true;
    PartSearch search(*model, room);
    // One packing within the room is enough: there is no better one to seek.
    search.RaiseGoal(room);
    const int64_t steps = std::min(max_steps, budget);
    while (!search.done() && search.steps() < steps) search.Restart();
    budget -= search.steps();
    if (search.done() && !search.found()) return true;
  }
  return false;
}

struct Subset {
  std::vector<int32_t> nodes;
  std::vector<int64_t> sizes;
};

Subset Without(const Subset& set, size_t begin, size_t end) {
  Subset rest;
  for (size_t i = 0; i < set.nodes.size(); ++i) {
    if (begin <= i && i < end) continue;
    rest.nodes.push_back(set.nodes[i]);
    rest.sizes.push_back(set.sizes[i]);
  }
  return rest;
}

}  // namespace

std::vector<int32_t> MinimalInfeasible(const IntervalTable& live,
                                       absl::Span<const int32_t> nodes,
                                       absl::Span<const int64_t> size_units,
                                       int64_t capacity, int64_t max_steps) {
  // By size, so that small nodes are dropped first and large ones explain.
  std::vector<int32_t> order(nodes.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](int32_t a, int32_t b) {
    return size_units[a] != size_units[b] ? size_units[a] < size_units[b]
                                          : a < b;
  });
  Subset set;
  for (const int32_t i : order) {
    set.nodes.push_back(nodes[i]);
    set.sizes.push_back(size_units[i]);
  }
  // Chunks of halving size, as long as something goes; then singles once more.
  int64_t budget = 64 * max_steps;
  size_t chunk = std::max<size_t>(1, set.nodes.size() / 2);
  for (;;) {
    bool dropped = false;
    for (size_t at = 0; at < set.nodes.size() && budget > 0;) {
      const size_t end = std::min(at + chunk, set.nodes.size());
      Subset rest = Without(set, at, end);
      if (!rest.nodes.empty() &&
          Proved(live, rest.nodes, rest.sizes, capacity, max_steps, budget)) {
        set = std::move(rest);
        dropped = true;
      } else {
        at = end;
      }
    }
    if (budget <= 0 || (chunk == 1 && !dropped)) break;
    if (chunk > 1) chunk /= 2;
  }
  std::sort(set.nodes.begin(), set.nodes.end());
  return set.nodes;
}

}  // namespace berth::tight
