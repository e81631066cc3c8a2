#include "tools/perf/noise.h"

#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace berth::perf {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// `n` times round 100 that differ by up to `spread`, in another order for each
// `seed`.
std::vector<double> Times(int n, double spread, int seed) {
  std::vector<double> times;
  for (int i = 0; i < n; ++i) {
    const int step = (i * 37 + seed * 11) % 101;
    times.push_back(100 * (1 + spread * (step - 50) / 50.0));
  }
  return times;
}

BenchRun RunOf(const std::string& benchmark, const std::vector<double>& times) {
  BenchRun run;
  run.series[{benchmark, "cpu_time"}].values = times;
  return run;
}

TEST(TooNoisyTest, FewRepetitionsShowNothing) {
  const BenchRun base = RunOf("B", Times(4, 0.001, 1));
  const BenchRun current = RunOf("B", Times(4, 0.001, 2));
  EXPECT_THAT(TooNoisy(base, current, true, {}),
              ElementsAre(SeriesName{"B", "cpu_time"}));
  EXPECT_THAT(TooNoisy(base, current, false, {}),
              ElementsAre(SeriesName{"B", "cpu_time"}));
}

TEST(TooNoisyTest, SpreadTakesRepetitions) {
  for (const bool paired : {false, true}) {
    const auto noisy = [paired](int n, double spread) {
      return !TooNoisy(RunOf("B", Times(n, spread, 1)),
                       RunOf("B", Times(n, spread, 2)), paired, {})
                  .empty();
    };
    EXPECT_FALSE(noisy(20, 0.01)) << paired;
    EXPECT_TRUE(noisy(20, 0.2)) << paired;
    EXPECT_FALSE(noisy(200, 0.1)) << paired;
  }
}

TEST(TooNoisyTest, HowFarTheRunsLieApartDoesNotMatter) {
  for (const double factor : {0.5, 1.0, 1.05, 3.0}) {
    std::vector<double> slower = Times(20, 0.01, 2);
    for (double& time : slower) time *= factor;
    EXPECT_THAT(
        TooNoisy(RunOf("B", Times(20, 0.01, 1)), RunOf("B", slower), true, {}),
        IsEmpty());
    for (double& time : slower) time = 100 * factor;
    EXPECT_THAT(
        TooNoisy(RunOf("B", Times(20, 0.2, 1)), RunOf("B", slower), true, {}),
        ElementsAre(SeriesName{"B", "cpu_time"}));
  }
}

TEST(TooNoisyTest, CountsAndWhatOneRunLacksHaveNoNoise) {
  BenchRun base = RunOf("Gone", Times(2, 0.3, 1));
  base.series[{"B", "visits"}].values = {7};
  BenchRun current = RunOf("Fresh", Times(2, 0.3, 1));
  current.series[{"B", "visits"}].values = {8};
  EXPECT_THAT(TooNoisy(base, current, true, {}), IsEmpty());
}

TEST(EnoughTest, LooksEveryFifthTimeFromTheLeastToTheMost) {
  const BenchRun steady = RunOf("B", Times(20, 0.001, 1));
  const BenchRun noisy = RunOf("B", Times(20, 0.4, 2));
  const Repeat repeat = {.at_least = 10, .at_most = 30, .resolution = {}};
  EXPECT_FALSE(Enough(repeat, 9, steady, steady));
  EXPECT_TRUE(Enough(repeat, 10, steady, steady));
  EXPECT_FALSE(Enough(repeat, 11, steady, steady));
  EXPECT_FALSE(Enough(repeat, 10, steady, noisy));
  EXPECT_FALSE(Enough(repeat, 29, steady, noisy));
  EXPECT_TRUE(Enough(repeat, 30, steady, noisy));
  const Repeat exactly = {.at_least = 3, .at_most = 3, .resolution = {}};
  EXPECT_FALSE(Enough(exactly, 2, steady, steady));
  EXPECT_TRUE(Enough(exactly, 3, steady, noisy));
}

}  // namespace
}  // namespace berth::perf
