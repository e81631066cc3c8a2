#include "tools/perf/compare.h"

#include <cmath>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "tools/perf/comparison_json.h"
#include "tools/perf/measure.h"

namespace berth::perf {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::vector<double> Times(double first, int n) {
  std::vector<double> values;
  for (int i = 0; i < n; ++i) values.push_back(first * (1 + 0.001 * i));
  return values;
}

BenchRun RunWith(const std::string& commit) {
  BenchRun run;
  run.info.commit = commit;
  run.info.machine = "one";
  return run;
}

const Row* RowOf(const Comparison& comparison, const SeriesName& name) {
  for (const Row& row : comparison.rows) {
    if (row.name == name) return &row;
  }
  return nullptr;
}

// Compares one measure of the benchmark "B".
Row CompareOne(const std::string& measure, const Series& base,
               const Series& current) {
  BenchRun a = RunWith("a");
  BenchRun b = RunWith("b");
  a.series[{"B", measure}] = base;
  b.series[{"B", measure}] = current;
  const Comparison comparison = Compare(a, b, {});
  EXPECT_EQ(comparison.rows.size(), 1u);
  EXPECT_EQ(comparison.rows[0].gates, comparison.regression());
  return comparison.rows[0];
}

TEST(CompareTest, ACountGatesOnOneRepetitionAndAnyChange) {
  EXPECT_EQ(CompareOne("visits", {{100}, {}}, {{100}, {}}).verdict,
            Verdict::kSame);
  const Row worse = CompareOne("visits", {{100}, {}}, {{101}, {}});
  EXPECT_EQ(worse.verdict, Verdict::kWorse);
  EXPECT_TRUE(worse.gates);
  EXPECT_DOUBLE_EQ(worse.effect, 0.01);
  const Row better = CompareOne("peak", {{100}, {}}, {{99}, {}});
  EXPECT_EQ(better.verdict, Verdict::kBetter);
  EXPECT_FALSE(better.gates);
  // From nothing to something.
  const Row grown = CompareOne("bytes", {{0}, {}}, {{1}, {}});
  EXPECT_EQ(grown.verdict, Verdict::kWorse);
  EXPECT_TRUE(std::isinf(grown.effect));
}

TEST(CompareTest, FactsOfTheInputMustStayEqual) {
  const Row row = CompareOne("lower_bound", {{100}, {}}, {{90}, {}});
  EXPECT_EQ(row.verdict, Verdict::kChanged);
  EXPECT_TRUE(row.gates);
}

TEST(CompareTest, WhatIsPerSomethingIsMeasuredAlikeAndARatioHasNoUnit) {
  EXPECT_STREQ(RuleOf("bytes/node").unit, "bytes");
  EXPECT_EQ(RuleOf("visits_per_query").kind, MeasureKind::kCount);
  EXPECT_EQ(RuleOf("peak/bound").kind, MeasureKind::kCount);
  EXPECT_STREQ(RuleOf("peak/bound").unit, "");
  EXPECT_STREQ(RuleOf("own_time/node").unit, "ns");
}

TEST(CompareTest, InstructionsHaveATolerance) {
  EXPECT_EQ(CompareOne("instructions/valgrind", {{100000}, {}}, {{100150}, {}})
                .verdict,
            Verdict::kSame);
  EXPECT_EQ(CompareOne("instructions/valgrind", {{100000}, {}}, {{100300}, {}})
                .verdict,
            Verdict::kWorse);
}

TEST(CompareTest, ACountThatVariesWithinARunIsAFinding) {
  const Row row = CompareOne("visits", {{100, 101}, {}}, {{100, 100}, {}});
  EXPECT_EQ(row.verdict, Verdict::kUnsteady);
  EXPECT_TRUE(row.gates);
  EXPECT_EQ(CompareOne("hash", {{}, {"a", "b"}}, {{}, {"a"}}).verdict,
            Verdict::kUnsteady);
}

TEST(CompareTest, AnotherPlacementIsAFindingUnlessThePeakIsLower) {
  const Row row = CompareOne("placement_hash", {{}, {"aa"}}, {{}, {"bb"}});
  EXPECT_EQ(row.verdict, Verdict::kChanged);
  EXPECT_TRUE(row.gates);
  BenchRun a = RunWith("a");
  BenchRun b = RunWith("b");
  a.series[{"B", "placement_hash"}].texts = {"aa"};
  b.series[{"B", "placement_hash"}].texts = {"bb"};
  a.series[{"B", "peak"}].values = {10};
  b.series[{"B", "peak"}].values = {9};
  EXPECT_FALSE(Compare(a, b, {}).regression());
  b.series[{"B", "peak"}].values = {10};
  EXPECT_TRUE(Compare(a, b, {}).regression());
}

TEST(CompareTest, ATimeNeedsSignificanceAndSize) {
  const Row slower =
      CompareOne("cpu_time", {Times(100, 10), {}}, {Times(106, 10), {}});
  EXPECT_EQ(slower.verdict, Verdict::kWorse);
  EXPECT_TRUE(slower.gates);
  EXPECT_NEAR(slower.effect, 0.06, 1e-3);
  EXPECT_LT(slower.p, 0.01);
  // Beyond doubt, but small.
  const Row small =
      CompareOne("cpu_time", {Times(100, 10), {}}, {Times(102, 10), {}});
  EXPECT_LT(small.p, 0.01);
  EXPECT_EQ(small.verdict, Verdict::kSame);
  // Large, but seen once.
  EXPECT_EQ(CompareOne("cpu_time", {{100}, {}}, {{150}, {}}).verdict,
            Verdict::kSame);
  EXPECT_EQ(CompareOne("cpu_time", {Times(106, 10), {}}, {Times(100, 10), {}})
                .verdict,
            Verdict::kBetter);
}

TEST(CompareTest, TheMoreBenchmarksTheMoreASingleOneMustShow) {
  BenchRun a = RunWith("a");
  BenchRun b = RunWith("b");
  // 5 against 5 separated values: p = 2 / 252 = 0.0079, enough if alone.
  a.series[{"B0", "cpu_time"}].values = Times(100, 5);
  b.series[{"B0", "cpu_time"}].values = Times(120, 5);
  EXPECT_TRUE(Compare(a, b, {}).regression());
  a.series[{"B1", "cpu_time"}].values = Times(100, 5);
  b.series[{"B1", "cpu_time"}].values = Times(100, 5);
  const Comparison two = Compare(a, b, {});
  EXPECT_FALSE(two.regression());
  // And it says that it could not have.
  EXPECT_THAT(two.notes,
              ::testing::Contains(HasSubstr("2 of 2 times have too few")));
}

// A slow spell that both builds meet hides a change from Mann-Whitney, not from
// pairs.
TEST(CompareTest, RunsTakenInTurnsAreComparedByPairs) {
  BenchRun a = RunWith("a");
  BenchRun b = RunWith("b");
  for (int i = 0; i < 20; ++i) {
    const double spell = std::pow(1.15, i % 7);
    a.series[{"B", "cpu_time"}].values.push_back(100 * spell + i * 0.01);
    b.series[{"B", "cpu_time"}].values.push_back(106 * spell);
  }
  EXPECT_FALSE(Compare(a, b, {}).regression());
  a.info.session = "s";
  b.info.session = "s";
  const Comparison paired = Compare(a, b, {});
  EXPECT_TRUE(paired.paired);
  EXPECT_TRUE(paired.regression());
  EXPECT_NEAR(paired.rows[0].effect, 0.06, 2e-3);
}

TEST(CompareTest, VanishedAndNewBenchmarksAreFindings) {
  BenchRun a = RunWith("a");
  BenchRun b = RunWith("b");
  a.series[{"Gone", "visits"}].values = {1};
  a.series[{"Stays", "visits"}].values = {1};
  b.series[{"Stays", "visits"}].values = {1};
  b.series[{"Fresh", "visits"}].values = {1};
  const Comparison comparison = Compare(a, b, {});
  EXPECT_EQ(RowOf(comparison, {"Gone", "visits"})->verdict, Verdict::kVanished);
  EXPECT_TRUE(RowOf(comparison, {"Gone", "visits"})->gates);
  EXPECT_EQ(RowOf(comparison, {"Fresh", "visits"})->verdict, Verdict::kNew);
  EXPECT_FALSE(RowOf(comparison, {"Fresh", "visits"})->gates);
  EXPECT_TRUE(comparison.regression());
  EXPECT_EQ(comparison.benchmarks, 1);
  CompareOptions only;
  only.only = "Stays";
  EXPECT_FALSE(Compare(a, b, only).regression());
}

TEST(CompareTest, TimesOfAnotherMachineDoNotGateButCountsDo) {
  BenchRun a = RunWith("a");
  BenchRun b = RunWith("b");
  b.info.machine = "two";
  a.series[{"B", "cpu_time"}].values = Times(100, 10);
  b.series[{"B", "cpu_time"}].values = Times(200, 10);
  const Comparison times = Compare(a, b, {});
  EXPECT_EQ(times.rows[0].verdict, Verdict::kWorse);
  EXPECT_FALSE(times.regression());
  EXPECT_THAT(times.notes[0], HasSubstr("different machines"));
  a.series[{"B", "visits"}].values = {1};
  b.series[{"B", "visits"}].values = {2};
  EXPECT_TRUE(Compare(a, b, {}).regression());
}

TEST(CompareTest, WhatHasNoRuleIsShownOnly) {
  const Row row = CompareOne("ids", {{1, 1, 1}, {}}, {{9, 9, 9}, {}});
  EXPECT_EQ(row.verdict, Verdict::kSame);
  EXPECT_DOUBLE_EQ(row.effect, 8);
}

TEST(CompareTest, JsonSaysTheSame) {
  BenchRun a = RunWith("a");
  BenchRun b = RunWith("b");
  a.series[{"B", "bytes"}].values = {0};
  b.series[{"B", "bytes"}].values = {4};
  a.series[{"B", "hash"}].texts = {"x"};
  b.series[{"B", "cpu_time"}].values = {4};
  const auto json = nlohmann::json::parse(ToJson(Compare(a, b, {})));
  EXPECT_EQ(json["regression"], true);
  EXPECT_EQ(json["rows"].size(), 3u);
  EXPECT_EQ(json["rows"][0]["measure"], "bytes");
  EXPECT_EQ(json["rows"][0]["effect"], nullptr);
  EXPECT_EQ(json["rows"][1]["base"], nullptr);
  EXPECT_EQ(json["rows"][1]["verdict"], "new");
  EXPECT_EQ(json["rows"][2]["base"], "x");
  EXPECT_EQ(json["rows"][2]["current"], nullptr);
}

}  // namespace
}  // namespace berth::perf
