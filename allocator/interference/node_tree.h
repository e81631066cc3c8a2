// Static array interval trees of 24-byte nodes (spec §4): the source's, in
// emission order, and the same sorted.
//
// One flat array of nodes {hi, lo, max, payload, left, right}, six int32. The
// array index is the key: make_tree(lo, hi) over the half-open range takes
// mid = (lo + hi) / 2 as root and recurses, so that the tree is perfectly
// balanced the moment the array is laid out, and in-order is array order.
// make_max then sets max = max(hi, max of children) bottom-up.
//
//   index      0       1       2       3       4        make_tree(0, 5) = 2
//   [lo,hi]  [4,5]   [0,9]   [2,3]   [0,1]   [6,7]
//                      ^--------2--------^
//                 0----1                 3? no: make_tree(3, 5) = 4
//   children: 2 -> (1, 4), 1 -> (0, -), 4 -> (3, -); max(2) = 9, max(4) = 7
//
// Queries walk with an explicit stack on the machine stack (the source uses a
// deque; its blocks would be the first cost): a node leaves at most one pending
// sibling per level, so 64 entries are enough for 2^31 nodes.
//
// EmissionTree keeps nodes in the order they were emitted, which carries no
// promise on lo. A subtree is pruned only by q.lo > max; all that starts after
// q.hi is still visited, as nothing bounds lo from below. That is why it loses:
// a query visits every node whose subtree reaches q.lo, O(n) on average, at 24
// bytes and a mispredicted branch a node, while a linear scan reads 8 bytes a
// node and predicts well. O(log n + k), which the source claims, does not hold.
// It stays as the faithful reference.
//
// SortedNodeTree sorts by (lo, hi, payload); then node.lo > q.hi prunes the
// right subtree too, and O(log n + k log n) holds. What remains is pointer
// chasing one node per hit: BlockTree (block_tree.h) shows what layout adds.
//
// Cost: build O(n), sorted O(n log n); 24 bytes an interval, and where sorted.
#ifndef BERTH_ALLOCATOR_INTERFERENCE_NODE_TREE_H_
#define BERTH_ALLOCATOR_INTERFERENCE_NODE_TREE_H_

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "allocator/interference/oracle.h"
#include "allocator/model/intervals.h"

namespace berth {

// What both trees share: the array, make_tree, make_max.
class NodeTree {
 public:
  // The source's node, field for field.
  struct Node {
    int32_t hi;
    int32_t lo;
    int32_t max;
    int32_t payload;
    int32_t left;
    int32_t right;
  };
  static_assert(sizeof(Node) == 24);

  int32_t size() const { return static_cast<int32_t>(nodes_.size()); }
  uint64_t bytes() const { return nodes_.capacity() * sizeof(Node); }
  int64_t visits() const { return visits_; }
  int32_t root() const { return root_; }
  absl::Span<const Node> nodes() const { return nodes_; }

 protected:
  explicit NodeTree(std::vector<Node> nodes);

  // Calls hit(payload) for each overlap. kPruneRight: nodes are sorted by lo.
  template <bool kPruneRight, typename Hit>
  void Walk(int32_t lo, int32_t hi, Hit hit);

 private:
  int32_t MakeTree(int32_t lo, int32_t hi);
  int32_t MakeMax(int32_t index);

  std::vector<Node> nodes_;
  int32_t root_ = -1;
  int64_t visits_ = 0;
};

// The source's tree: emission order, pruned by max only.
class EmissionTree : public NodeTree {
 public:
  explicit EmissionTree(absl::Span<const OwnedInterval> intervals);

  void Overlaps(int32_t lo, int32_t hi, IdList* out);
  absl::Status OverlapsOf(int32_t index, IdList* out);
  int64_t Count(int32_t lo, int32_t hi);

 private:
  absl::Span<const OwnedInterval> stored_;
};

// The same nodes sorted by (lo, hi, payload), pruned on both sides.
class SortedNodeTree : public NodeTree {
 public:
  explicit SortedNodeTree(absl::Span<const OwnedInterval> intervals);

  void Overlaps(int32_t lo, int32_t hi, IdList* out);
  absl::Status OverlapsOf(int32_t index, IdList* out);
  int64_t Count(int32_t lo, int32_t hi);

 private:
  absl::Span<const OwnedInterval> stored_;
};

}  // namespace berth

#endif  // BERTH_ALLOCATOR_INTERFERENCE_NODE_TREE_H_
