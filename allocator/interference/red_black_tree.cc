#include "allocator/interference/red_black_tree.h"

#include <algorithm>
#include <tuple>

#include "absl/strings/str_cat.h"
#include "allocator/base/check.h"
#include "allocator/base/int_math.h"

namespace berth {
namespace {

// A path has at most 2 log2(n + 1) nodes, and a walk leaves one sibling pending
// per level.
constexpr int kStackEntries = 128;

}  // namespace

RedBlackTree::RedBlackTree(absl::Span<const OwnedInterval> intervals) {
  CheckIntervals(intervals);
  nil_.left = nil_.right = nil_.parent = &nil_;
  for (const OwnedInterval& interval : intervals) Insert(interval);
}

bool RedBlackTree::Before(const Node& a, const Node& b) {
  return std::tie(a.lo, a.hi, a.index) < std::tie(b.lo, b.hi, b.index);
}

void RedBlackTree::FixMax(Node* node) {
  node->max = std::max({node->hi, node->left->max, node->right->max});
}

void RedBlackTree::FixMaxUp(Node* node) {
  for (; node != &nil_; node = node->parent) FixMax(node);
}

void RedBlackTree::RotateLeft(Node* x) {
  Node* y = x->right;
  x->right = y->left;
  if (y->left != &nil_) y->left->parent = x;
  Transplant(x, y);
  y->left = x;
  x->parent = y;
  y->max = x->max;
  FixMax(x);
}

void RedBlackTree::RotateRight(Node* x) {
  Node* y = x->left;
  x->left = y->right;
  if (y->right != &nil_) y->right->parent = x;
  Transplant(x, y);
  y->right = x;
  x->parent = y;
  y->max = x->max;
  FixMax(x);
}

void RedBlackTree::Transplant(Node* u, Node* v) {
  if (u->parent == &nil_) {
    root_ = v;
  } else if (u == u->parent->left) {
    u->parent->left = v;
  } else {
    u->parent->right = v;
  }
  v->parent = u->parent;
}

int32_t RedBlackTree::Insert(const OwnedInterval& interval) {
  BERTH_CHECK(interval.lo <= interval.hi);
  BERTH_CHECK(static_cast<int64_t>(nodes_.size()) < kMaxCount);
  const int32_t index = static_cast<int32_t>(nodes_.size());
  Node* node = &nodes_.emplace_back();
  *node = {interval.lo, interval.hi, interval.hi, interval.id, &nil_,
           &nil_,       &nil_,       index,       true};
  Node* parent = &nil_;
  bool left = false;
  for (Node* x = root_; x != &nil_; x = left ? x->left : x->right) {
    parent = x;
    x->max = std::max(x->max, node->hi);
    left = Before(*node, *x);
  }
  node->parent = parent;
  if (parent == &nil_) {
    root_ = node;
  } else {
    (left ? parent->left : parent->right) = node;
  }
  FixInsert(node);
  ++size_;
  return index;
}

void RedBlackTree::FixInsert(Node* node) {
  while (node->parent->red) {
    Node* parent = node->parent;
    Node* grand = parent->parent;
    const bool parent_is_left = parent == grand->left;
    Node* uncle = parent_is_left ? grand->right : grand->left;
    if (uncle->red) {
      parent->red = uncle->red = false;
      grand->red = true;
      node = grand;
      continue;
    }
    if (parent_is_left) {
      if (node == parent->right) {
        RotateLeft(parent);
        parent = node;
      }
      parent->red = false;
      grand->red = true;
      RotateRight(grand);
    } else {
      if (node == parent->left) {
        RotateRight(parent);
        parent = node;
      }
      parent->red = false;
      grand->red = true;
      RotateLeft(grand);
    }
    break;
  }
  root_->red = false;
}

bool RedBlackTree::Erase(int32_t index) {
  if (index < 0 || static_cast<size_t>(index) >= nodes_.size()) return false;
  Node* z = &nodes_[static_cast<size_t>(index)];
  if (z->parent == nullptr) return false;
  Node* x = nullptr;  // moves into the freed place
  bool removed_black = !z->red;
  if (z->left == &nil_ || z->right == &nil_) {
    x = z->left == &nil_ ? z->right : z->left;
    Transplant(z, x);
    FixMaxUp(x->parent);
  } else {
    Node* y = z->right;  // z's successor takes z's place and colour
    while (y->left != &nil_) y = y->left;
    removed_black = !y->red;
    x = y->right;
    if (y->parent == z) {
      x->parent = y;  // nil's parent counts in FixErase
    } else {
      Transplant(y, x);
      y->right = z->right;
      y->right->parent = y;
    }
    Transplant(z, y);
    y->left = z->left;
    y->left->parent = y;
    y->red = z->red;
    FixMaxUp(x->parent);
  }
  if (removed_black) FixErase(x);
  z->parent = nullptr;
  --size_;
  return true;
}

void RedBlackTree::FixErase(Node* x) {
  while (x != root_ && !x->red) {
    Node* parent = x->parent;
    const bool x_is_left = x == parent->left;
    const auto toward = [&](Node* n) {
      x_is_left ? RotateLeft(n) : RotateRight(n);
    };
    const auto away = [&](Node* n) {
      x_is_left ? RotateRight(n) : RotateLeft(n);
    };
    Node* sibling = x_is_left ? parent->right : parent->left;
    if (sibling->red) {
      sibling->red = false;
      parent->red = true;
      toward(parent);
      sibling = x_is_left ? parent->right : parent->left;
    }
    Node* near = x_is_left ? sibling->left : sibling->right;
    Node* far = x_is_left ? sibling->right : sibling->left;
    if (!near->red && !far->red) {
      sibling->red = true;
      x = parent;
      continue;
    }
    if (!far->red) {
      near->red = false;
      sibling->red = true;
      away(sibling);
      sibling = near;
      far = x_is_left ? sibling->right : sibling->left;
    }
    sibling->red = parent->red;
    parent->red = false;
    far->red = false;
    toward(parent);
    x = root_;
  }
  x->red = false;
}

template <typename Hit>
void RedBlackTree::Walk(int32_t lo, int32_t hi, Hit hit) {
  // Worth a visit: a real node (nil's max is a time, too) that reaches lo.
  const auto reaches = [this, lo](const Node* node) {
    return node->max >= lo && node != &nil_;
  };
  if (lo > hi || !reaches(root_)) return;
  const Node* stack[kStackEntries];
  int depth = 0;
  int64_t visits = 0;
  stack[depth++] = root_;
  while (depth > 0) {
    const Node* node = stack[--depth];
    ++visits;
    if (reaches(node->left)) stack[depth++] = node->left;
    if (node->lo > hi) continue;
    if (reaches(node->right)) stack[depth++] = node->right;
    if (lo <= node->hi) hit(node->id);
  }
  visits_ += visits;
}

void RedBlackTree::Overlaps(int32_t lo, int32_t hi, IdList* out) {
  Walk(lo, hi, [out](int32_t id) { out->push_back(id); });
}

absl::Status RedBlackTree::OverlapsOf(int32_t index, IdList* out) {
  if (index < 0 || static_cast<size_t>(index) >= nodes_.size() ||
      nodes_[static_cast<size_t>(index)].parent == nullptr) {
    return absl::OutOfRangeError(
        absl::StrCat("stored interval ", index, " does not exist"));
  }
  const Node& node = nodes_[static_cast<size_t>(index)];
  Overlaps(node.lo, node.hi, out);
  return absl::OkStatus();
}

int64_t RedBlackTree::Count(int32_t lo, int32_t hi) {
  int64_t count = 0;
  Walk(lo, hi, [&count](int32_t) { ++count; });
  return count;
}

bool RedBlackTree::CheckInvariants() const {
  const Node* previous = nullptr;
  return !root_->red && !nil_.red && nil_.max == INT32_MIN &&
         root_->parent == &nil_ && BlackHeight(root_, &previous) >= 0;
}

int RedBlackTree::BlackHeight(const Node* node, const Node** previous) const {
  if (node == &nil_) return 0;
  const int left = BlackHeight(node->left, previous);
  const bool ascends = *previous == nullptr || Before(**previous, *node);
  *previous = node;
  const int right = BlackHeight(node->right, previous);
  const bool linked = (node->left == &nil_ || node->left->parent == node) &&
                      (node->right == &nil_ || node->right->parent == node);
  const bool coloured = !node->red || (!node->left->red && !node->right->red);
  const bool maxed =
      node->max == std::max({node->hi, node->left->max, node->right->max});
  if (left < 0 || left != right || !ascends || !linked || !coloured || !maxed) {
    return -1;
  }
  return left + (node->red ? 0 : 1);
}

}  // namespace berth
