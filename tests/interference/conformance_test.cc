// One suite, run over every oracle (spec §4): same sets on every input.
#include <cstdint>
#include <type_traits>
#include <vector>

#include "allocator/interference/block_tree.h"
#include "allocator/interference/linear_scan.h"
#include "allocator/interference/matrix.h"
#include "allocator/interference/node_tree.h"
#include "allocator/interference/oracle.h"
#include "allocator/interference/planner_oracle.h"
#include "allocator/interference/red_black_tree.h"
#include "allocator/interference/sweep.h"
#include "allocator/interference/window_lists.h"
#include "gtest/gtest.h"
#include "tests/interference/sets.h"

namespace berth {
namespace {

template <typename Oracle>
class OracleTest : public testing::Test {
  static_assert(InterferenceOracle<Oracle>);
};

using Oracles =
    testing::Types<EmissionTree, SortedNodeTree, BlockTree, RedBlackTree,
                   Matrix, LinearScan, Sweep, WindowLists>;
TYPED_TEST_SUITE(OracleTest, Oracles);

static_assert(std::is_same_v<PlannerOracle, WindowLists>);

// Every answer of an oracle about a set, against brute force.
template <typename Oracle>
void ExpectRight(const std::vector<OwnedInterval>& set,
                 const std::vector<Interval>& queries) {
  Oracle oracle(set);
  ASSERT_EQ(oracle.size(), static_cast<int32_t>(set.size()));
  IdList ids;
  for (const Interval& q : queries) {
    const std::vector<int32_t> want = BruteForce(set, q.lo, q.hi);
    ids.clear();
    oracle.Overlaps(q.lo, q.hi, &ids);
    ASSERT_EQ(Sorted(ids), want)
        << "query [" << q.lo << "," << q.hi << "] of " << Show(set);
    ASSERT_EQ(oracle.Count(q.lo, q.hi), static_cast<int64_t>(want.size()))
        << "query [" << q.lo << "," << q.hi << "] of " << Show(set);
  }
  for (size_t i = 0; i < set.size(); ++i) {
    ids.clear();
    ASSERT_TRUE(oracle.OverlapsOf(static_cast<int32_t>(i), &ids).ok());
    ASSERT_EQ(Sorted(ids), BruteForce(set, set[i].lo, set[i].hi))
        << "index " << i << " of " << Show(set);
  }
}

TYPED_TEST(OracleTest, EverySetOfUpToThreeIntervalsOverFourTimes) {
  std::vector<Interval> queries;
  for (int lo = -1; lo <= 4; ++lo) {
    for (int hi = lo - 1; hi <= 4; ++hi) queries.push_back({lo, hi});
  }
  for (int count = 0; count <= 3; ++count) {
    ForEachSmallSet(count, 4, [&](const std::vector<OwnedInterval>& set) {
      if (!this->HasFatalFailure()) ExpectRight<TypeParam>(set, queries);
    });
  }
}

TYPED_TEST(OracleTest, EverySetOfFourIntervalsOverThreeTimes) {
  std::vector<Interval> queries;
  for (int lo = 0; lo < 3; ++lo) {
    for (int hi = lo; hi < 3; ++hi) queries.push_back({lo, hi});
  }
  ForEachSmallSet(4, 3, [&](const std::vector<OwnedInterval>& set) {
    if (!this->HasFatalFailure()) ExpectRight<TypeParam>(set, queries);
  });
}

// Sizes on both sides of vectors, blocks, levels and radix thresholds.
TYPED_TEST(OracleTest, RandomSetsOfEveryShape) {
  for (const int32_t n : {1, 2, 15, 16, 17, 63, 64, 65, 130, 1100}) {
    for (const Shape shape : kShapes) {
      const uint64_t seed = static_cast<uint64_t>(n) * 7 + 1;
      SCOPED_TRACE(testing::Message()
                   << "n " << n << " shape " << static_cast<int>(shape)
                   << " seed " << seed);
      const std::vector<OwnedInterval> set = RandomSet(shape, n, seed);
      TypeParam oracle(set);
      IdList ids;
      for (const Interval& q : QueriesFor(set, 60, seed)) {
        const std::vector<int32_t> want = BruteForce(set, q.lo, q.hi);
        ids.clear();
        oracle.Overlaps(q.lo, q.hi, &ids);
        ASSERT_EQ(Sorted(ids), want) << q.lo << " " << q.hi;
        ASSERT_EQ(oracle.Count(q.lo, q.hi), static_cast<int64_t>(want.size()));
      }
      for (int32_t i = 0; i < n; i += 1 + n / 40) {
        ids.clear();
        ASSERT_TRUE(oracle.OverlapsOf(i, &ids).ok());
        ASSERT_EQ(Sorted(ids), BruteForce(set, set[i].lo, set[i].hi)) << i;
      }
    }
  }
}

// More than one level of every tree, and more than 2^11 for the radix sort.
TYPED_TEST(OracleTest, ALargerSetOfEveryShape) {
  constexpr int32_t kN = 2600;
  for (const Shape shape : kShapes) {
    const std::vector<OwnedInterval> set = RandomSet(shape, kN, 31);
    TypeParam oracle(set);
    IdList ids;
    for (const Interval& q : QueriesFor(set, 12, 31)) {
      ids.clear();
      oracle.Overlaps(q.lo, q.hi, &ids);
      ASSERT_EQ(Sorted(ids), BruteForce(set, q.lo, q.hi))
          << "shape " << static_cast<int>(shape) << " [" << q.lo << "," << q.hi
          << "]";
    }
  }
}

TYPED_TEST(OracleTest, AppendsAndKeepsWhatWasThere) {
  const std::vector<OwnedInterval> set = {{0, 4, 7}, {2, 3, 8}, {9, 9, 9}};
  TypeParam oracle(set);
  IdList ids = {-5};
  oracle.Overlaps(3, 8, &ids);
  oracle.Overlaps(9, 9, &ids);
  ASSERT_EQ(ids.size(), 4u);
  EXPECT_EQ(ids[0], -5);
  EXPECT_EQ(Sorted(ids), (std::vector<int32_t>{-5, 7, 8, 9}));
}

TYPED_TEST(OracleTest, TouchingEndsOverlap) {
  const std::vector<OwnedInterval> set = {{0, 5, 0}, {5, 9, 1}, {6, 9, 2}};
  TypeParam oracle(set);
  IdList ids;
  ASSERT_TRUE(oracle.OverlapsOf(0, &ids).ok());
  EXPECT_EQ(Sorted(ids), (std::vector<int32_t>{0, 1}));
}

TYPED_TEST(OracleTest, AnIndexOutOfRangeIsAnErrorThatSaysSo) {
  const std::vector<OwnedInterval> set = {{0, 1, 0}, {1, 2, 1}};
  TypeParam oracle(set);
  for (const int32_t index : {-1, 2, INT32_MAX, INT32_MIN}) {
    IdList ids;
    const absl::Status status = oracle.OverlapsOf(index, &ids);
    EXPECT_EQ(status.code(), absl::StatusCode::kOutOfRange);
    EXPECT_NE(status.message().find(std::to_string(index)),
              absl::string_view::npos);
    EXPECT_TRUE(ids.empty());
  }
}

TYPED_TEST(OracleTest, OrderAndVisitsDependOnTheInputOnly) {
  const std::vector<OwnedInterval> set = RandomSet(Shape::kMixed, 700, 5);
  TypeParam a(set);
  TypeParam b(set);
  IdList from_a;
  IdList from_b;
  for (int32_t i = 0; i < 700; ++i) {
    ASSERT_TRUE(a.OverlapsOf(i, &from_a).ok());
    ASSERT_TRUE(b.OverlapsOf(i, &from_b).ok());
  }
  EXPECT_EQ(from_a, from_b);
  EXPECT_EQ(a.visits(), b.visits());
  EXPECT_GT(a.visits(), 0);
  EXPECT_EQ(a.bytes(), b.bytes());
  EXPECT_GT(a.bytes(), 0u);
}

TYPED_TEST(OracleTest, AnEmptySetAnswersNothing) {
  TypeParam oracle(absl::Span<const OwnedInterval>{});
  IdList ids;
  oracle.Overlaps(INT32_MIN, INT32_MAX, &ids);
  EXPECT_TRUE(ids.empty());
  EXPECT_EQ(oracle.Count(0, 0), 0);
  EXPECT_EQ(oracle.size(), 0);
}

template <typename Oracle>
class OracleDeathTest : public testing::Test {};
TYPED_TEST_SUITE(OracleDeathTest, Oracles);

TYPED_TEST(OracleDeathTest, AnIntervalThatEndsBeforeItStartsIsOurBug) {
  const std::vector<OwnedInterval> set = {{3, 2, 0}};
  EXPECT_DEATH(TypeParam oracle(set), "lo <= ");
}

}  // namespace
}  // namespace berth
