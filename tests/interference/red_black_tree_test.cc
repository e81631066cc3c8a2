// The red-black tree's own promises: balance, order and max after any mixture
// of inserts and erases, and the right answers in between.
#include "allocator/interference/red_black_tree.h"

#include <cstdint>
#include <vector>

#include "allocator/base/rng.h"
#include "gtest/gtest.h"
#include "tests/interference/sets.h"

namespace berth {
namespace {

std::vector<int32_t> Ask(RedBlackTree* tree, int32_t lo, int32_t hi) {
  IdList ids;
  tree->Overlaps(lo, hi, &ids);
  return Sorted(ids);
}

// Every order of erasing from every tree of up to seven nodes (one insertion
// order per size; shapes differ by what has been erased).
TEST(RedBlackTree, EveryEraseOrderOfSevenKeepsInvariants) {
  std::vector<int32_t> order = {0, 1, 2, 3, 4, 5, 6};
  const std::vector<OwnedInterval> set = {{3, 9, 0}, {1, 2, 1}, {5, 5, 2},
                                          {0, 7, 3}, {2, 4, 4}, {6, 8, 5},
                                          {4, 4, 6}};
  do {
    RedBlackTree tree(set);
    std::vector<OwnedInterval> left = set;
    for (int32_t index : order) {
      ASSERT_TRUE(tree.Erase(index));
      std::erase_if(left,
                    [index](const OwnedInterval& i) { return i.id == index; });
      ASSERT_TRUE(tree.CheckInvariants());
      ASSERT_EQ(Ask(&tree, 4, 5), BruteForce(left, 4, 5));
    }
    ASSERT_EQ(tree.size(), 0);
  } while (std::next_permutation(order.begin(), order.end()));
}

TEST(RedBlackTree, RandomInsertsAndErases) {
  for (const Shape shape : kShapes) {
    const std::vector<OwnedInterval> all = RandomSet(shape, 800, 3);
    RedBlackTree tree({});
    std::vector<OwnedInterval> stored;  // ids are stored indices
    Rng rng(17);
    for (int step = 0; step < 2000; ++step) {
      if (!stored.empty() && rng.OneIn(2)) {
        const size_t victim = rng.Below(stored.size());
        ASSERT_TRUE(tree.Erase(stored[victim].id));
        ASSERT_FALSE(tree.Erase(stored[victim].id));
        stored.erase(stored.begin() + static_cast<int64_t>(victim));
      } else {
        const OwnedInterval& next = all[rng.Below(all.size())];
        const int32_t index =
            tree.Insert({next.lo, next.hi, static_cast<int32_t>(step)});
        stored.push_back({next.lo, next.hi, index});
      }
      if (step % 50 != 0) continue;
      ASSERT_TRUE(tree.CheckInvariants()) << step;
      ASSERT_EQ(tree.size(), static_cast<int32_t>(stored.size()));
      for (const Interval& q : QueriesFor(stored, 12, 9)) {
        ASSERT_EQ(tree.Count(q.lo, q.hi),
                  static_cast<int64_t>(BruteForce(stored, q.lo, q.hi).size()));
      }
    }
  }
}

// Ascending inserts make a list of an unbalanced tree.
TEST(RedBlackTree, AscendingInsertsStayBalanced) {
  std::vector<OwnedInterval> set;
  for (int32_t i = 0; i < (1 << 16); ++i) set.push_back({i, i, i});
  RedBlackTree tree(set);
  EXPECT_TRUE(tree.CheckInvariants());
  const int64_t before = tree.visits();
  EXPECT_EQ(tree.Count(1 << 15, 1 << 15), 1);
  EXPECT_LE(tree.visits() - before, 2 * 17);
}

TEST(RedBlackTree, AnErasedIntervalIsNotFoundAndCannotBeAsked) {
  RedBlackTree tree({});
  EXPECT_EQ(tree.Insert({0, 9, 5}), 0);
  EXPECT_EQ(tree.Insert({4, 4, 6}), 1);
  EXPECT_TRUE(tree.Erase(0));
  EXPECT_EQ(Ask(&tree, 0, 9), std::vector<int32_t>{6});
  IdList ids;
  EXPECT_EQ(tree.OverlapsOf(0, &ids).code(), absl::StatusCode::kOutOfRange);
  EXPECT_TRUE(tree.OverlapsOf(1, &ids).ok());
  EXPECT_FALSE(tree.Erase(-1));
  EXPECT_FALSE(tree.Erase(2));
}

}  // namespace
}  // namespace berth
