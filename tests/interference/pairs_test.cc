// All pairs: the sweep and the implicit half graph against brute force.
#include <cstdint>
#include <utility>
#include <vector>

#include "allocator/interference/half_graph.h"
#include "allocator/interference/sweep.h"
#include "gtest/gtest.h"
#include "tests/interference/sets.h"

namespace berth {
namespace {

template <typename Finder>
class AllPairsTest : public testing::Test {};
using Finders = testing::Types<Sweep, HalfGraph>;
TYPED_TEST_SUITE(AllPairsTest, Finders);

template <typename Finder>
std::vector<std::pair<int32_t, int32_t>> PairsOf(
    const std::vector<OwnedInterval>& set) {
  Finder finder(set);
  std::vector<std::pair<int32_t, int32_t>> pairs;
  finder.AllPairs([&](int32_t id, absl::Span<const int32_t> others) {
    for (int32_t other : others) pairs.push_back(std::minmax(id, other));
  });
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

TYPED_TEST(AllPairsTest, EverySmallSet) {
  for (int count = 0; count <= 4; ++count) {
    ForEachSmallSet(
        count, count < 4 ? 4 : 3, [&](const std::vector<OwnedInterval>& set) {
          ASSERT_EQ(PairsOf<TypeParam>(set), BruteForcePairs(set)) << Show(set);
        });
  }
}

TYPED_TEST(AllPairsTest, RandomSetsOfEveryShape) {
  for (const int32_t n : {1, 17, 64, 65, 300}) {
    for (const Shape shape : kShapes) {
      const std::vector<OwnedInterval> set =
          RandomSet(shape, n, static_cast<uint64_t>(n));
      ASSERT_EQ(PairsOf<TypeParam>(set), BruteForcePairs(set))
          << "n " << n << " shape " << static_cast<int>(shape);
    }
  }
}

TEST(HalfGraph, TheExampleOfItsHeader) {
  const std::vector<OwnedInterval> set = {
      {0, 4, 0}, {1, 2, 1}, {3, 9, 2}, {5, 6, 3}};
  const HalfGraph graph(set);
  EXPECT_EQ(Sorted(graph.Later(0)), (std::vector<int32_t>{1, 2}));
  EXPECT_TRUE(graph.Later(1).empty());
  EXPECT_EQ(Sorted(graph.Later(2)), (std::vector<int32_t>{3}));
  EXPECT_TRUE(graph.Later(3).empty());
  EXPECT_EQ(graph.pairs(), 3);
}

TEST(HalfGraph, EightBytesAnIntervalHoweverManyPairs) {
  std::vector<OwnedInterval> set;
  for (int32_t i = 0; i < 20000; ++i) set.push_back({i, 40000 - i, i});
  const HalfGraph graph(set);
  EXPECT_EQ(graph.pairs(), int64_t{20000} * 19999 / 2);
  EXPECT_EQ(graph.bytes(), 20000u * 8);
}

}  // namespace
}  // namespace berth
