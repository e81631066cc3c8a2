// WindowFirstFit and SweepFirstFit answer what PlainFirstFit answers, always.
#include <cstdint>
#include <string>
#include <vector>

#include "allocator/base/rng.h"
#include "allocator/placement/problem.h"
#include "allocator/placement/sweep_first_fit.h"
#include "allocator/placement/window_first_fit.h"
#include "gtest/gtest.h"
#include "tests/placement/first_fit_checker.h"
#include "tests/placement/random_problem.h"

namespace berth {
namespace {

std::vector<int32_t> FileOrder(const Problem& problem) {
  std::vector<int32_t> order;
  for (int32_t node = 0; node < problem.num_nodes(); ++node) {
    order.push_back(node);
  }
  return order;
}

// All sequences of `count` nodes with lives in 0..times-1 and the given sizes.
template <typename Visit>
void ForEachProblem(int count, int32_t times,
                    const std::vector<uint64_t>& sizes, Visit visit) {
  std::vector<SimpleNode> kinds;
  for (int32_t lo = 0; lo < times; ++lo) {
    for (int32_t hi = lo; hi < times; ++hi) {
      for (const uint64_t size : sizes) kinds.push_back({lo, hi, size});
    }
  }
  std::vector<size_t> choice(count, 0);
  for (;;) {
    std::vector<SimpleNode> nodes;
    for (const size_t kind : choice) nodes.push_back(kinds[kind]);
    Problem problem = SimpleProblem(nodes);
    problem.num_times = times;
    visit(problem);
    size_t digit = 0;
    while (digit < choice.size() && ++choice[digit] == kinds.size()) {
      choice[digit++] = 0;
    }
    if (digit == choice.size()) return;
  }
}

std::string Sentence(const Problem& problem) {
  std::string text;
  for (int32_t node = 0; node < problem.num_nodes(); ++node) {
    const Interval live = problem.live.of(node)[0];
    text += " [" + std::to_string(live.lo) + "," + std::to_string(live.hi) +
            "] w " + std::to_string(problem.size_bytes[node]);
  }
  return text;
}

TEST(WindowFirstFit, EqualsPlainOnAllSmallProblems) {
  FirstFitCheck check;
  check.events_per_window = 1;  // the most windows there can be
  for (int count = 0; count <= 4; ++count) {
    const std::vector<uint64_t> sizes = count < 4
                                            ? std::vector<uint64_t>{1, 2, 5}
                                            : std::vector<uint64_t>{1, 2};
    ForEachProblem(count, 4, sizes, [&](const Problem& problem) {
      ASSERT_EQ(FirstFitDifference(problem, FileOrder(problem), check), "")
          << Sentence(problem);
    });
  }
}

TEST(SweepFirstFit, EqualsPlainOnAllSmallProblems) {
  ForEachProblem(4, 4, {1, 2}, [](const Problem& problem) {
    const std::vector<int32_t> order = OrderByStart(problem);
    ASSERT_TRUE(SweepFirstFit::Serves(problem, order));
    ASSERT_EQ(FirstFitDifference(problem, order, {}), "") << Sentence(problem);
  });
}

TEST(SweepFirstFit, EqualsPlainOnRandomProblems) {
  RandomProblemOptions options;
  options.max_runs = 1;
  options.max_pins = 0;
  options.max_times = 40;
  for (uint64_t seed = 1; seed <= 2000; ++seed) {
    Rng rng(seed);
    options.max_nodes = seed % 10 == 0 ? 400 : 20;
    options.max_size = seed % 10 == 0 ? 2 : 20;  // many ranges, then
    options.page_bytes = seed % 3 == 0 ? 16 : 1;
    options.tight_ceiling = seed % 4 == 0;
    const Problem problem = RandomProblem(options, rng);
    const std::vector<int32_t> order = OrderByStart(problem);
    ASSERT_TRUE(SweepFirstFit::Serves(problem, order));
    FirstFitCheck check;
    check.seed = seed;
    check.extra_questions = true;
    ASSERT_EQ(FirstFitDifference(problem, order, check), "") << "seed " << seed;
  }
}

TEST(SweepFirstFit, ServesOnlyWhereWhatIsLiveIsAllThatCanBeMet) {
  const Problem simple = SimpleProblem({{0, 3, 1}, {2, 2, 1}, {2, 5, 1}});
  EXPECT_TRUE(SweepFirstFit::Serves(simple, std::vector<int32_t>{0, 2, 1}));
  EXPECT_TRUE(SweepFirstFit::Serves(simple, std::vector<int32_t>{0, 2}));
  EXPECT_FALSE(SweepFirstFit::Serves(simple, std::vector<int32_t>{1, 0, 2}));
  Problem pinned = simple;
  AddPin(pinned, {{4, 4}}, 0, 2);
  EXPECT_FALSE(SweepFirstFit::Serves(pinned, std::vector<int32_t>{0, 1, 2}));
  Problem twice = simple;
  AddNode(twice, {{2, 2}, {4, 4}}, 1);
  EXPECT_FALSE(SweepFirstFit::Serves(twice, std::vector<int32_t>{0, 1, 2, 3}));
  Problem windows = simple;
  windows.windows.assign(3, {0, 1});
  EXPECT_FALSE(SweepFirstFit::Serves(windows, std::vector<int32_t>{0, 1, 2}));
}

// The same with a pin, small pages and an alignment; windows of two events.
TEST(WindowFirstFit, EqualsPlainOnSmallProblemsWithPinsPagesAlignment) {
  FirstFitCheck check;
  check.events_per_window = 2;
  for (int variant = 0; variant < 8; ++variant) {
    ForEachProblem(3, 3, {1, 3, 6}, [&](Problem& problem) {
      if ((variant & 1) != 0) AddPin(problem, {{1, 1}}, 2, 7);
      if ((variant & 2) != 0) problem.page_bytes = 4;
      if ((variant & 4) != 0) problem.alignment[1] = 3;
      ASSERT_EQ(FirstFitDifference(problem, FileOrder(problem), check), "")
          << "variant " << variant << ":" << Sentence(problem);
    });
  }
}

// Narrow addresses end where some node may still lie, by its alignment.
TEST(WindowFirstFit, EqualsPlainWhereAlignmentLeadsBeyond32Bits) {
  Problem two;
  two.ceiling = uint64_t{1} << 62;
  for (int node = 0; node < 2; ++node) {
    AddNode(two, {{0, 9}}, 1, uint64_t{1} << 33);
  }
  ASSERT_EQ(FirstFitDifference(two, FileOrder(two), {}), "");
  Problem many;
  many.ceiling = two.ceiling;
  for (int node = 0; node < 2100; ++node) {
    AddNode(many, {{0, 9}}, 1'000'001, uint64_t{1} << 21);
  }
  ASSERT_EQ(FirstFitDifference(many, FileOrder(many), {}), "");
  for (uint64_t seed = 1; seed <= 500; ++seed) {
    Rng rng(seed);
    RandomProblemOptions options;
    options.max_size = rng.OneIn(2) ? 20 : uint64_t{1} << 31;
    Problem problem = RandomProblem(options, rng);
    problem.ceiling = uint64_t{1} << rng.Between(40, 62);
    for (uint64_t& alignment : problem.alignment) {
      if (rng.OneIn(2)) alignment = uint64_t{1} << rng.Below(50);
    }
    ASSERT_EQ(FirstFitDifference(problem, RandomOrder(problem, rng), {}), "")
        << "seed " << seed;
  }
}

void CheckRandom(const RandomProblemOptions& options, int rounds,
                 uint64_t first_seed) {
  for (int i = 0; i < rounds; ++i) {
    const uint64_t seed = first_seed + i;
    Rng rng(seed);
    const Problem problem = RandomProblem(options, rng);
    const std::vector<int32_t> order = RandomOrder(problem, rng);
    FirstFitCheck check;
    check.seed = seed;
    check.extra_questions = rng.OneIn(2);
    for (const int64_t events : {0, 1, 3, 20}) {
      check.events_per_window = events;
      ASSERT_EQ(FirstFitDifference(problem, order, check), "")
          << "seed " << seed << ", events a window " << events;
    }
  }
}

TEST(WindowFirstFit, EqualsPlainOnRandomProblems) { CheckRandom({}, 3000, 1); }

TEST(WindowFirstFit, EqualsPlainOnManyNodesAndTimes) {
  RandomProblemOptions options;
  options.max_nodes = 150;
  options.max_times = 300;
  options.max_runs = 5;
  options.max_pins = 6;
  CheckRandom(options, 200, 10'000);
}

TEST(WindowFirstFit, EqualsPlainWithPagesAndUnalignedSizes) {
  RandomProblemOptions options;
  options.max_nodes = 25;
  options.page_bytes = 16;
  options.max_size = 40;
  options.tight_ceiling = true;
  CheckRandom(options, 2000, 20'000);
}

TEST(WindowFirstFit, EqualsPlainWithByteWindows) {
  RandomProblemOptions options;
  options.windows = true;
  CheckRandom(options, 3000, 50'000);
  options.max_nodes = 60;
  options.max_times = 80;
  options.max_runs = 6;
  options.page_bytes = 16;
  options.tight_ceiling = true;
  CheckRandom(options, 500, 60'000);
  options.size_unit = uint64_t{1} << 40;
  CheckRandom(options, 300, 70'000);
}

TEST(WindowFirstFit, EqualsPlainInWholePages) {
  RandomProblemOptions options;
  options.max_nodes = 40;
  options.page_bytes = 4096;
  options.size_unit = 4096;
  options.alignments = false;
  CheckRandom(options, 500, 30'000);
}

// Sizes whose sums pass 32 bits in any unit: the wide index takes over, at once
// or on the way.
TEST(WindowFirstFit, EqualsPlainWithHugeSizes) {
  for (const uint64_t unit :
       {uint64_t{1} << 27, uint64_t{1} << 28, (uint64_t{1} << 28) + 1,
        uint64_t{1} << 31, (uint64_t{1} << 33) + 5}) {
    RandomProblemOptions options;
    options.max_nodes = 30;
    options.size_unit = unit;
    options.max_size = 3;
    CheckRandom(options, 300, 40'000);
  }
}

// Everything near the top of the address space, where sums wrap.
TEST(WindowFirstFit, EqualsPlainNearTheTop) {
  for (uint64_t seed = 50'000; seed < 52'000; ++seed) {
    Rng rng(seed);
    RandomProblemOptions options;
    options.tight_ceiling = true;
    Problem problem = RandomProblem(options, rng);
    const uint64_t up = ~uint64_t{0} - problem.floor - rng.Below(80);
    problem.floor += up;
    problem.cc_end =
        problem.floor + rng.Below(~uint64_t{0} - problem.floor + 1);
    problem.ceiling =
        ~uint64_t{0} - rng.Below(~uint64_t{0} - problem.cc_end + 1);
    for (Pin& pin : problem.pins) {
      pin.address = ~uint64_t{0} - rng.Below(100);
      pin.end = pin.address + rng.Below(~uint64_t{0} - pin.address + 1);
    }
    FirstFitCheck check;
    check.events_per_window = rng.Between(1, 9);
    check.extra_questions = true;
    ASSERT_EQ(FirstFitDifference(problem, RandomOrder(problem, rng), check), "")
        << "seed " << seed;
  }
}

// A narrow index that has to move over while nodes are placed.
TEST(WindowFirstFit, WidensOnTheWay) {
  Problem problem;
  problem.ceiling = ~uint64_t{0};
  for (int i = 0; i < 12; ++i) {
    AddNode(problem, {{i / 3, i / 3 + 6}}, (uint64_t{1} << 29) + i % 2);
  }
  const std::vector<int32_t> order = FileOrder(problem);
  WindowFirstFit first_fit(problem, order, 2);
  EXPECT_FALSE(first_fit.wide());
  uint64_t visits = 0;
  for (const int32_t node : order) {
    first_fit.Place(node, *first_fit.Find(node, 0, problem.ceiling));
    EXPECT_GE(first_fit.visits(), visits);
    visits = first_fit.visits();
  }
  EXPECT_TRUE(first_fit.wide());
  for (const int64_t events : {1, 2, 5, 100}) {
    FirstFitCheck check;
    check.events_per_window = events;
    EXPECT_EQ(FirstFitDifference(problem, order, check), "");
  }
}

// More pins than one chunk of a range set takes, each below the one before; one
// leaves a gap of its own.
TEST(WindowFirstFit, FindsTheGapAmongPinsFromTheTopDown) {
  Problem problem;
  problem.ceiling = ~uint64_t{0};
  for (uint64_t i = 700; i-- > 0;) {
    AddPin(problem, {{0, 1}}, 1000 * i, 1000 * i + (i == 400 ? 900 : 999));
  }
  AddNode(problem, {{0, 1}}, 100);
  const std::vector<int32_t> order = FileOrder(problem);
  WindowFirstFit first_fit(problem, order);
  EXPECT_EQ(first_fit.Find(0, 0, problem.ceiling), 400'900u);
  EXPECT_EQ(FirstFitDifference(problem, order, {}), "");
}

// Multiples of a large unit stay narrow, however far they reach.
TEST(WindowFirstFit, CountsInTheCommonUnit) {
  Problem problem;
  problem.floor = 3 << 12;
  problem.cc_end = problem.floor;
  problem.ceiling = ~uint64_t{0};
  problem.page_bytes = 4096;
  for (uint64_t i = 1; i < 20; ++i) AddNode(problem, {{0, 5}}, i << 38);
  const std::vector<int32_t> order = FileOrder(problem);
  WindowFirstFit first_fit(problem, order);
  uint64_t next = problem.floor;
  for (const int32_t node : order) {
    EXPECT_EQ(first_fit.Find(node, problem.floor, problem.ceiling), next);
    first_fit.Place(node, next);
    next += problem.size_bytes[node];
  }
  EXPECT_FALSE(first_fit.wide());
}

}  // namespace
}  // namespace berth
