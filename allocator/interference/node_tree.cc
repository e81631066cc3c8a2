#include "allocator/interference/node_tree.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "allocator/base/check.h"

namespace berth {
namespace {

constexpr int kStackEntries = 64;

std::vector<NodeTree::Node> NodesInOrder(
    absl::Span<const OwnedInterval> intervals) {
  CheckIntervals(intervals);
  std::vector<NodeTree::Node> nodes;
  nodes.reserve(intervals.size());
  for (const OwnedInterval& i : intervals) {
    nodes.push_back({i.hi, i.lo, i.lo, i.id, -1, -1});
  }
  return nodes;
}

std::vector<NodeTree::Node> SortedNodes(
    absl::Span<const OwnedInterval> intervals) {
  std::vector<NodeTree::Node> nodes = NodesInOrder(intervals);
  std::sort(nodes.begin(), nodes.end(),
            [](const NodeTree::Node& a, const NodeTree::Node& b) {
              return std::tie(a.lo, a.hi, a.payload) <
                     std::tie(b.lo, b.hi, b.payload);
            });
  return nodes;
}

}  // namespace

NodeTree::NodeTree(std::vector<Node> nodes) : nodes_(std::move(nodes)) {
  root_ = MakeTree(0, size());
  if (root_ >= 0) MakeMax(root_);
}

// Depth is log2(n), so recursion is bounded.
int32_t NodeTree::MakeTree(int32_t lo, int32_t hi) {
  BERTH_CHECK(lo <= hi);
  if (lo == hi) return -1;
  const int32_t mid = static_cast<int32_t>((static_cast<int64_t>(lo) + hi) / 2);
  nodes_[mid].left = MakeTree(lo, mid);
  nodes_[mid].right = MakeTree(mid + 1, hi);
  return mid;
}

int32_t NodeTree::MakeMax(int32_t index) {
  Node& node = nodes_[index];
  node.max = std::max(node.max, node.hi);
  if (node.left >= 0) node.max = std::max(node.max, MakeMax(node.left));
  if (node.right >= 0) node.max = std::max(node.max, MakeMax(node.right));
  return node.max;
}

template <bool kPruneRight, typename Hit>
void NodeTree::Walk(int32_t lo, int32_t hi, Hit hit) {
  if (root_ < 0 || lo > hi) return;
  const Node* nodes = nodes_.data();
  int32_t stack[kStackEntries];
  int depth = 0;
  int64_t visits = 0;
  stack[depth++] = root_;
  while (depth > 0) {
    const Node& node = nodes[stack[--depth]];
    ++visits;
    if (lo > node.max) continue;
    if (node.left >= 0) stack[depth++] = node.left;
    if (kPruneRight && node.lo > hi) continue;
    if (node.right >= 0) stack[depth++] = node.right;
    if (node.lo <= hi && lo <= node.hi) hit(node.payload);
  }
  visits_ += visits;
}

EmissionTree::EmissionTree(absl::Span<const OwnedInterval> intervals)
    : NodeTree(NodesInOrder(intervals)), stored_(intervals) {}

void EmissionTree::Overlaps(int32_t lo, int32_t hi, IdList* out) {
  Walk<false>(lo, hi, [out](int32_t id) { out->push_back(id); });
}

absl::Status EmissionTree::OverlapsOf(int32_t index, IdList* out) {
  if (absl::Status status = CheckIndex(index, stored_); !status.ok()) {
    return status;
  }
  Overlaps(stored_[index].lo, stored_[index].hi, out);
  return absl::OkStatus();
}

int64_t EmissionTree::Count(int32_t lo, int32_t hi) {
  int64_t count = 0;
  Walk<false>(lo, hi, [&count](int32_t) { ++count; });
  return count;
}

SortedNodeTree::SortedNodeTree(absl::Span<const OwnedInterval> intervals)
    : NodeTree(SortedNodes(intervals)), stored_(intervals) {}

void SortedNodeTree::Overlaps(int32_t lo, int32_t hi, IdList* out) {
  Walk<true>(lo, hi, [out](int32_t id) { out->push_back(id); });
}

absl::Status SortedNodeTree::OverlapsOf(int32_t index, IdList* out) {
  if (absl::Status status = CheckIndex(index, stored_); !status.ok()) {
    return status;
  }
  Overlaps(stored_[index].lo, stored_[index].hi, out);
  return absl::OkStatus();
}

int64_t SortedNodeTree::Count(int32_t lo, int32_t hi) {
  int64_t count = 0;
  Walk<true>(lo, hi, [&count](int32_t) { ++count; });
  return count;
}

}  // namespace berth
