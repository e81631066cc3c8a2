#include "allocator/placement/local_order.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "allocator/base/rng.h"
#include "allocator/model/intervals.h"
#include "allocator/placement/plain_first_fit.h"
#include "allocator/placement/planners.h"
#include "allocator/placement/problem.h"
#include "allocator/placement/regions.h"
#include "allocator/placement/window_first_fit.h"
#include "allocator/placement/window_layout.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/placement/first_fit_checker.h"
#include "tests/placement/random_problem.h"

namespace berth {
namespace {

// What a caller expects who loads nothing beforehand.
constexpr auto kNothing = [](int32_t) {};

// As fine as can be: a stretch is one window.
LocalOrderCut Fine(size_t batch) {
  return {.stretch_bytes = 0,
          .least_bytes = 0,
          .least_batch = batch,
          .batches = size_t{1} << 40};
}

RandomProblemOptions Many() {
  RandomProblemOptions options;
  options.max_nodes = 120;
  options.max_times = 200;
  options.tight_ceiling = true;
  return options;
}

std::vector<size_t> Places(absl::Span<const int32_t> order) {
  std::vector<size_t> places(order.size());
  for (size_t i = 0; i < order.size(); ++i) places[order[i]] = i;
  return places;
}

// `count` nodes over twice as many times, `live` of them at a time or so.
Problem Exponential(int32_t count, double live, uint64_t seed) {
  Rng rng(seed);
  std::vector<SimpleNode> nodes;
  const int32_t times = 2 * count;
  for (int32_t i = 0; i < count; ++i) {
    const auto lo = static_cast<int32_t>(rng.Below(times));
    // The sum of two uniform lengths is near enough.
    const auto length =
        static_cast<int64_t>((rng.Unit() + rng.Unit()) * 2 * live);
    nodes.push_back(
        {lo, static_cast<int32_t>(std::min<int64_t>(lo + length, times - 1)),
         1 + rng.Below(1 << 20)});
  }
  Problem problem = SimpleProblem(nodes);
  problem.num_times = times;
  return problem;
}

TEST(LocalOrder, KeepsTheOrderOfNodesThatInterfere) {
  int64_t moved = 0;
  for (uint64_t seed = 1; seed <= 600; ++seed) {
    Rng rng(seed);
    const Problem problem = RandomProblem(Many(), rng);
    const std::vector<int32_t> order = RandomOrder(problem, rng);
    const WindowLayout layout(problem, rng.Between(1, 10));
    const size_t batch = rng.Between(1, 150);
    const LocalOrder local(layout, order, Fine(batch));
    ASSERT_EQ(local.nodes().size(), order.size());
    const std::vector<size_t> before = Places(order);
    const std::vector<size_t> after = Places(local.nodes());
    for (int32_t a = 0; a < problem.num_nodes(); ++a) {
      ASSERT_EQ(local.nodes()[after[a]], a) << "seed " << seed;
      ASSERT_EQ(before[a] / batch, after[a] / batch) << "seed " << seed;
      moved += before[a] != after[a] ? 1 : 0;
      for (int32_t b = 0; b < a; ++b) {
        if (!Interfere(problem.live.of(a), problem.live.of(b))) continue;
        ASSERT_EQ(before[a] < before[b], after[a] < after[b])
            << "nodes " << a << " and " << b << ", seed " << seed;
      }
    }
  }
  EXPECT_GT(moved, 1000);
}

TEST(LocalOrder, TakesOneStretchAfterAnother) {
  // Short lives: but for those that cross a border, nodes come by stretch.
  const Problem problem = Exponential(2000, 5, 1);
  Rng rng(2);
  const std::vector<int32_t> order = RandomOrder(problem, rng);
  const WindowLayout layout(problem, 200);
  const auto strides = [&](absl::Span<const int32_t> nodes) {
    int64_t sum = 0;
    for (size_t i = 1; i < nodes.size(); ++i) {
      sum += std::abs(problem.live.of(nodes[i])[0].lo -
                      problem.live.of(nodes[i - 1])[0].lo);
    }
    return sum;
  };
  const LocalOrder local(layout, order, Fine(2000));
  EXPECT_LT(strides(local.nodes()), strides(order) / 5);
}

TEST(LocalOrder, LeavesTheRestAloneWhereAllLiveLong) {
  std::vector<SimpleNode> nodes;
  for (int32_t i = 0; i < 50; ++i) nodes.push_back({i, 100 + i, 8});
  const Problem problem = SimpleProblem(nodes);
  Rng rng(1);
  const std::vector<int32_t> order = RandomOrder(problem, rng);
  const WindowLayout layout(problem, 1);
  const LocalOrder local(layout, order, Fine(50));
  EXPECT_EQ(local.nodes(), absl::MakeConstSpan(order));
}

TEST(LocalOrder, SmallProblemsStayInOrder) {
  const Problem problem = Exponential(2000, 5, 1);
  Rng rng(2);
  const std::vector<int32_t> order = RandomOrder(problem, rng);
  const LocalOrder local(WindowLayout(problem), order);
  EXPECT_EQ(local.nodes(), absl::MakeConstSpan(order));
  const LocalOrder none(WindowLayout(problem), {}, Fine(3));
  EXPECT_TRUE(none.nodes().empty());
  EXPECT_EQ(none.PlaceAll([](int32_t) { return false; }, kNothing), 0);
}

// By any order: what is placed where, up to the first node that is not.
struct Fit {
  std::vector<std::optional<uint64_t>> address;
  size_t stop = 0;
};

Fit Place(const WindowLayout& layout, absl::Span<const int32_t> order,
          const LocalOrder& local) {
  const Problem& problem = layout.problem();
  WindowFirstFit first_fit(layout, local.nodes());
  Fit fit;
  fit.address.resize(problem.num_nodes());
  const auto place = [&](int32_t node) {
    fit.address[node] = PlaceNode(first_fit, problem, node);
    return fit.address[node].has_value();
  };
  fit.stop = local.PlaceAll(place, kNothing);
  for (size_t i = fit.stop; i < order.size(); ++i) {
    fit.address[order[i]] = std::nullopt;
  }
  return fit;
}

TEST(LocalOrder, PlacesAndStopsAsTheOrderDoes) {
  int stopped = 0;
  for (uint64_t seed = 1; seed <= 2000; ++seed) {
    Rng rng(seed);
    RandomProblemOptions options = Many();
    options.page_bytes = rng.OneIn(2) ? 1 : 8;
    options.windows = rng.OneIn(4);
    const Problem problem = RandomProblem(options, rng);
    const std::vector<int32_t> order = RandomOrder(problem, rng);
    const WindowLayout layout(problem, rng.Between(1, 10));
    const Fit want = Place(layout, order, LocalOrder::AsItIs(order));
    const Fit got = Place(layout, order,
                          LocalOrder(layout, order, Fine(rng.Between(1, 150))));
    ASSERT_EQ(got.stop, want.stop) << "seed " << seed;
    ASSERT_EQ(got.address, want.address) << "seed " << seed;
    stopped += want.stop < order.size() ? 1 : 0;
  }
  EXPECT_GT(stopped, 200);
  EXPECT_LT(stopped, 1800);
}

// Callers refuse whatever they like, so more than one node of a batch.
TEST(LocalOrder, StopsAtTheFirstRefusedOfTheOrder) {
  for (uint64_t seed = 1; seed <= 500; ++seed) {
    Rng rng(seed);
    const Problem problem = RandomProblem(Many(), rng);
    const std::vector<int32_t> order = RandomOrder(problem, rng);
    const WindowLayout layout(problem, 3);
    const LocalOrder local(layout, order, Fine(rng.Between(1, 150)));
    std::vector<bool> refused(order.size());
    for (size_t i = 0; i < refused.size(); ++i) refused[i] = rng.OneIn(15);
    std::vector<bool> called(order.size(), false);
    int32_t last_refused = -1;
    std::vector<bool> expected(order.size(), false);
    const auto place = [&](int32_t node) {
      EXPECT_FALSE(called[node]);
      called[node] = true;
      if (refused[node]) last_refused = node;
      return !refused[node];
    };
    const size_t stop = local.PlaceAll(place, [&](int32_t node) {
      EXPECT_FALSE(called[node] || expected[node]);
      expected[node] = true;
    });
    for (size_t i = 0; i < stop; ++i) {
      ASSERT_TRUE(called[order[i]] && !refused[order[i]]) << "seed " << seed;
    }
    if (stop == order.size()) continue;
    ASSERT_TRUE(refused[order[stop]]) << "seed " << seed;
    ASSERT_EQ(last_refused, order[stop]) << "seed " << seed;
  }
}

// Large enough for the planners to rearrange by themselves.
TEST(LocalOrder, PlannersPlaceAndFailAsTheOrderDoes) {
  Problem problem = Exponential(220'000, 20, 1);
  Rng rng(7);
  const std::vector<int32_t> order = RandomOrder(problem, rng);
  uint64_t peak = 0;
  {
    const WindowLayout layout(problem);
    ASSERT_NE(LocalOrder(layout, order).nodes(), absl::MakeConstSpan(order));
    const Fit want = Place(layout, order, LocalOrder::AsItIs(order));
    const auto got = SelectFast(problem, order);
    ASSERT_TRUE(got.ok());
    for (const int32_t node : order) {
      ASSERT_EQ(got->address[node], want.address[node]);
    }
    peak = Peak(problem, *got);
  }
  for (const uint64_t percent : {99, 70}) {
    problem.ceiling = peak / 100 * percent;
    const WindowLayout layout(problem);
    const Fit want = Place(layout, order, LocalOrder::AsItIs(order));
    ASSERT_LT(want.stop, order.size());
    const auto got = SelectFast(problem, order);
    EXPECT_EQ(got.status().code(), absl::StatusCode::kResourceExhausted);
    EXPECT_THAT(
        got.status().message(),
        testing::HasSubstr("'" + problem.NameOf(order[want.stop]) + "'"));
  }
}

}  // namespace
}  // namespace berth
