// Spec §7, case by case, on PlaceInGap and the plain first fit.
#include "allocator/placement/first_fit.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "allocator/placement/plain_first_fit.h"
#include "allocator/placement/problem.h"
#include "allocator/placement/regions.h"
#include "gtest/gtest.h"

namespace berth {
namespace {

constexpr uint64_t kMax = std::numeric_limits<uint64_t>::max();

struct GapCase {
  uint64_t lo, hi, size, alignment, page;
  std::optional<uint64_t> address;
};

TEST(PlaceInGap, Table) {
  const GapCase cases[] = {
      // Page 1: the raw start, if there is room.
      {0, 10, 10, 1, 1, 0},
      {3, 10, 7, 1, 1, 3},
      {3, 10, 8, 1, 1, std::nullopt},
      // Alignment.
      {3, 20, 8, 8, 1, 8},
      {3, 15, 8, 8, 1, std::nullopt},
      {3, 14, 2, 12, 1, 12},
      // An object of at most one page never crosses a boundary ...
      {100, 9000, 4096, 1, 4096, 4096},
      {100, 8191, 4096, 1, 4096, std::nullopt},
      {100, 9000, 3996, 1, 4096, 100},
      {100, 9000, 3997, 1, 4096, 4096},
      {4095, 9000, 1, 1, 4096, 4095},
      {4095, 9000, 2, 1, 4096, 4096},
      // ... a larger one is placed at the raw start.
      {100, 9000, 4097, 1, 4096, 100},
      // Alignment and page must agree on one address: steps until they do.
      {1, 100, 4, 3, 4, 12},
      {1, 100, 2, 3, 4, 6},
      {1, 15, 4, 3, 4, std::nullopt},
      // Nothing wraps at the top of the address space.
      {kMax - 3, kMax, 3, 1, 1, kMax - 3},
      {kMax - 3, kMax, 4, 1, 1, std::nullopt},
      {kMax - 3, kMax, 1, 4096, 1, std::nullopt},
      {kMax - 5000, kMax, 4096, 1, 4096, std::nullopt},
      {0, kMax, kMax, 1, 4096, 0},
      {1, kMax, 1, kMax, 1, std::nullopt},
      {1, kMax, kMax, 1, 1, std::nullopt},
      {7, 3, 1, 1, 1, std::nullopt},
  };
  for (const GapCase& c : cases) {
    EXPECT_EQ(PlaceInGap(c.lo, c.hi, c.size, c.alignment, c.page), c.address)
        << "[" << c.lo << ", " << c.hi << ") size " << c.size << " alignment "
        << c.alignment << " page " << c.page;
  }
}

// The rule's words, tried address by address.
TEST(PlaceInGap, EqualsTheLowestAddressThatObeys) {
  const auto obeys = [](uint64_t x, uint64_t size, uint64_t alignment,
                        uint64_t page) {
    return x % alignment == 0 &&
           (size > page || x / page == (x + size - 1) / page);
  };
  for (uint64_t page : {1, 4, 6}) {
    for (uint64_t alignment = 1; alignment <= 7; ++alignment) {
      for (uint64_t size = 1; size <= 8; ++size) {
        for (uint64_t lo = 0; lo <= 13; ++lo) {
          for (uint64_t hi = lo; hi <= 40; ++hi) {
            std::optional<uint64_t> want;
            for (uint64_t x = lo; x + size <= hi && !want.has_value(); ++x) {
              if (obeys(x, size, alignment, page)) want = x;
            }
            ASSERT_EQ(PlaceInGap(lo, hi, size, alignment, page), want)
                << lo << " " << hi << " " << size << " " << alignment << " "
                << page;
          }
        }
      }
    }
  }
}

TEST(Interfere, MeetsInOneOfManyIntervals) {
  const std::vector<Interval> a = {{0, 2}, {6, 6}, {10, 12}};
  EXPECT_FALSE(Interfere(a, std::vector<Interval>{{3, 5}, {7, 9}, {13, 20}}));
  EXPECT_TRUE(Interfere(a, std::vector<Interval>{{3, 5}, {7, 10}}));
  EXPECT_TRUE(Interfere(a, std::vector<Interval>{{6, 6}}));
  EXPECT_TRUE(Interfere(a, std::vector<Interval>{{0, 30}}));
  EXPECT_FALSE(Interfere(a, {}));
}

Problem MakeProblem(const std::vector<uint64_t>& sizes,
                    const std::vector<std::vector<Interval>>& live) {
  Problem problem;
  problem.size_bytes = sizes;
  problem.alignment.assign(sizes.size(), 1);
  problem.occupied_length.assign(sizes.size(), 1);
  problem.cc.assign(sizes.size(), false);
  for (const auto& intervals : live) problem.live.Append(intervals);
  problem.num_times = 100;
  problem.ceiling = 1 << 20;
  return problem;
}

// Node 1 has a hole in its life where node 0 lives: they may share bytes; node
// 2 meets both, each once.
TEST(PlainFirstFit, HolesInLiveRanges) {
  const Problem problem =
      MakeProblem({10, 20, 5}, {{{4, 5}}, {{0, 3}, {6, 9}}, {{0, 9}}});
  const std::vector<int32_t> order = {0, 1, 2};
  PlainFirstFit first_fit(problem, order);
  EXPECT_EQ(PlaceNode(first_fit, problem, 0), 0u);
  EXPECT_EQ(PlaceNode(first_fit, problem, 1), 0u);
  EXPECT_EQ(PlaceNode(first_fit, problem, 2), 20u);
}

// Pins overlap each other, are unaligned, lie below the start and above the
// ceiling; only those alive with the node count.
TEST(PlainFirstFit, Pins) {
  Problem problem = MakeProblem({10}, {{{5, 5}}});
  problem.pins = {{3, 12}, {8, 15}, {0, 2}, {20, 90}, {200, 300}, {15, 16}};
  for (const Interval live :
       std::vector<Interval>{{0, 9}, {5, 6}, {0, 9}, {6, 9}, {0, 9}, {4, 5}}) {
    problem.pin_live.Append(std::vector<Interval>{live});
  }
  PlainFirstFit first_fit(problem, std::vector<int32_t>{0});
  EXPECT_EQ(first_fit.Find(0, 2, 100), 16u);
  EXPECT_EQ(first_fit.Find(0, 2, 26), 16u);
  EXPECT_EQ(first_fit.Find(0, 2, 25), std::nullopt);
  EXPECT_EQ(first_fit.LargestGap(0, 2, 25), 9u);
  EXPECT_EQ(first_fit.LargestGap(0, 2, 3), 1u);
  EXPECT_EQ(first_fit.LargestGap(0, 4, 4), 0u);
}

// Faults F15: an unaligned pinned neighbour that lives for ever.
TEST(PlainFirstFit, F15UnalignedPinnedNeighbour) {
  Problem problem = MakeProblem({4096, 8192}, {{{0, 5}}, {{0, 5}}});
  problem.page_bytes = 4096;
  problem.pins = {{100, 300}};
  problem.pin_live.Append(std::vector<Interval>{{0, 99}});
  PlainFirstFit first_fit(problem, std::vector<int32_t>{1, 0});
  EXPECT_EQ(PlaceNode(first_fit, problem, 1), 300u);
  EXPECT_EQ(PlaceNode(first_fit, problem, 0), 12288u);
}

// Spec §9: CC nodes try CC first, others general first; then the other region;
// last, both together.
TEST(Regions, RetriesInOrder) {
  Problem problem = MakeProblem(
      {60, 60, 60, 30, 80, 0, 0},
      std::vector<std::vector<Interval>>(7, std::vector<Interval>{{0, 0}}));
  problem.floor = 100;
  problem.cc_end = 200;
  problem.ceiling = 320;
  problem.cc = {true, true, false, false, false, true, false};
  const std::vector<int32_t> order = {0, 1, 2, 3, 4, 5, 6};
  PlainFirstFit first_fit(problem, order);
  EXPECT_EQ(PlaceNode(first_fit, problem, 0), 100u);  // CC
  EXPECT_EQ(PlaceNode(first_fit, problem, 1), 200u);  // CC is full: general
  EXPECT_EQ(PlaceNode(first_fit, problem, 2), 260u);  // general
  EXPECT_EQ(PlaceNode(first_fit, problem, 3), 160u);  // general is full: CC
  EXPECT_EQ(PlaceNode(first_fit, problem, 4), std::nullopt);
  EXPECT_EQ(PlaceNode(first_fit, problem, 5), 100u);  // no bytes: own region
  EXPECT_EQ(PlaceNode(first_fit, problem, 6), 200u);
}

TEST(Regions, LastTriesBothTogether) {
  Problem problem = MakeProblem({150}, {{{0, 0}}});
  problem.cc_end = 100;
  problem.ceiling = 200;
  PlainFirstFit first_fit(problem, std::vector<int32_t>{0});
  EXPECT_EQ(PlaceNode(first_fit, problem, 0), 0u);
}

}  // namespace
}  // namespace berth
