#include "allocator/validate/block_graph.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "allocator/model/program.h"

namespace berth::validation {

BlockGraph::BlockGraph(const Function& function) {
  const auto blocks = static_cast<int32_t>(function.blocks.size());
  first_.push_back(0);
  successor_offset_.push_back(0);
  predecessor_offset_.assign(blocks + 1, 0);
  for (int32_t b = 0; b < blocks; ++b) {
    const Block& block = function.blocks[b];
    first_.push_back(first_.back() +
                     static_cast<int32_t>(block.instructions.size()));
    for (const int32_t next : block.successors) {
      successors_.push_back(next);
      ++predecessor_offset_[next + 1];
    }
    successor_offset_.push_back(static_cast<int32_t>(successors_.size()));
    if (block.successors.empty()) exits_.push_back(b);
  }
  for (int32_t b = 0; b < blocks; ++b) {
    predecessor_offset_[b + 1] += predecessor_offset_[b];
  }
  predecessors_.resize(successors_.size());
  std::vector<int32_t> cursor(predecessor_offset_.begin(),
                              predecessor_offset_.end() - 1);
  for (int32_t b = 0; b < blocks; ++b) {
    for (const int32_t next : successors(b)) predecessors_[cursor[next]++] = b;
  }
  rank_.assign(blocks, -1);
  RankComponents();
}

// Tarjan's algorithm (1972) with a stack of its own. Components close in
// reverse topological order, so ranks are handed out from the back.
void BlockGraph::RankComponents() {
  const int32_t blocks = num_blocks();
  std::vector<int32_t> entered(blocks, -1), low(blocks, 0),
      next_edge(blocks, 0);
  std::vector<int32_t> path, open;
  int32_t clock = 0;
  int32_t rank = blocks;
  for (int32_t root = 0; root < blocks; ++root) {
    if (entered[root] >= 0) continue;
    path.push_back(root);
    while (!path.empty()) {
      const int32_t b = path.back();
      if (entered[b] < 0) {
        entered[b] = low[b] = clock++;
        open.push_back(b);
      }
      const auto out = successors(b);
      bool descended = false;
      while (next_edge[b] < static_cast<int32_t>(out.size())) {
        const int32_t next = out[next_edge[b]];
        if (entered[next] < 0) {
          path.push_back(next);
          descended = true;
          break;  // the edge is looked at again once `next` is done
        }
        if (rank_[next] < 0) low[b] = std::min(low[b], low[next]);
        ++next_edge[b];
      }
      if (descended) continue;
      path.pop_back();
      if (low[b] != entered[b]) continue;
      --rank;
      int32_t member = -1;
      do {
        member = open.back();
        open.pop_back();
        rank_[member] = rank;
      } while (member != b);
    }
  }
}

}  // namespace berth::validation
