#include "allocator/placement/order.h"

#include <cstdint>
#include <vector>

#include "allocator/base/rng.h"
#include "gtest/gtest.h"
#include "tests/placement/random_problem.h"

namespace berth {
namespace {

using Order = std::vector<int32_t>;

// a [0,3] w 4, b [1,1] w 2, c [2,4] w 3, d [5,5] w 9. L = 9 = K (d alone).
// Pressures: a 2+3=5, b 4, c 4, d 0. All are low (a 9, b 6, c 7, d 9).
// Least (pressure, w): d (0). Then b (4, 2), c (4, 3), a (5). Pushing b leaves
// a at 3 and c at 4: a goes before c.
TEST(Order, WorkedByHandAllLow) {
  const Problem p = SimpleProblem({{0, 3, 4}, {1, 1, 2}, {2, 4, 3}, {5, 5, 9}});
  EXPECT_EQ(ReferenceOrder(p).pushed, (Order{3, 1, 0, 2}));
  EXPECT_EQ(BriggsOrder(p).pushed, (Order{3, 1, 0, 2}));
}

// long [0,9] w 5; s0 [0,0] 5, s1 [3,3] 5, s2 [9,9] 4. L = K = 10.
// pressure(long) = 14, 19 > 10: not low. s0, s1 5+5 low, s2 5+4 low.
// Least (pressure, w, id): s2 (5,4), then long has 10, 15 > 10 still; s0 (5,5),
// long 5+5 = 10 low with pressure 5, w 5, id 0; s1 has (5,5,2): long first.
TEST(Order, ANodeBecomesLowAsNeighboursLeave) {
  const Problem p = SimpleProblem({{0, 9, 5}, {0, 0, 5}, {3, 3, 5}, {9, 9, 4}});
  EXPECT_EQ(ReferenceOrder(p).pushed, (Order{3, 1, 0, 2}));
  EXPECT_EQ(BriggsOrder(p).pushed, (Order{3, 1, 0, 2}));
}

// With a window of 6 bytes K is 6 < L = 8: none of the three 4-byte nodes that
// meet is low; the least hi_ratio goes first (4*1, then the others are low).
TEST(Order, WithoutLowNodesTheLeastHiRatioGoes) {
  Problem p = SimpleProblem({{0, 3, 4}, {2, 2, 4}, {1, 3, 1}});
  p.ceiling = 6;
  // pressures 5, 5, 8. low: 9 > 6, 9 > 6, 9 > 6. hi_ratio 16, 4, 3: node 2.
  // Then pressures 4, 4: 8 > 6 both; hi_ratio 16, 4: node 1; then node 0.
  EXPECT_EQ(ReferenceOrder(p).pushed, (Order{2, 1, 0}));
  EXPECT_EQ(BriggsOrder(p).pushed, (Order{2, 1, 0}));
}

TEST(Order, PinnedNeighboursCountNowhere) {
  Problem p = SimpleProblem({{0, 3, 4}, {1, 1, 2}});
  const Order before = BriggsOrder(p).pushed;
  AddPin(p, {{0, 3}}, 0, 1000);
  EXPECT_EQ(BriggsOrder(p).pushed, before);
  EXPECT_EQ(ReferenceOrder(p).pushed, before);
}

TEST(Order, EmptyProblem) {
  EXPECT_TRUE(BriggsOrder(Problem()).pushed.empty());
  EXPECT_TRUE(ReferenceOrder(Problem()).pushed.empty());
}

// I7: identical orders on every input.
TEST(Order, ReferenceAndBriggsAgreeOnRandomProblems) {
  for (uint64_t seed = 0; seed < 4000; ++seed) {
    Rng rng(seed);
    RandomProblemOptions options;
    options.tight_ceiling = true;
    options.max_nodes = seed % 10 == 0 ? 150 : 14;
    options.max_times = seed % 3 == 0 ? 4 : seed % 10 == 0 ? 80 : 14;
    options.max_size = seed % 4 == 0 ? 3 : 50;
    options.max_runs = seed % 2 == 0 ? 1 : 4;
    options.size_unit = seed % 5 == 0 ? uint64_t{1} << 57 : 1;
    const Problem p = RandomProblem(options, rng);
    ASSERT_TRUE(CheckProblem(p).ok()) << "seed " << seed;
    ASSERT_EQ(ReferenceOrder(p).pushed, BriggsOrder(p).pushed)
        << "seed " << seed;
  }
}

// Two nodes of equal runs and sizes differ by id alone.
TEST(Order, TiesGoById) {
  const Problem p = SimpleProblem({{0, 1, 3}, {0, 1, 3}, {0, 1, 3}});
  EXPECT_EQ(BriggsOrder(p).pushed, (Order{0, 1, 2}));
  EXPECT_EQ(ReferenceOrder(p).pushed, (Order{0, 1, 2}));
}

}  // namespace
}  // namespace berth
