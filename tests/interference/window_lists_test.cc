// What WindowLists promises beyond the oracle concept: bytes, work, runs.
#include "allocator/interference/window_lists.h"

#include <cstdint>
#include <vector>

#include "gtest/gtest.h"
#include "tests/interference/sets.h"

namespace berth {
namespace {

TEST(WindowLists, RunsAreTheAnswerWithoutACopy) {
  for (const Shape shape : kShapes) {
    const std::vector<OwnedInterval> set = RandomSet(shape, 900, 4);
    WindowLists oracle(set);
    IdList scratch;
    for (const Interval& q : QueriesFor(set, 200, 8)) {
      const OverlapRuns runs = oracle.Runs(q.lo, q.hi, &scratch);
      std::vector<int32_t> ids(runs.alive.begin(), runs.alive.end());
      ids.insert(ids.end(), runs.started.begin(), runs.started.end());
      ids.insert(ids.end(), runs.recent.begin(), runs.recent.end());
      ASSERT_EQ(Sorted(ids), BruteForce(set, q.lo, q.hi))
          << "shape " << static_cast<int>(shape) << " [" << q.lo << "," << q.hi
          << "]";
    }
  }
}

// Two lists, kScan, and a whole window where it is short.
constexpr int64_t kConstant = 100;

// W3: however intervals nest, a query looks at no more than about it reports.
TEST(WindowLists, WorkIsBoundedByTheAnswer) {
  for (const Shape shape : kShapes) {
    const std::vector<OwnedInterval> set = RandomSet(shape, 5000, 6);
    WindowLists oracle(set);
    EXPECT_LE(oracle.list_entries(), 5000 * 4 / 3 + kConstant);
    for (const Interval& q : QueriesFor(set, 300, 2)) {
      IdList ids;
      const int64_t before = oracle.visits();
      oracle.Overlaps(q.lo, q.hi, &ids);
      EXPECT_LE(oracle.visits() - before,
                static_cast<int64_t>(ids.size()) + kConstant);
    }
  }
}

// A tower that dies away without any start: windows close on deaths.
TEST(WindowLists, TheFarFlankOfATowerCostsItsAnswerOnly) {
  std::vector<OwnedInterval> set;
  constexpr int32_t kN = 20000;
  for (int32_t i = 0; i < kN; ++i) set.push_back({i, 2 * kN - i, i});
  WindowLists oracle(set);
  for (const int32_t t : {2 * kN, 2 * kN - 10, 2 * kN - 700, kN + 1}) {
    IdList ids;
    const int64_t before = oracle.visits();
    oracle.Overlaps(t, t, &ids);
    EXPECT_EQ(ids.size(), static_cast<size_t>(std::min(kN, 2 * kN - t + 1)));
    EXPECT_LE(oracle.visits() - before,
              static_cast<int64_t>(ids.size()) + kConstant);
  }
}

TEST(WindowLists, AtMostTwentyFourBytesAnInterval) {
  for (const Shape shape : kShapes) {
    const int32_t n = 30000;
    WindowLists oracle(RandomSet(shape, n, 5));
    EXPECT_LE(oracle.bytes(), uint64_t{n} * 24 + 1024)
        << static_cast<int>(shape);
  }
}

}  // namespace
}  // namespace berth
