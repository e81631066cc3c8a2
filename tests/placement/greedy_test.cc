#include "allocator/placement/greedy.h"

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "allocator/base/rng.h"
#include "allocator/placement/plain_first_fit.h"
#include "allocator/placement/problem.h"
#include "gtest/gtest.h"
#include "tests/placement/random_problem.h"

namespace berth {
namespace {

// No two nodes that interfere share bytes, none meets a pin, none leaves
// [floor, ceiling), and all obey alignment and pages.
void ExpectSound(const Problem& problem, const Placement& placement) {
  for (int32_t a = 0; a < problem.num_nodes(); ++a) {
    const uint64_t size = problem.size_bytes[a];
    const uint64_t lo = placement.address[a];
    if (size == 0) continue;
    ASSERT_GE(lo, problem.floor);
    ASSERT_LE(lo + size, problem.ceiling);
    ASSERT_EQ(PlaceInGap(lo, lo + size, size, problem.alignment[a],
                         problem.page_bytes),
              lo);
    for (int32_t b = 0; b < a; ++b) {
      if (!Interfere(problem.live.of(a), problem.live.of(b))) continue;
      const uint64_t other = placement.address[b];
      ASSERT_TRUE(lo + size <= other || other + problem.size_bytes[b] <= lo)
          << a << " meets " << b;
    }
    for (int32_t pin = 0; pin < problem.num_pins(); ++pin) {
      if (problem.pins[pin].address == problem.pins[pin].end) continue;
      if (!Interfere(problem.live.of(a), problem.pin_live.of(pin))) continue;
      ASSERT_TRUE(lo + size <= problem.pins[pin].address ||
                  problem.pins[pin].end <= lo);
    }
  }
}

TEST(Greedy, EveryPlacementIsSound) {
  for (uint64_t seed = 1; seed <= 1000; ++seed) {
    Rng rng(seed);
    RandomProblemOptions options;
    options.page_bytes = rng.OneIn(2) ? 1 : 8;
    options.max_nodes = 30;
    options.tight_ceiling = true;
    const Problem problem = RandomProblem(options, rng);
    const auto placement = PlanGreedy(problem);
    if (!placement.ok()) {
      ASSERT_EQ(placement.status().code(), absl::StatusCode::kResourceExhausted)
          << "seed " << seed;
      continue;
    }
    ASSERT_NO_FATAL_FAILURE(ExpectSound(problem, *placement)) << seed;
    ASSERT_EQ(PlanGreedy(problem)->address, placement->address);
  }
}

// Faults F16: decreasing size alone gives 8, another order the bound 6.
TEST(Greedy, F16NoPlacementInFirstTry) {
  const Problem problem =
      SimpleProblem({{0, 2, 2}, {2, 4, 2}, {0, 1, 3}, {3, 4, 3}, {1, 3, 1}});
  const auto placement = PlanGreedy(problem);
  ASSERT_TRUE(placement.ok());
  EXPECT_EQ(Peak(problem, *placement), 6u);
}

TEST(Greedy, NothingToPlace) {
  Problem problem;
  problem.num_times = 1;
  const auto placement = PlanGreedy(problem);
  ASSERT_TRUE(placement.ok());
  EXPECT_TRUE(placement->address.empty());
}

TEST(Greedy, NamesTheNodeThatDoesNotFit) {
  Problem problem = SimpleProblem({{0, 5, 60}, {0, 5, 50}, {0, 5, 5}});
  problem.ceiling = 100;
  problem.floor_reason = "nothing";
  const auto placement = PlanGreedy(problem);
  ASSERT_EQ(placement.status().code(), absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(placement.status().message(),
            "'#1' of 50 bytes does not fit: largest gap 40 bytes, floor 0 "
            "(nothing), ceiling 100");
}

TEST(Greedy, ReportsWhatCheckProblemReports) {
  Problem problem = SimpleProblem({{0, 5, 60}});
  problem.alignment[0] = 0;
  EXPECT_EQ(PlanGreedy(problem).status().code(),
            absl::StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace berth
