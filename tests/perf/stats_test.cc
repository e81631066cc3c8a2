// Known values are those of SciPy 1.10.1 (mannwhitneyu and wilcoxon).
#include "tools/perf/stats.h"

#include <cmath>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace berth::perf {
namespace {

using ::testing::DoubleNear;
using ::testing::ElementsAre;

std::vector<double> Ramp(double first, int n) {
  std::vector<double> values;
  for (int i = 0; i < n; ++i) values.push_back(first + i);
  return values;
}

TEST(MannWhitneyTest, ExactAsScipy) {
  const std::vector<double> a = {1.1, 2.3, 3.7, 4.9};
  const std::vector<double> b = {2.5, 5.1, 6.2, 7.7, 8.4};
  const TestResult result = MannWhitney(a, b);
  EXPECT_TRUE(result.exact);
  EXPECT_DOUBLE_EQ(result.statistic, 18);
  EXPECT_NEAR(result.p, 0.06349206349206349, 1e-15);

  const TestResult apart = MannWhitney(Ramp(10, 10), Ramp(20, 10));
  EXPECT_DOUBLE_EQ(apart.statistic, 100);
  EXPECT_NEAR(apart.p, 1.082508822446903e-05, 1e-18);

  const std::vector<double> c = {3.2, 1.5, 4.8, 2.9, 7.1, 6.6, 5.4, 0.7};
  const std::vector<double> d = {3.3, 9.1, 8.2, 4.4, 6.1, 10.3, 2.2};
  const TestResult mixed = MannWhitney(c, d);
  EXPECT_DOUBLE_EQ(mixed.statistic, 40);
  EXPECT_NEAR(mixed.p, 0.1892773892773893, 1e-15);
}

TEST(MannWhitneyTest, TiesAndManyValuesAsScipy) {
  const std::vector<double> a = {1, 2, 2, 3, 4, 4, 5};
  const std::vector<double> b = {2, 4, 5, 5, 6, 7, 8, 8};
  const TestResult ties = MannWhitney(a, b);
  EXPECT_FALSE(ties.exact);
  EXPECT_DOUBLE_EQ(ties.statistic, 48);
  EXPECT_NEAR(ties.p, 0.02241004062282505, 1e-14);

  std::vector<double> c;
  std::vector<double> d;
  for (int i = 0; i < 60; ++i) c.push_back(100 + ((i * 37) % 101) * 0.13);
  for (int i = 0; i < 70; ++i) d.push_back(103 + ((i * 53) % 97) * 0.17);
  const TestResult many = MannWhitney(c, d);
  EXPECT_FALSE(many.exact);
  EXPECT_DOUBLE_EQ(many.statistic, 3164);
  EXPECT_NEAR(many.p, 6.810223306471316e-07, 1e-18);
}

TEST(MannWhitneyTest, SaysNothingOfEqualOrMissingValues) {
  EXPECT_DOUBLE_EQ(
      MannWhitney(std::vector<double>(3, 5.0), std::vector<double>(4, 5.0)).p,
      1);
  EXPECT_DOUBLE_EQ(MannWhitney({}, std::vector<double>{1, 2}).p, 1);
}

TEST(MannWhitneyTest, ItsSidesAreSymmetric) {
  const std::vector<double> a = {1.5, 2.5, 9.5};
  const std::vector<double> b = {2, 3, 4, 5};
  EXPECT_DOUBLE_EQ(MannWhitney(a, b).p, MannWhitney(b, a).p);
  EXPECT_DOUBLE_EQ(MannWhitney(a, b).statistic + MannWhitney(b, a).statistic,
                   12);
}

TEST(SignedRankTest, ExactAsScipy) {
  const std::vector<double> a = {1.5, -0.4, 2.2, 3.1, -0.9, 4.0, 0.7, 5.2};
  const TestResult few = SignedRank(a);
  EXPECT_TRUE(few.exact);
  EXPECT_DOUBLE_EQ(few.statistic, 32);
  EXPECT_NEAR(few.p, 0.0546875, 1e-15);

  std::vector<double> b;
  for (int i = 0; i < 20; ++i) {
    b.push_back(0.1 * (i + 1) * (i % 4 != 0 ? 1 : -1) + 0.003 * i);
  }
  const TestResult more = SignedRank(b);
  EXPECT_DOUBLE_EQ(more.statistic, 165);
  EXPECT_NEAR(more.p, 0.023950576782226562, 1e-15);
}

TEST(SignedRankTest, TiesZerosAndManyValuesAsScipy) {
  const std::vector<double> a = {1, -1, 2, 2, 3, 0, -2, 4, 5, 5};
  const TestResult ties = SignedRank(a);
  EXPECT_FALSE(ties.exact);
  EXPECT_DOUBLE_EQ(ties.statistic, 39.5);
  EXPECT_NEAR(ties.p, 0.04940018799120363, 1e-14);

  std::vector<double> b;
  for (int i = 0; i < 60; ++i) b.push_back(((i * 29) % 83) - 30.5);
  const TestResult many = SignedRank(b);
  EXPECT_FALSE(many.exact);
  EXPECT_DOUBLE_EQ(many.statistic, 1307);
  EXPECT_NEAR(many.p, 0.003949036596120202, 1e-14);
}

TEST(LogsTest, RatiosBecomeDifferences) {
  EXPECT_THAT(DifferencesOf(LogsOf(std::vector<double>{100, 200, 7}),
                            LogsOf(std::vector<double>{110, 220})),
              ElementsAre(DoubleNear(std::log(1.1), 1e-12),
                          DoubleNear(std::log(1.1), 1e-12)));
  EXPECT_THAT(LogsOf(std::vector<double>{0}), ElementsAre(std::log(1e-3)));
}

TEST(QuantileTest, InterpolatesBetweenOrderStatistics) {
  EXPECT_DOUBLE_EQ(Median({3, 1, 2}), 2);
  EXPECT_DOUBLE_EQ(Median({4, 1, 2, 3}), 2.5);
  EXPECT_DOUBLE_EQ(Median({}), 0);
  EXPECT_DOUBLE_EQ(Quantile({0, 10}, 0.25), 2.5);
  EXPECT_DOUBLE_EQ(Quantile({0, 10}, 1), 10);
}

TEST(ShiftTest, IsTheMedianOfAllDifferencesAndIgnoresAnOutlier) {
  const std::vector<double> a = {1, 2, 3, 4, 5};
  const std::vector<double> b = {3, 4, 5, 6, 1000};
  EXPECT_DOUBLE_EQ(ShiftOf(a, b), 2);
  EXPECT_DOUBLE_EQ(CentreOf(std::vector<double>{1, 1, 1, 50}), 1);
}

TEST(HolmTest, StepsDownAndKeepsOrder) {
  EXPECT_THAT(Holm({0.04, 0.01, 0.03}),
              ElementsAre(DoubleNear(0.06, 1e-12), DoubleNear(0.03, 1e-12),
                          DoubleNear(0.06, 1e-12)));
  EXPECT_THAT(Holm({0.9, 0.8}), ElementsAre(1, 1));
  EXPECT_TRUE(Holm({}).empty());
}

}  // namespace
}  // namespace berth::perf
