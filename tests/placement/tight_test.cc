// Planner tight against brute force, and what it promises: proofs, budgets,
// rules of addresses.
#include "allocator/placement/tight/tight.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "allocator/base/rng.h"
#include "allocator/placement/greedy.h"
#include "allocator/placement/lower_bound.h"
#include "allocator/placement/planners.h"
#include "allocator/placement/problem.h"
#include "gtest/gtest.h"
#include "tests/placement/placement_check.h"
#include "tests/placement/random_problem.h"

namespace berth {
namespace {

TightOptions Steps(uint64_t budget_steps) {
  TightOptions options;
  options.budget_steps = budget_steps;
  return options;
}

// All multisets of `count` nodes out of `kinds`, each handed to `visit`.
template <typename Visit>
void ForEachMultiset(const std::vector<SimpleNode>& kinds, size_t count,
                     size_t first, std::vector<SimpleNode>& chosen,
                     const Visit& visit) {
  if (chosen.size() == count) {
    visit(chosen);
    return;
  }
  for (size_t i = first; i < kinds.size(); ++i) {
    chosen.push_back(kinds[i]);
    ForEachMultiset(kinds, count, i, chosen, visit);
    chosen.pop_back();
  }
}

void ExpectOptimal(const Problem& problem, uint64_t budget_steps) {
  const absl::StatusOr<Placement> placement =
      PlanTight(problem, Steps(budget_steps));
  ASSERT_TRUE(placement.ok()) << placement.status() << ToString(problem);
  ASSERT_EQ(FaultOf(problem, *placement), "") << ToString(problem);
  ASSERT_TRUE(placement->proved_optimal) << ToString(problem);
  ASSERT_EQ(Peak(problem, *placement), BruteForcePeak(problem))
      << ToString(problem);
}

TEST(Tight, NothingToPlace) {
  const absl::StatusOr<Placement> placement = PlanTight(Problem(), Steps(10));
  ASSERT_TRUE(placement.ok());
  EXPECT_TRUE(placement->address.empty());
  EXPECT_TRUE(placement->proved_optimal);
}

TEST(Tight, F16DecreasingSizeMissesTheBound) {
  const Problem problem =
      SimpleProblem({{0, 2, 2}, {2, 4, 2}, {0, 1, 3}, {3, 4, 3}, {1, 3, 1}});
  ExpectOptimal(problem, 10'000);
  EXPECT_EQ(Peak(problem, *PlanTight(problem, Steps(10'000))), 6u);
}

// Every problem of up to four nodes over four times with three sizes, whose
// last node is live at the last time (others are the same with less time).
TEST(Tight, AllTinyProblemsAreSolvedAndProved) {
  std::vector<SimpleNode> kinds;
  for (int32_t lo = 0; lo < 4; ++lo) {
    for (int32_t hi = lo; hi < 4; ++hi) {
      for (const uint64_t size : {1, 2, 3}) kinds.push_back({lo, hi, size});
    }
  }
  for (size_t count = 1; count <= 4; ++count) {
    std::vector<SimpleNode> chosen;
    ForEachMultiset(kinds, count, 0, chosen,
                    [](const std::vector<SimpleNode>& nodes) {
                      ExpectOptimal(SimpleProblem(nodes), 10'000);
                    });
    ASSERT_FALSE(HasFatalFailure());
  }
}

TEST(Tight, RandomProblemsAreSolvedAndProved) {
  for (uint64_t seed = 0; seed < 400; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Rng rng(seed);
    RandomProblemOptions options;
    options.max_nodes = 7;
    options.max_times = 9;
    options.max_size = 9;
    options.max_runs = seed % 2 == 0 ? 1 : 3;
    options.max_pins = 0;
    options.alignments = false;
    options.regions = false;
    ExpectOptimal(RandomProblem(options, rng), 100'000);
    ASSERT_FALSE(HasFatalFailure());
  }
}

// Sizes that are multiples of the page, and one alignment for all.
TEST(Tight, PagesAndEqualAlignmentsAreSolved) {
  for (uint64_t seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Rng rng(seed);
    RandomProblemOptions options;
    options.max_nodes = 6;
    options.max_pins = 0;
    options.alignments = false;
    options.regions = false;
    options.max_size = 6;
    const bool pages = seed % 2 == 0;
    if (pages) {
      options.page_bytes = 8;
      options.size_unit = 8;
    }
    Problem problem = RandomProblem(options, rng);
    if (pages) problem.floor = problem.cc_end = problem.floor / 8 * 8;
    if (!pages) {
      problem.alignment.assign(problem.alignment.size(), 1 + seed % 5);
    }
    const absl::StatusOr<Placement> placement =
        PlanTight(problem, Steps(100'000));
    ASSERT_TRUE(placement.ok()) << placement.status();
    ASSERT_EQ(FaultOf(problem, *placement), "") << ToString(problem);
    const uint64_t best = *BruteForcePeak(problem);
    if (pages || placement->proved_optimal) {
      ASSERT_EQ(Peak(problem, *placement), best) << ToString(problem);
    }
    ASSERT_LT(Peak(problem, *placement), best + 1 + seed % 5)
        << ToString(problem);
  }
}

// Whatever the rules: valid, no wrong proof, no worse with a larger budget, the
// same twice.
TEST(Tight, EveryRuleHoldsAndProofsAreTrue) {
  for (uint64_t seed = 0; seed < 600; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Rng rng(seed);
    RandomProblemOptions options;
    options.max_nodes = 7;
    options.max_pins = seed % 3;
    options.page_bytes = seed % 2 == 0 ? 1 : 8;
    options.regions = seed % 5 == 0;
    options.tight_ceiling = seed % 4 == 0;
    const Problem problem = RandomProblem(options, rng);
    const bool one_region = problem.floor == problem.cc_end;
    uint64_t previous = std::numeric_limits<uint64_t>::max();
    for (const uint64_t budget : {0, 10, 100, 2'000}) {
      const absl::StatusOr<Placement> placement =
          PlanTight(problem, Steps(budget));
      const absl::StatusOr<Placement> again = PlanTight(problem, Steps(budget));
      ASSERT_EQ(placement.status(), again.status());
      if (!placement.ok()) {
        ASSERT_EQ(placement.status().code(),
                  absl::StatusCode::kResourceExhausted);
        if (placement.status().message().find("proved") != std::string::npos) {
          ASSERT_EQ(BruteForcePeak(problem), std::nullopt) << ToString(problem);
        }
        ASSERT_EQ(previous, std::numeric_limits<uint64_t>::max());
        continue;
      }
      ASSERT_EQ(placement->address, again->address);
      ASSERT_EQ(FaultOf(problem, *placement), "") << ToString(problem);
      const uint64_t peak = Peak(problem, *placement);
      ASSERT_LE(peak, previous) << ToString(problem);
      previous = peak;
      if (placement->proved_optimal && one_region) {
        ASSERT_EQ(peak, BruteForcePeak(problem)) << ToString(problem);
      }
    }
  }
}

TEST(Tight, PinAboveTheFloorIsAvoided) {
  Problem problem = SimpleProblem({{0, 3, 4}, {0, 3, 4}, {2, 5, 2}});
  AddPin(problem, {{1, 2}}, 5, 7);
  const absl::StatusOr<Placement> placement = PlanTight(problem, Steps(1000));
  ASSERT_TRUE(placement.ok());
  EXPECT_EQ(FaultOf(problem, *placement), "");
  EXPECT_EQ(Peak(problem, *placement), BruteForcePeak(problem));
}

TEST(Tight, CollectivesAndOthersKeepTheirRegions) {
  Problem problem;
  AddNode(problem, {{0, 4}}, 3, 1, /*cc=*/true);
  AddNode(problem, {{2, 6}}, 5, 1, /*cc=*/true);
  AddNode(problem, {{0, 9}}, 7);
  problem.floor = 10;
  problem.cc_end = 20;
  problem.ceiling = 100;
  const absl::StatusOr<Placement> placement = PlanTight(problem, Steps(1000));
  ASSERT_TRUE(placement.ok());
  EXPECT_EQ(FaultOf(problem, *placement), "");
  EXPECT_LE(placement->address[0] + 3, 20u);
  EXPECT_LE(placement->address[1] + 5, 20u);
  EXPECT_EQ(placement->address[2], 20u);
  EXPECT_TRUE(placement->proved_optimal);
}

// The largest sizes that a CSV may hold, and loads near 2^63.
TEST(Tight, HugeSizesDoNotWrap) {
  const uint64_t half = uint64_t{1} << 61;
  Problem problem = SimpleProblem({{0, 2, half}, {1, 3, half - 1}, {2, 5, 7}});
  const absl::StatusOr<Placement> placement = PlanTight(problem, Steps(1000));
  ASSERT_TRUE(placement.ok()) << placement.status();
  EXPECT_EQ(FaultOf(problem, *placement), "");
  EXPECT_EQ(Peak(problem, *placement), 2 * half + 6);
}

TEST(Tight, StopEndsTheSearch) {
  std::vector<SimpleNode> nodes;
  Rng rng(1);
  for (int i = 0; i < 60; ++i) {
    const auto lo = static_cast<int32_t>(rng.Below(30));
    nodes.push_back({lo, lo + static_cast<int32_t>(rng.Below(20)),
                     1 + rng.Below(1'000'000)});
  }
  TightOptions options = Steps(std::numeric_limits<uint64_t>::max());
  int asked = 0;
  options.stop = [&asked] { return ++asked > 3; };
  const Problem problem = SimpleProblem(nodes);
  const absl::StatusOr<Placement> placement = PlanTight(problem, options);
  ASSERT_TRUE(placement.ok());
  EXPECT_EQ(FaultOf(problem, *placement), "");
  EXPECT_LE(asked, 4);
}

// Every order tried puts down all pins, so they count: a few nodes among many
// pins once took minutes, each restart as long as hundreds of its steps.
TEST(Tight, PinsCountAgainstTheBudget) {
  constexpr uint64_t kPins = 700;
  Problem problem;
  problem.ceiling = uint64_t{1} << 40;
  for (uint64_t i = 0; i < kPins; ++i) {
    AddPin(problem, {{0, 1}}, 1000 * i, 1000 * i + 990);
  }
  AddNode(problem, {{0, 1}}, 100);
  TightOptions options = Steps(100 * kPins);
  int asked = 0;  // once a restart
  options.stop = [&asked] {
    ++asked;
    return false;
  };
  const absl::StatusOr<Placement> placement = PlanTight(problem, options);
  ASSERT_TRUE(placement.ok()) << placement.status();
  EXPECT_EQ(Peak(problem, *placement), 1000 * kPins - 10 + 100);
  EXPECT_LE(asked, 100);
}

TEST(Tight, NeverWorseThanGreedyAtAnyBudget) {
  for (uint64_t seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Rng rng(seed);
    RandomProblemOptions options;
    options.max_nodes = 40;
    options.max_times = 30;
    options.page_bytes = seed % 2 == 0 ? 1 : 8;
    const Problem problem = RandomProblem(options, rng);
    const absl::StatusOr<Placement> greedy = PlanGreedy(problem);
    ASSERT_TRUE(greedy.ok()) << greedy.status();
    for (const uint64_t budget : {0, 1, 100, 3'000}) {
      const absl::StatusOr<Placement> placement =
          PlanTight(problem, Steps(budget));
      ASSERT_TRUE(placement.ok()) << placement.status();
      ASSERT_EQ(FaultOf(problem, *placement), "");
      ASSERT_LE(Peak(problem, *placement), Peak(problem, *greedy));
    }
  }
}

// Planners that know nothing of byte windows but by their first fit, and tight.
TEST(Tight, ByteWindowsHoldInEveryPlanner) {
  for (uint64_t seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Rng rng(seed);
    RandomProblemOptions options;
    options.windows = true;
    options.max_nodes = 15;
    options.max_runs = 4;
    options.page_bytes = seed % 2 == 0 ? 1 : 8;
    options.tight_ceiling = seed % 3 == 0;
    const Problem problem = RandomProblem(options, rng);
    for (const Planner planner : {Planner::kReference, Planner::kBriggs,
                                  Planner::kGreedy, Planner::kTight}) {
      PlannerOptions request;
      request.planner = planner;
      request.budget_steps = 500;
      const absl::StatusOr<Placement> placement = Plan(problem, request);
      if (!placement.ok()) {
        ASSERT_EQ(placement.status().code(),
                  absl::StatusCode::kResourceExhausted);
        continue;
      }
      ASSERT_EQ(FaultOf(problem, *placement), "") << ToString(problem);
      ASSERT_GE(Peak(problem, *placement), BestLowerBound(problem).peak_bytes);
    }
  }
}

// Too large for the section search, and with a pin: orders are searched.
TEST(Tight, ManyNodesEnd) {
  Rng rng(1);
  Problem problem;
  problem.ceiling = uint64_t{1} << 60;
  for (int32_t i = 0; i < 3'000; ++i) {
    const auto lo = static_cast<int32_t>(rng.Below(1000));
    AddNode(problem, {{lo, lo + static_cast<int32_t>(rng.Below(200))}},
            1 + rng.Below(100));
  }
  AddPin(problem, {{100, 300}}, 1000, 2000);
  const absl::StatusOr<Placement> placement = PlanTight(problem, Steps(10'000));
  ASSERT_TRUE(placement.ok()) << placement.status();
  EXPECT_LE(Peak(problem, *placement), Peak(problem, *PlanGreedy(problem)));
}

// A capacity that cannot be met: the reason is a set that really cannot fit,
// and all of it is needed.
TEST(Tight, InfeasibleCapacityNamesASmallSet) {
  int proofs_by_search = 0;
  for (uint64_t seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Rng rng(seed);
    RandomProblemOptions options;
    options.max_nodes = 7;
    options.max_times = 8;
    options.max_size = 6;
    options.max_runs = 1 + seed % 2;
    options.max_pins = 0;
    options.alignments = false;
    options.regions = false;
    Problem problem = RandomProblem(options, rng);
    const uint64_t best = *BruteForcePeak(problem);
    if (best == problem.floor) continue;
    problem.ceiling = best - 1;
    std::vector<std::string> names(problem.num_nodes());
    for (int32_t id = 0; id < problem.num_nodes(); ++id) {
      names[id] = "n" + std::to_string(id);
      problem.names.push_back(names[id]);
    }
    const absl::StatusOr<Placement> placement =
        PlanTight(problem, Steps(100'000));
    ASSERT_EQ(placement.status().code(), absl::StatusCode::kResourceExhausted);
    const std::string message(placement.status().message());
    ASSERT_NE(message.find("proved"), std::string::npos) << message;
    std::vector<int32_t> named;
    for (int32_t id = 0; id < problem.num_nodes(); ++id) {
      if (message.find("'" + names[id] + "'") != std::string::npos) {
        named.push_back(id);
      }
    }
    // `left_out` -1: the whole set, which must not fit; else it must.
    for (int32_t left_out = -1; left_out < static_cast<int32_t>(named.size());
         ++left_out) {
      Problem part;
      for (size_t i = 0; i < named.size(); ++i) {
        if (static_cast<int32_t>(i) == left_out) continue;
        const absl::Span<const Interval> live = problem.live.of(named[i]);
        AddNode(part, {live.begin(), live.end()}, problem.size_bytes[named[i]]);
      }
      part.floor = part.cc_end = problem.floor;
      part.ceiling = problem.ceiling;
      ASSERT_EQ(BruteForcePeak(part).has_value(), left_out >= 0)
          << message << "\n"
          << ToString(problem);
    }
    proofs_by_search += MaxLoad(problem) + problem.floor < best;
  }
  EXPECT_GT(proofs_by_search, 0);
}

// Five nodes of which each meets the next, and the last the first, in the gap
// of its life: any two fit beside each other, but not the five. Named alone
// among many others, with what is live all the while where that is needed, too.
TEST(Tight, InfeasibleRingIsNamedAlone) {
  Problem problem;
  for (int32_t i = 0; i < 4; ++i) AddNode(problem, {{50 + i, 51 + i}}, 1000);
  AddNode(problem, {{50, 50}, {54, 54}}, 1000);
  AddNode(problem, {{0, 99}}, 700);
  Rng rng(1);
  for (int32_t i = 0; i < 80; ++i) {
    const auto lo =
        static_cast<int32_t>(rng.OneIn(2) ? rng.Below(40) : 55 + rng.Below(40));
    AddNode(problem, {{lo, lo + static_cast<int32_t>(rng.Below(5))}},
            1 + rng.Below(100));
  }
  std::vector<std::string> names;
  for (int32_t id = 0; id < problem.num_nodes(); ++id) {
    names.push_back("n" + std::to_string(id));
  }
  problem.names.assign(names.begin(), names.end());
  const auto message = [&problem](uint64_t ceiling) {
    problem.ceiling = ceiling;
    return std::string(PlanTight(problem, Steps(100'000)).status().message());
  };
  EXPECT_EQ(
      message(2700),
      "proved: 5 locations alone cannot fit in 2700 bytes (floor 0, "
      "ceiling 2700): 'n0' (1000), 'n1' (1000), 'n2' (1000), 'n3' (1000), "
      "'n4' (1000)");
  EXPECT_EQ(
      message(3699),
      "proved: 6 locations alone cannot fit in 3699 bytes (floor 0, "
      "ceiling 3699): 'n0' (1000), 'n1' (1000), 'n2' (1000), 'n3' (1000), "
      "'n4' (1000), 'n5' (700)");
  EXPECT_EQ(message(3700), "");
}

}  // namespace
}  // namespace berth
