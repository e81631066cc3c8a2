// The parts of WindowFirstFit, each against the obvious.
#include <cstdint>
#include <set>
#include <vector>

#include "allocator/base/rng.h"
#include "allocator/model/intervals.h"
#include "allocator/placement/range_set.h"
#include "allocator/placement/time_windows.h"
#include "allocator/placement/timed_list.h"
#include "gtest/gtest.h"
#include "tests/placement/random_problem.h"

namespace berth {
namespace {

// The lowest x >= from with `size` free bytes in `taken`, above whose end all
// is free.
uint64_t PlainNextGap(const std::vector<bool>& taken, uint64_t from,
                      uint64_t size) {
  uint64_t x = from;
  for (uint64_t i = from; i < taken.size() && i < x + size; ++i) {
    if (taken[i]) x = i + 1;
  }
  return x;
}

template <typename Set>
class RangeSetTest : public testing::Test {};
using Sets = testing::Types<RangeSet<uint32_t>, RangeSet<uint64_t>,
                            RangeSet<uint32_t, 4>, RangeSet<uint64_t, 2>>;
TYPED_TEST_SUITE(RangeSetTest, Sets);

template <typename Address>
class TimedListTest : public testing::Test {};
using Addresses = testing::Types<uint32_t, uint64_t>;
TYPED_TEST_SUITE(TimedListTest, Addresses);

TYPED_TEST(RangeSetTest, EqualsABitPerAddress) {
  for (uint64_t seed = 1; seed <= 6; ++seed) {
    Rng rng(seed);
    const uint64_t space = seed % 2 == 0 ? 200 : 6000;  // few or many chunks
    const uint64_t longest = seed % 3 == 0 ? 40 : 3;
    TypeParam set;
    std::vector<bool> taken(space, false);
    uint64_t visits = 0;
    for (int step = 0; step < 12'000; ++step) {
      const uint64_t lo = rng.Below(space - longest);
      const uint64_t hi = lo + 1 + rng.Below(longest);
      if (rng.OneIn(3)) {
        // Only what is there may be erased.
        uint64_t end = lo;
        while (end < hi && taken[end]) taken[end++] = false;
        if (end > lo) set.Erase(lo, end);
      } else {
        set.Insert(lo, hi);
        for (uint64_t i = lo; i < hi; ++i) taken[i] = true;
      }
      const uint64_t from = rng.OneIn(3) ? 0 : rng.Below(space + 10);
      const uint64_t size = 1 + rng.Below(rng.OneIn(2) ? 4 : 60);
      ASSERT_EQ(set.NextGap(from, size, visits),
                PlainNextGap(taken, from, size))
          << "seed " << seed << " step " << step;
    }
  }
}

// A range put below the first of its chunk brings a gap that no other chunk
// answers for: first fit once walked past it.
TYPED_TEST(RangeSetTest, GapsOfRangesThatComeFromTheTopDown) {
  constexpr uint64_t kRanges = 1000;  // several chunks
  constexpr uint64_t kWide = 400;     // a gap of 5 after this one, else of 1
  TypeParam set;
  uint64_t visits = 0;
  for (uint64_t i = kRanges; i-- > 0;) {
    set.Insert(10 * i, 10 * i + (i == kWide ? 5 : 9));
  }
  EXPECT_EQ(set.NextGap(0, 5, visits), 10 * kWide + 5);
  EXPECT_EQ(set.NextGap(0, 1, visits), 9u);
  EXPECT_EQ(set.NextGap(0, 6, visits), 10 * kRanges - 1);
}

TYPED_TEST(RangeSetTest, NothingWrapsAtTheTop) {
  using Address = typename TypeParam::AddressType;
  const Address top = std::numeric_limits<Address>::max();
  TypeParam set;
  uint64_t visits = 0;
  set.Insert(top - 10, top - 5);
  set.Insert(0, 3);
  EXPECT_EQ(set.NextGap(0, top, visits), top - 5);
  EXPECT_EQ(set.NextGap(0, top - 13, visits), Address{3});
  EXPECT_EQ(set.NextGap(top - 7, 1, visits), top - 5);
  EXPECT_EQ(set.NextGap(top, 1, visits), top);
  set.Insert(top - 5, top);
  EXPECT_EQ(set.NextGap(4, top, visits), top);
}

TYPED_TEST(TimedListTest, EqualsABitPerAddress) {
  constexpr int32_t kTimes = 12;
  for (uint64_t seed = 1; seed <= 60; ++seed) {
    Rng rng(seed);
    const size_t count = rng.Below(100);
    const size_t slots = TimedList<TypeParam>::Slots(count);
    std::vector<uint64_t> room(TimedList<TypeParam>::Bytes(slots) / 8 + 1);
    TimedList<TypeParam> list;
    list.Init(reinterpret_cast<char*>(room.data()), slots);
    std::vector<std::vector<bool>> taken(kTimes, std::vector<bool>(400, false));
    for (size_t n = 0; n < count; ++n) {
      const auto first = static_cast<int32_t>(rng.Below(kTimes));
      const auto last = static_cast<int32_t>(rng.Between(first, kTimes - 1));
      const uint64_t lo = rng.Below(380);
      const uint64_t hi = lo + 1 + rng.Below(19);
      list.Insert(lo, hi, PackEntryTimes(first, last));
      for (int32_t t = first; t <= last; ++t) {
        for (uint64_t i = lo; i < hi; ++i) taken[t][i] = true;
      }
      const auto asked_first = static_cast<int32_t>(rng.Below(kTimes));
      const auto asked_last =
          static_cast<int32_t>(rng.Between(asked_first, kTimes - 1));
      std::vector<bool> any(400, false);
      for (int32_t t = asked_first; t <= asked_last; ++t) {
        for (size_t i = 0; i < any.size(); ++i) any[i] = any[i] || taken[t][i];
      }
      // One position serves a `from` that rises.
      const uint64_t size = 1 + rng.Below(30);
      uint64_t from = rng.Below(100);
      uint32_t position = list.Begin(from);
      uint64_t visits = 0;
      for (int i = 0; i < 4; ++i) {
        const uint64_t want = PlainNextGap(any, from, size);
        ASSERT_EQ(list.NextGap({static_cast<TypeParam>(from),
                                static_cast<TypeParam>(size),
                                PackAskedTimes(asked_first, asked_last)},
                               position, visits),
                  want)
            << "seed " << seed;
        from = want + rng.Below(40);
      }
    }
  }
}

TEST(TimedList, PackedTimesAtTheirLimits) {
  const int32_t last = kMaxWindowTimes - 1;
  EXPECT_TRUE(AliveInPart(PackEntryTimes(0, last), PackAskedTimes(0, last)));
  EXPECT_TRUE(AliveInPart(PackEntryTimes(0, 0), PackAskedTimes(0, 0)));
  EXPECT_TRUE(
      AliveInPart(PackEntryTimes(last, last), PackAskedTimes(last, last)));
  EXPECT_FALSE(AliveInPart(PackEntryTimes(0, 4), PackAskedTimes(5, last)));
  EXPECT_FALSE(AliveInPart(PackEntryTimes(5, last), PackAskedTimes(0, 4)));
  EXPECT_FALSE(
      AliveInPart(TimedList<uint32_t>::kNoEntry, PackAskedTimes(0, last)));
}

// The times below a node, by the drawing in time_windows.h.
std::multiset<int32_t> TimesBelow(const TimeWindows& windows, int32_t node) {
  int32_t index = node;
  int32_t width = 1;
  int32_t size = windows.num_windows();
  while (index >= size) {
    index -= size;
    size = (size + TimeWindows::kFanout - 1) / TimeWindows::kFanout;
    width *= TimeWindows::kFanout;
  }
  std::multiset<int32_t> times;
  for (int32_t window = index * width;
       window < std::min((index + 1) * width, windows.num_windows());
       ++window) {
    for (int32_t t = windows.First(window); t <= windows.Last(window); ++t) {
      times.insert(t);
    }
  }
  return times;
}

TEST(TimeWindows, CanonicalNodesAndPartialWindowsHoldALiveRangeOnce) {
  for (uint64_t seed = 1; seed <= 40; ++seed) {
    Rng rng(seed);
    RandomProblemOptions options;
    options.max_nodes = 120;
    options.max_times = 400;
    const Problem problem = RandomProblem(options, rng);
    const TimeWindows windows(problem, rng.Between(1, 4));
    for (int32_t t = 0; t < problem.num_times; ++t) {
      const int32_t window = windows.WindowOf(t);
      ASSERT_LE(windows.First(window), t);
      ASSERT_GE(windows.Last(window), t);
    }
    for (const Interval& interval : problem.live.values) {
      const TimeWindows::Span span = windows.SpanOf(interval);
      std::multiset<int32_t> held;
      windows.ForEachCanonical(
          span, [&](int32_t node) { held.merge(TimesBelow(windows, node)); });
      for (const int32_t t : held) {
        ASSERT_TRUE(interval.lo <= t && t <= interval.hi);
      }
      windows.ForEachTouched(span, [&](int32_t node) {
        ASSERT_LT(node, windows.num_nodes());
        const std::multiset<int32_t> below = TimesBelow(windows, node);
        bool meets = false;
        bool covered = true;
        for (const int32_t t : below) {
          const bool alive = interval.lo <= t && t <= interval.hi;
          meets = meets || alive;
          covered = covered && alive;
          if (node < windows.num_windows() && alive) held.insert(t);
        }
        ASSERT_TRUE(meets);
        // An incomplete last node may be covered; it is never canonical.
        if (node < windows.num_windows()) {
          ASSERT_FALSE(covered);
        }
      });
      std::multiset<int32_t> want;
      for (int32_t t = interval.lo; t <= interval.hi; ++t) want.insert(t);
      ASSERT_EQ(held, want) << "seed " << seed;
    }
  }
}

TEST(TimeWindows, ACrowdedTimeHasItsOwnWindow) {
  Problem problem;
  for (int i = 0; i < 10; ++i) AddNode(problem, {{5, 5}}, 1);
  AddNode(problem, {{0, 4}}, 1);
  AddNode(problem, {{6, 9}}, 1);
  const TimeWindows windows(problem, 4);
  EXPECT_EQ(windows.First(windows.WindowOf(5)), 5);
  EXPECT_EQ(windows.Last(windows.WindowOf(5)), 5);
  EXPECT_EQ(windows.num_windows(), 3);
}

}  // namespace
}  // namespace berth
