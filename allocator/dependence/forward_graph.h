// The CFG of a function without its back edges: a DAG over its blocks, along
// which dependences run (spec §10). Loops are liveness's to cover (§3).
//
// Thread-safety: const use from several threads is safe.
#ifndef BERTH_ALLOCATOR_DEPENDENCE_FORWARD_GRAPH_H_
#define BERTH_ALLOCATOR_DEPENDENCE_FORWARD_GRAPH_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "allocator/model/program.h"

namespace berth {

class ForwardGraph {
 public:
  // A depth-first search from the entry, successors in order, then from every
  // block that nothing led to, in layout order, says which edges lead back:
  // those to a block that the search has not left. In a reducible CFG they are
  // the edges to loop headers, whatever the order. REQUIRES: successors in
  // range. Cost: O(blocks + edges).
  explicit ForwardGraph(const Function& function);

  // Every block once, each after all that lead to it.
  const std::vector<int32_t>& order() const { return order_; }

  // Blocks with an edge to `block` that does not lead back, each once.
  absl::Span<const int32_t> Predecessors(int32_t block) const {
    return absl::MakeConstSpan(predecessors_)
        .subspan(begins_[block], begins_[block + 1] - begins_[block]);
  }

  // Of an edge of the CFG. Cost: O(1).
  bool LeadsBack(int32_t from, int32_t to) const {
    return position_[to] <= position_[from];
  }

 private:
  void Search(const Function& function);

  std::vector<int32_t> order_;
  std::vector<int32_t> position_;  // by block: place in order_
  std::vector<size_t> begins_;     // by block, into predecessors_
  std::vector<int32_t> predecessors_;
};

}  // namespace berth

#endif  // BERTH_ALLOCATOR_DEPENDENCE_FORWARD_GRAPH_H_
