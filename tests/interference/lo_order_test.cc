#include "allocator/interference/lo_order.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "allocator/base/rng.h"
#include "gtest/gtest.h"
#include "tests/interference/sets.h"

namespace berth {
namespace {

TEST(SortByTime, EqualsAStableSort) {
  for (const Shape shape : kShapes) {
    for (const int32_t n : {0, 1, 2, 64, 65, 3000}) {
      const std::vector<OwnedInterval> set = RandomSet(shape, n, 2);
      Uninitialized<TimeAt> items;
      for (int32_t i = 0; i < n; ++i) items.push_back({set[i].hi, i});
      Uninitialized<TimeAt> want = items;
      std::stable_sort(
          want.begin(), want.end(),
          [](const TimeAt& a, const TimeAt& b) { return a.time < b.time; });
      SortByTime(&items);
      ASSERT_TRUE(items == want) << n << " " << static_cast<int>(shape);
    }
  }
}

TEST(RankTable, EqualsUpperBound) {
  Rng rng(4);
  for (const Shape shape : kShapes) {
    for (const int32_t n : {0, 1, 2, 3, 7, 100, 2000}) {
      std::vector<int32_t> times;
      for (const OwnedInterval& i : RandomSet(shape, n, 3)) {
        times.push_back(i.lo);
      }
      std::sort(times.begin(), times.end());
      const RankTable table(times);
      std::vector<int32_t> asked = {INT32_MIN, INT32_MAX, 0};
      for (int32_t t : times) {
        for (int64_t d = -1; d <= 1; ++d) {
          asked.push_back(static_cast<int32_t>(
              std::clamp<int64_t>(t + d, INT32_MIN, INT32_MAX)));
        }
      }
      for (int32_t t : asked) {
        ASSERT_EQ(
            table.Rank(times.data(), t),
            std::upper_bound(times.begin(), times.end(), t) - times.begin())
            << n << " " << static_cast<int>(shape) << " " << t;
      }
    }
  }
}

}  // namespace
}  // namespace berth
