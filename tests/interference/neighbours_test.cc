#include "allocator/interference/neighbours.h"

#include <algorithm>
#include <cstdint>
#include <set>
#include <vector>

#include "allocator/interference/linear_scan.h"
#include "allocator/interference/planner_oracle.h"
#include "gtest/gtest.h"
#include "tests/interference/sets.h"

namespace berth {
namespace {

// A and B meet twice; C meets A once; D nobody.
IntervalTable Example() {
  IntervalTable table;
  const std::vector<std::vector<Interval>> owners = {
      {{0, 2}, {6, 9}}, {{1, 1}, {8, 8}}, {{9, 12}}, {{20, 20}}};
  for (const std::vector<Interval>& owner : owners) table.Append(owner);
  return table;
}

TEST(Neighbours, EachOnceAndNotItself) {
  const IntervalTable table = Example();
  const std::vector<OwnedInterval> owned = OwnedOf(table);
  PlannerOracle oracle(owned);
  Neighbours neighbours(table.size());
  IdList ids;
  neighbours.Of(table.of(0), 0, &oracle, &ids);
  EXPECT_EQ(Sorted(ids), (std::vector<int32_t>{1, 2}));
  ids.clear();
  neighbours.Of(table.of(3), 3, &oracle, &ids);
  EXPECT_TRUE(ids.empty());
}

TEST(Neighbours, RandomTablesAgainstAllPairsOfIntervals) {
  Rng rng(11);
  for (int round = 0; round < 30; ++round) {
    IntervalTable table;
    const int32_t owners = 1 + static_cast<int32_t>(rng.Below(60));
    for (int32_t owner = 0; owner < owners; ++owner) {
      std::vector<Interval> intervals;
      int32_t t = static_cast<int32_t>(rng.Below(40));
      for (uint64_t i = 1 + rng.Below(4); i > 0; --i) {
        const int32_t hi = t + static_cast<int32_t>(rng.Below(6));
        intervals.push_back({t, hi});
        t = hi + 2 + static_cast<int32_t>(rng.Below(5));
      }
      table.Append(intervals);
    }
    const std::vector<OwnedInterval> owned = OwnedOf(table);
    PlannerOracle fast(owned);
    LinearScan plain(owned);
    Neighbours a(owners);
    Neighbours b(owners);
    for (int32_t owner = 0; owner < owners; ++owner) {
      std::set<int32_t> want;
      for (const Interval& mine : table.of(owner)) {
        for (const OwnedInterval& other : owned) {
          if (other.id != owner && Overlap(mine, {other.lo, other.hi})) {
            want.insert(other.id);
          }
        }
      }
      IdList from_fast;
      IdList from_plain;
      a.Of(table.of(owner), owner, &fast, &from_fast);
      b.Of(table.of(owner), owner, &plain, &from_plain);
      const std::vector<int32_t> sorted(want.begin(), want.end());
      ASSERT_EQ(Sorted(from_fast), sorted) << "round " << round;
      ASSERT_EQ(Sorted(from_plain), sorted) << "round " << round;
    }
  }
}

}  // namespace
}  // namespace berth
