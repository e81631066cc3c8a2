// All problems of up to 4 nodes x 4 times x 3 sizes: every planner's peak is at
// least the exhaustive optimum, which is at least the lower bound; reference
// and briggs agree; nothing overlaps.
#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <vector>

#include "allocator/base/int_math.h"
#include "allocator/model/options.h"
#include "allocator/placement/planners.h"
#include "allocator/placement/problem.h"
#include "gtest/gtest.h"
#include "tests/placement/random_problem.h"

namespace berth {
namespace {

constexpr int kTimes = 4;
constexpr uint64_t kSizes[] = {1, 2, 5};

std::vector<SimpleNode> AllNodes() {
  std::vector<SimpleNode> nodes;
  for (int32_t lo = 0; lo < kTimes; ++lo) {
    for (int32_t hi = lo; hi < kTimes; ++hi) {
      for (const uint64_t size : kSizes) nodes.push_back({lo, hi, size});
    }
  }
  return nodes;
}

bool Meet(const SimpleNode& a, const SimpleNode& b) {
  return a.lo <= b.hi && b.lo <= a.hi;
}

// The least peak over all orders of "as low as it goes", which holds an
// optimum: push the nodes of any optimal placement down from the lowest.
uint64_t Optimum(const std::vector<SimpleNode>& nodes) {
  std::array<int, 4> order;
  std::iota(order.begin(), order.end(), 0);
  uint64_t best = ~uint64_t{0};
  do {
    std::array<uint64_t, 4> address = {};
    uint64_t peak = 0;
    for (size_t i = 0; i < nodes.size(); ++i) {
      const SimpleNode& node = nodes[order[i]];
      uint64_t x = 0;
      for (bool moved = true; moved;) {
        moved = false;
        for (size_t j = 0; j < i; ++j) {
          const SimpleNode& other = nodes[order[j]];
          const uint64_t end = address[order[j]] + other.size;
          if (Meet(node, other) && x < end &&
              address[order[j]] < x + node.size) {
            x = end;
            moved = true;
          }
        }
      }
      address[order[i]] = x;
      peak = std::max(peak, x + node.size);
    }
    best = std::min(best, peak);
  } while (std::next_permutation(order.begin(), order.begin() + nodes.size()));
  return best;
}

void CheckOne(const std::vector<SimpleNode>& nodes) {
  const Problem problem = SimpleProblem(nodes);
  const uint64_t optimum = Optimum(nodes);
  ASSERT_TRUE(MaxLoad(problem) <= optimum);
  PlannerOptions options;
  std::vector<uint64_t> reference;
  for (const Planner planner : {Planner::kReference, Planner::kBriggs,
                                Planner::kGreedy, Planner::kTight}) {
    options.planner = planner;
    const auto placement = Plan(problem, options);
    ASSERT_TRUE(placement.ok()) << placement.status();
    ASSERT_GE(Peak(problem, *placement), optimum);
    for (size_t i = 0; i < nodes.size(); ++i) {
      for (size_t j = 0; j < i; ++j) {
        const uint64_t a = placement->address[i];
        const uint64_t b = placement->address[j];
        ASSERT_TRUE(!Meet(nodes[i], nodes[j]) || a + nodes[i].size <= b ||
                    b + nodes[j].size <= a);
      }
    }
    if (planner == Planner::kReference) {
      reference = placement->address;
    } else if (planner == Planner::kBriggs) {
      ASSERT_EQ(placement->address, reference);
    } else if (planner == Planner::kTight) {
      ASSERT_EQ(Peak(problem, *placement), optimum);
    }
  }
}

TEST(Exhaustive, NoPlannerBeatsTheOptimumAndNoneOverlaps) {
  const std::vector<SimpleNode> all = AllNodes();
  int64_t problems = 0;
  std::vector<SimpleNode> nodes;
  // Multisets, smallest index first; ids follow, so ties differ from file to
  // file only where nodes are equal.
  const auto extend = [&](const auto& self, size_t from) -> void {
    if (!nodes.empty()) {
      CheckOne(nodes);
      ++problems;
    }
    if (nodes.size() == 4 || ::testing::Test::HasFatalFailure()) return;
    for (size_t i = from; i < all.size(); ++i) {
      nodes.push_back(all[i]);
      self(self, i);
      nodes.pop_back();
    }
  };
  extend(extend, 0);
  EXPECT_EQ(problems, 30 + 465 + 4960 + 40920);
}

}  // namespace
}  // namespace berth
