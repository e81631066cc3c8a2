// The source's array: node layout, make_tree, make_max, and why it is slow.
#include "allocator/interference/node_tree.h"

#include <cstdint>
#include <vector>

#include "gtest/gtest.h"
#include "tests/interference/sets.h"

namespace berth {
namespace {

// The picture in node_tree.h.
TEST(EmissionTree, TheExampleOfItsHeader) {
  const std::vector<OwnedInterval> set = {
      {4, 5, 10}, {0, 9, 11}, {2, 3, 12}, {0, 1, 13}, {6, 7, 14}};
  const EmissionTree tree(set);
  ASSERT_EQ(tree.root(), 2);
  struct Want {
    int32_t hi, lo, max, payload, left, right;
  };
  const std::vector<Want> want = {{5, 4, 5, 10, -1, -1},
                                  {9, 0, 9, 11, 0, -1},
                                  {3, 2, 9, 12, 1, 4},
                                  {1, 0, 1, 13, -1, -1},
                                  {7, 6, 7, 14, 3, -1}};
  for (size_t i = 0; i < want.size(); ++i) {
    const NodeTree::Node& node = tree.nodes()[i];
    EXPECT_EQ(node.hi, want[i].hi) << i;
    EXPECT_EQ(node.lo, want[i].lo) << i;
    EXPECT_EQ(node.max, want[i].max) << i;
    EXPECT_EQ(node.payload, want[i].payload) << i;
    EXPECT_EQ(node.left, want[i].left) << i;
    EXPECT_EQ(node.right, want[i].right) << i;
  }
  EXPECT_EQ(tree.bytes(), 5u * 24);
}

TEST(SortedNodeTree, SortsByLoThenHiThenPayload) {
  const std::vector<OwnedInterval> set = {
      {4, 5, 1}, {0, 9, 3}, {0, 2, 4}, {0, 9, 2}};
  const SortedNodeTree tree(set);
  std::vector<int32_t> payloads;
  for (const NodeTree::Node& node : tree.nodes()) {
    payloads.push_back(node.payload);
  }
  EXPECT_EQ(payloads, (std::vector<int32_t>{4, 2, 3, 1}));
}

// Intervals one after another: the query of the first must look at all nodes in
// emission order (nothing but max prunes), at a path when sorted.
TEST(EmissionTree, VisitsAllToTheRightWhereSortingPrunes) {
  std::vector<OwnedInterval> set;
  for (int32_t i = 0; i < 1023; ++i) set.push_back({2 * i, 2 * i, i});
  EmissionTree emission(set);
  SortedNodeTree sorted(set);
  IdList ids;
  emission.Overlaps(0, 0, &ids);
  sorted.Overlaps(0, 0, &ids);
  EXPECT_EQ(ids.size(), 2u);
  EXPECT_EQ(emission.visits(), 1023);
  EXPECT_EQ(sorted.visits(), 10);
}

}  // namespace
}  // namespace berth
