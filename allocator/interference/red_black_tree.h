// The textbook interval tree (spec §4): a red-black tree of nodes keyed by
// (lo, hi, stored index), each with the greatest hi of its subtree. The pointer
// structure that the source argues against; really balanced, with insert and
// erase, which the static trees do not offer.
//
// Invariants, checked by CheckInvariants():
//   R1 in-order keys ascend strictly
//   R2 the root is black; a red node has black children
//   R3 every path from a node to a leaf has the same number of black nodes
//   R4 max = max(hi, max of the children)
//   R5 parent pointers are the inverse of child pointers
//
// Cost: insert and erase O(log n), query O(log n + k log n) at worst; 48 bytes
// an interval. Reference: Cormen et al., Introduction to Algorithms, 13
// and 14.3.
#ifndef BERTH_ALLOCATOR_INTERFERENCE_RED_BLACK_TREE_H_
#define BERTH_ALLOCATOR_INTERFERENCE_RED_BLACK_TREE_H_

#include <cstdint>
#include <deque>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "allocator/interference/oracle.h"

namespace berth {

class RedBlackTree {
 public:
  explicit RedBlackTree(absl::Span<const OwnedInterval> intervals);
  RedBlackTree(const RedBlackTree&) = delete;
  RedBlackTree& operator=(const RedBlackTree&) = delete;

  // Adds an interval; its stored index is the number of inserts before it.
  int32_t Insert(const OwnedInterval& interval);
  // Takes a stored interval out. False if there is none of that index (any
  // more). Its index is not used again.
  bool Erase(int32_t index);

  void Overlaps(int32_t lo, int32_t hi, IdList* out);
  // Also kOutOfRange if the interval has been erased.
  absl::Status OverlapsOf(int32_t index, IdList* out);
  int64_t Count(int32_t lo, int32_t hi);

  // Stored now.
  int32_t size() const { return size_; }
  uint64_t bytes() const { return nodes_.size() * sizeof(Node); }
  int64_t visits() const { return visits_; }

  // R1 to R5. O(n).
  bool CheckInvariants() const;

 private:
  struct Node {
    int32_t lo = 0;
    int32_t hi = 0;
    int32_t max = INT32_MIN;
    int32_t id = 0;
    Node* left = nullptr;
    Node* right = nullptr;
    Node* parent = nullptr;  // null: not in the tree
    int32_t index = 0;
    bool red = false;
  };

  static bool Before(const Node& a, const Node& b);
  void FixMax(Node* node);
  void FixMaxUp(Node* node);
  void RotateLeft(Node* x);
  void RotateRight(Node* x);
  void FixInsert(Node* node);
  void FixErase(Node* x);
  // Puts `v` where `u` was, for u's parent.
  void Transplant(Node* u, Node* v);
  // Black height of the subtree, -1 if an invariant is broken.
  int BlackHeight(const Node* node, const Node** previous) const;

  template <typename Hit>
  void Walk(int32_t lo, int32_t hi, Hit hit);

  Node nil_;  // black, its own children; parent is scratch (as in the book)
  Node* root_ = &nil_;
  std::deque<Node> nodes_;  // by stored index; never moved
  int32_t size_ = 0;
  int64_t visits_ = 0;
};

}  // namespace berth

#endif  // BERTH_ALLOCATOR_INTERFERENCE_RED_BLACK_TREE_H_
