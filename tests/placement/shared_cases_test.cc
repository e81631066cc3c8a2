// The planners on the real instances that stand beside the workspace, where
// there are any (the folder BERTH_SHARED names, or ../shared): no worse than
// the best that others reach there.
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "allocator/formats/csv.h"
#include "allocator/pipeline/plan_instance.h"
#include "allocator/placement/greedy.h"
#include "allocator/placement/problem.h"
#include "allocator/placement/tight/tight.h"
#include "gtest/gtest.h"
#include "tests/placement/placement_check.h"

namespace berth {
namespace {

namespace fs = std::filesystem;

struct Case {
  const char* file;
  // Peak over lower bound.
  double greedy;  // the best heuristic of others
  double tight;   // within 200,000 steps
};

constexpr Case kCases[] = {
    {"minimalloc/A.1048576.csv", 1.272, 1.0},
    {"minimalloc/B.1048576.csv", 1.325, 1.0},
    {"minimalloc/C.1048576.csv", 1.364, 1.0},
    {"minimalloc/D.1048576.csv", 1.252, 1.06},
    {"minimalloc/E.1048576.csv", 1.300, 1.0},
    {"minimalloc/F.1048576.csv", 1.200, 1.0},
    {"minimalloc/input.12.csv", 1.0, 1.0},
    {"idealloc/G_1.csv", 1.0, 1.0},
    {"idealloc/resnet50.csv", 1.0035, 1.0},
    {"idealloc/S_1.csv", 1.0094, 1.0},
};

// Figures are given to three places, or four.
constexpr double kRounding = 0.0005;

fs::path CasesFolder() {
  if (const char* const folder = std::getenv("BERTH_SHARED")) {
    return fs::path(folder) / "cases";
  }
  std::error_code error;
  const fs::path source =
      fs::canonical("tests/placement/shared_cases_test.cc", error);
  if (error) return "";
  return source.parent_path().parent_path().parent_path().parent_path() /
         "shared" / "cases";
}

class SharedCases : public testing::TestWithParam<Case> {
 protected:
  void SetUp() override {
    const fs::path path = CasesFolder() / GetParam().file;
    if (!fs::exists(path)) GTEST_SKIP() << "skipped: no file " << path;
    std::ifstream file(path, std::ios::binary);
    const std::string content{std::istreambuf_iterator<char>(file), {}};
    auto document = ReadCsv(content, path.string(), {});
    ASSERT_TRUE(document.ok()) << document.status();
    instance_ = std::move(document->instance);
    auto numbered = NumberInstance(instance_, PlanOptions());
    ASSERT_TRUE(numbered.ok()) << numbered.status();
    problem_ = std::move(numbered->problem);
    max_load_ = static_cast<double>(MaxLoad(problem_));
  }
  double Ratio(const Placement& placement) const {
    return static_cast<double>(Peak(problem_, placement)) / max_load_;
  }

  Instance instance_;  // the names of problem_ point into it
  Problem problem_;
  double max_load_ = 1;
};

// Steps, not seconds: a step is about three microseconds on these.
TEST_P(SharedCases, TightReachesTheLowerBoundOrNearlySo) {
  TightOptions options;
  options.budget_steps = 200'000;
  const auto placement = PlanTight(problem_, options);
  ASSERT_TRUE(placement.ok()) << placement.status();
  if (problem_.num_nodes() < 2000) {
    EXPECT_EQ(FaultOf(problem_, *placement), "");
  }
  EXPECT_LE(Ratio(*placement), GetParam().tight + kRounding);
  EXPECT_EQ(placement->proved_optimal, GetParam().tight == 1.0);
}

TEST_P(SharedCases, GreedyIsNoWorseThanOthers) {
  if (problem_.num_nodes() == 0) return;
  const auto placement = PlanGreedy(problem_);
  ASSERT_TRUE(placement.ok()) << placement.status();
  if (problem_.num_nodes() < 2000) {
    EXPECT_EQ(FaultOf(problem_, *placement), "");
  }
  EXPECT_LE(Ratio(*placement), GetParam().greedy + kRounding);
}

INSTANTIATE_TEST_SUITE_P(
    All, SharedCases, testing::ValuesIn(kCases),
    [](const testing::TestParamInfo<Case>& info) {
      return fs::path(info.param.file).filename().stem().stem().string();
    });

}  // namespace
}  // namespace berth
