#include "allocator/placement/problem.h"

#include <cstdint>
#include <vector>

#include "allocator/base/int_math.h"
#include "gtest/gtest.h"

namespace berth {
namespace {

// Three nodes over times 0..3; loads are 5, 12, 12, 4.
Problem Small() {
  Problem p;
  p.size_bytes = {5, 7, 4};
  p.alignment = {1, 1, 1};
  p.occupied_length = {3, 2, 1};
  p.cc = {false, false, false};
  p.live.Append({{0, 2}});
  p.live.Append({{1, 2}});
  p.live.Append({{3, 3}});
  p.num_times = 4;
  p.ceiling = 100;
  return p;
}

TEST(Problem, LoadsAndLowerBound) {
  EXPECT_EQ(Loads(Small()), (std::vector<uint128>{5, 12, 12, 4}));
  EXPECT_TRUE(MaxLoad(Small()) == 12);
  EXPECT_TRUE(MaxLoad(Problem()) == 0);
}

TEST(Problem, LoadsDoNotWrap) {
  Problem p = Small();
  p.size_bytes = {~uint64_t{0}, ~uint64_t{0}, 1};
  EXPECT_EQ(ToString(MaxLoad(p)), "36893488147419103230");
}

TEST(Problem, PeakIgnoresNodesWithoutBytesAndIsAtLeastTheFloor) {
  Problem p = Small();
  p.floor = 3;
  p.cc_end = 3;
  p.size_bytes[2] = 0;
  EXPECT_EQ(Peak(p, {.address = {3, 8, 900}}), 15u);
  p.size_bytes = {0, 0, 0};
  EXPECT_EQ(Peak(p, {.address = {3, 8, 900}}), 3u);
}

TEST(Problem, CheckNamesWhatIsWrong) {
  EXPECT_TRUE(CheckProblem(Small()).ok());
  const auto broken = [](auto change) {
    Problem p = Small();
    change(p);
    return std::string(CheckProblem(p).message());
  };
  EXPECT_EQ(broken([](Problem& p) { p.alignment[1] = 0; }),
            "'#1' has alignment 0");
  EXPECT_EQ(broken([](Problem& p) { p.live.values[0].hi = 4; }),
            "node 0: interval [0, 4] is out of order or out of range");
  EXPECT_EQ(broken([](Problem& p) { p.cc.pop_back(); }),
            "problem: arrays of unequal length");
  EXPECT_EQ(broken([](Problem& p) { p.page_bytes = 0; }),
            "problem: page of 0 bytes");
  EXPECT_EQ(broken([](Problem& p) {
              p.floor = 200;
              p.floor_reason = "pins";
            }),
            "the floor 200 (pins) is above the ceiling 100");
}

TEST(Problem, AFloorAboveTheCeilingIsFineWithoutBytes) {
  Problem p = Small();
  p.size_bytes = {0, 0, 0};
  p.floor = 200;
  EXPECT_TRUE(CheckProblem(p).ok());
}

TEST(Problem, DoesNotFitNamesAllThatBinds) {
  Problem p = Small();
  p.names = {"a", "b", "c"};
  p.floor = 8;
  p.floor_reason = "pre-placed locations of main";
  const absl::Status status = DoesNotFit(p, 1, 6);
  EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(std::string(status.message()),
            "'b' of 7 bytes does not fit: largest gap 6 bytes, floor 8 "
            "(pre-placed locations of main), ceiling 100");
}

}  // namespace
}  // namespace berth
