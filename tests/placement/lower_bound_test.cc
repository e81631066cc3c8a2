// Lower bounds: each kind where it binds, and none above what is possible.
#include "allocator/placement/lower_bound.h"

#include <cstdint>
#include <optional>

#include "allocator/base/rng.h"
#include "allocator/placement/problem.h"
#include "gtest/gtest.h"
#include "tests/placement/placement_check.h"
#include "tests/placement/random_problem.h"

namespace berth {
namespace {

TEST(LowerBound, MaxLoad) {
  Problem problem = SimpleProblem({{0, 3, 4}, {2, 5, 6}, {4, 8, 5}});
  problem.floor = problem.cc_end = 100;
  const LowerBound bound = BestLowerBound(problem);
  EXPECT_EQ(bound.peak_bytes, 111u);
  EXPECT_EQ(Name(bound.kind), "load");
  EXPECT_EQ(bound.time, 4);
}

TEST(LowerBound, NoNodes) {
  const LowerBound bound = BestLowerBound(Problem());
  EXPECT_EQ(bound.peak_bytes, 0u);
  EXPECT_EQ(bound.time, -1);
}

// 5 + 5 + 5 bytes on multiples of 8: 8 + 8 + 5.
TEST(LowerBound, AlignmentLosesBytesBetweenNodes) {
  Problem problem;
  for (int i = 0; i < 3; ++i) AddNode(problem, {{0, 1}}, 5, 8);
  problem.ceiling = 1000;
  const LowerBound bound = BestLowerBound(problem);
  EXPECT_EQ(bound.peak_bytes, 21u);
  EXPECT_EQ(Name(bound.kind), "aligned");
  EXPECT_EQ(BruteForcePeak(problem), 21u);
}

// Around 4..10 there are 4 bytes below, which no node of 5 can use.
TEST(LowerBound, PinsTakeTheirBytesAndSmallGaps) {
  Problem problem = SimpleProblem({{0, 3, 5}, {2, 6, 5}});
  AddPin(problem, {{1, 4}}, 4, 10);
  const LowerBound bound = BestLowerBound(problem);
  EXPECT_EQ(bound.peak_bytes, 20u);
  EXPECT_EQ(Name(bound.kind), "pins");
  problem.ceiling = 1000;
  EXPECT_EQ(BruteForcePeak(problem), 20u);
}

TEST(LowerBound, OneNodeAmongPins) {
  Problem problem = SimpleProblem({{0, 9, 5}, {0, 0, 1}});
  AddPin(problem, {{1, 1}}, 3, 6);
  AddPin(problem, {{7, 7}}, 8, 20);
  const LowerBound bound = BestLowerBound(problem);
  EXPECT_EQ(bound.peak_bytes, 25u);
  EXPECT_EQ(Name(bound.kind), "node");
  EXPECT_EQ(bound.node, 0);
}

TEST(LowerBound, MoreThanHalfAPageNeedsItsOwn) {
  Problem problem;
  for (int i = 0; i < 3; ++i) AddNode(problem, {{0, 1}}, 5);
  problem.page_bytes = 8;
  problem.ceiling = 1000;
  const LowerBound bound = BestLowerBound(problem);
  EXPECT_EQ(bound.peak_bytes, 21u);
  EXPECT_EQ(Name(bound.kind), "pages");
  EXPECT_EQ(BruteForcePeak(problem), 21u);
}

TEST(LowerBound, NeverAboveTheBestPlacement) {
  for (uint64_t seed = 0; seed < 1500; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Rng rng(seed);
    RandomProblemOptions options;
    options.max_nodes = 5;
    options.regions = false;
    options.max_pins = seed % 4;
    options.page_bytes = seed % 2 == 0 ? 1 : 8;
    options.tight_ceiling = seed % 4 == 0;
    const Problem problem = RandomProblem(options, rng);
    const std::optional<uint64_t> best = BruteForcePeak(problem);
    if (!best.has_value()) continue;
    ASSERT_LE(BestLowerBound(problem).peak_bytes, *best) << ToString(problem);
  }
}

TEST(LowerBound, LoadsBeyond64Bits) {
  const uint64_t most = ~uint64_t{0} / 4;
  Problem problem;
  for (int i = 0; i < 9; ++i) AddNode(problem, {{0, 1}}, most);
  problem.ceiling = ~uint64_t{0};
  EXPECT_EQ(BestLowerBound(problem).peak_bytes, uint128{most} * 9);
}

}  // namespace
}  // namespace berth
