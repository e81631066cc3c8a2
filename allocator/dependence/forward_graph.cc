#include "allocator/dependence/forward_graph.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "allocator/model/program.h"

namespace berth {

ForwardGraph::ForwardGraph(const Function& function) {
  Search(function);
  const size_t num_blocks = function.blocks.size();
  position_.resize(num_blocks);
  for (size_t i = 0; i < num_blocks; ++i) {
    position_[order_[i]] = static_cast<int32_t>(i);
  }
  // By target, then source; a repeated edge is one.
  std::vector<std::pair<int32_t, int32_t>> edges;
  for (size_t b = 0; b < num_blocks; ++b) {
    const auto from = static_cast<int32_t>(b);
    for (const int32_t to : function.blocks[b].successors) {
      if (!LeadsBack(from, to)) edges.emplace_back(to, from);
    }
  }
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  begins_.assign(num_blocks + 1, 0);
  for (const auto& [to, from] : edges) {
    ++begins_[to + 1];
    predecessors_.push_back(from);
  }
  for (size_t b = 0; b < num_blocks; ++b) begins_[b + 1] += begins_[b];
}

// Sets order_ to the blocks in reverse postorder.
void ForwardGraph::Search(const Function& function) {
  struct Frame {
    int32_t block;
    size_t next;
  };
  const auto num_blocks = static_cast<int32_t>(function.blocks.size());
  std::vector<bool> found(num_blocks, false);
  std::vector<Frame> frames;
  for (int32_t root = 0; root < num_blocks; ++root) {
    if (found[root]) continue;
    found[root] = true;
    frames.push_back({root, 0});
    while (!frames.empty()) {
      Frame& frame = frames.back();
      const std::vector<int32_t>& next =
          function.blocks[frame.block].successors;
      if (frame.next == next.size()) {
        order_.push_back(frame.block);
        frames.pop_back();
        continue;
      }
      const int32_t to = next[frame.next++];
      if (found[to]) continue;
      found[to] = true;
      frames.push_back({to, 0});
    }
  }
  std::reverse(order_.begin(), order_.end());
}

}  // namespace berth
