// The CFG of one function as the validator's searches want it: predecessors and
// successors in flat arrays, the flat indices of each block, and the rank of
// its strongly connected component in topological order.
#ifndef BERTH_ALLOCATOR_VALIDATE_BLOCK_GRAPH_H_
#define BERTH_ALLOCATOR_VALIDATE_BLOCK_GRAPH_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "allocator/model/program.h"

namespace berth::validation {

class BlockGraph {
 public:
  // REQUIRES: successors in range. Cost: O(blocks + edges).
  explicit BlockGraph(const Function& function);

  int32_t num_blocks() const { return static_cast<int32_t>(rank_.size()); }
  int32_t num_instructions() const { return first_.back(); }
  // The block's instructions are the flat indices [first, end).
  int32_t first(int32_t block) const { return first_[block]; }
  int32_t end(int32_t block) const { return first_[block + 1]; }
  // A repeated successor stands once for each time it was listed.
  absl::Span<const int32_t> successors(int32_t block) const {
    return Slice(successors_, successor_offset_, block);
  }
  absl::Span<const int32_t> predecessors(int32_t block) const {
    return Slice(predecessors_, predecessor_offset_, block);
  }
  bool is_exit(int32_t block) const { return successors(block).empty(); }
  absl::Span<const int32_t> exits() const { return exits_; }
  // rank(a) <= rank(b) for every edge a -> b; equal within a component.
  int32_t rank(int32_t block) const { return rank_[block]; }

 private:
  static absl::Span<const int32_t> Slice(const std::vector<int32_t>& values,
                                         const std::vector<int32_t>& offset,
                                         int32_t block) {
    return absl::MakeConstSpan(values).subspan(
        offset[block], offset[block + 1] - offset[block]);
  }
  void RankComponents();

  std::vector<int32_t> first_;  // num_blocks + 1
  std::vector<int32_t> successor_offset_, successors_;
  std::vector<int32_t> predecessor_offset_, predecessors_;
  std::vector<int32_t> exits_;
  std::vector<int32_t> rank_;
};

}  // namespace berth::validation

#endif  // BERTH_ALLOCATOR_VALIDATE_BLOCK_GRAPH_H_
