#include "tools/perf/google_benchmark.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace berth::perf {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr char kContext[] = R"("context": {
  "date": "2026-11-30T08:24:50+00:00", "host_name": "vm", "num_cpus": 2,
  "mhz_per_cpu": 2300, "load_avg": [8.2, 4.4, 1.9],
  "library_build_type": "debug", "compiler": "gcc 12.2.0",
  "flags": "-c opt", "build_type": "release"})";

std::string Text(const std::string& benchmarks) {
  return absl::StrCat("{", kContext, ", \"benchmarks\": [", benchmarks, "]}");
}

std::string Entry(const std::string& name, double cpu_time,
                  const std::string& more = "") {
  return absl::StrCat(R"({"name": ")", name,
                      R"(", "run_type": "iteration", "iterations": 100,
      "family_index": 0, "real_time": 2e1, "cpu_time": )",
                      cpu_time, R"(, "time_unit": "us")", more, "}");
}

TEST(GoogleBenchmarkTest, KeepsTimesCountersAndTheHash) {
  BenchRun run;
  ASSERT_TRUE(AddGoogleBenchmark(
                  "a.json",
                  Text(Entry("Q/1", 10,
                             R"(, "visits/query": 4.5, "time/overlap": 1e-9,
                                "items_per_second": 7, "bytes": 24,
                                "label": "38.5 ids hash=0cd8")") +
                       "," + Entry("Q/1", 12, R"(, "visits/query": 4.5)")),
                  {}, run)
                  .ok());
  EXPECT_THAT((run.series[{"Q/1", "cpu_time"}].values),
              ElementsAre(10000, 12000));
  EXPECT_THAT((run.series[{"Q/1", "real_time"}].values),
              ElementsAre(20000, 20000));
  EXPECT_THAT((run.series[{"Q/1", "visits/query"}].values),
              ElementsAre(4.5, 4.5));
  EXPECT_THAT((run.series[{"Q/1", "hash"}].texts), ElementsAre("0cd8"));
  EXPECT_EQ(run.series.size(), 5u);  // and bytes
  EXPECT_EQ(run.info.compiler, "gcc 12.2.0");
  EXPECT_EQ(run.info.flags, "-c opt");
  EXPECT_EQ(run.info.machine, "vm, 2 CPUs, 2300 MHz");
  EXPECT_EQ(run.info.recorded_at, "2026-11-30T08:24:50Z");
  EXPECT_DOUBLE_EQ(run.info.load, 8.2);
}

TEST(GoogleBenchmarkTest, SeveralTextsAreRepetitionsOfWhichEachMayBeTheBest) {
  BenchRun run;
  const ReadBenchmarkOptions fastest = {.keep_fastest = true};
  for (const double slow : {30.0, 31.0}) {
    ASSERT_TRUE(
        AddGoogleBenchmark("a.json",
                           Text(Entry("Q/1", slow, R"(,"bytes": 1)") + "," +
                                Entry("Q/1", 8, R"(,"bytes": 2)")),
                           fastest, run)
            .ok());
  }
  EXPECT_THAT((run.series[{"Q/1", "cpu_time"}].values),
              ElementsAre(8000, 8000));
  EXPECT_THAT((run.series[{"Q/1", "bytes"}].values), ElementsAre(2, 2));
}

TEST(GoogleBenchmarkTest, LeavesOutAggregatesAndSkippedBenchmarks) {
  BenchRun run;
  const std::string skipped =
      R"({"name": "M/9", "run_type": "iteration", "error_occurred": true,
          "error_message": "skipped: too large"})";
  const std::string mean =
      R"({"name": "Q/1_mean", "run_type": "aggregate", "cpu_time": 3})";
  ASSERT_TRUE(
      AddGoogleBenchmark(
          "a.json", Text(Entry("Q/1", 1) + "," + skipped + "," + mean), {}, run)
          .ok());
  EXPECT_EQ(run.series.size(), 2u);
}

std::string ErrorOf(const std::string& text) {
  BenchRun run;
  const absl::Status status = AddGoogleBenchmark("a.json", text, {}, run);
  EXPECT_FALSE(status.ok());
  EXPECT_TRUE(run.series.empty());
  return std::string(status.message());
}

TEST(GoogleBenchmarkTest, RefusesWhatIsNoFigure) {
  EXPECT_THAT(ErrorOf("{"),
              HasSubstr("a.json: is no JSON of Google Benchmark"));
  EXPECT_THAT(ErrorOf("[]"), HasSubstr("is no JSON of Google Benchmark"));
  EXPECT_THAT(ErrorOf(Text("")), HasSubstr("holds no benchmarks"));
  EXPECT_THAT(ErrorOf(Text(R"({"name": "Q/1_mean", "run_type": "aggregate"})")),
              HasSubstr("aggregates only"));
  EXPECT_THAT(ErrorOf(Text(R"({"name": "Q/1", "error_occurred": true,
                               "error_message": "oracles disagree"})")),
              HasSubstr("'Q/1' failed: oracles disagree"));
}

TEST(GoogleBenchmarkTest, RefusesDebugBuilds) {
  const std::string text = Text(Entry("Q/1", 1));
  const std::string debug =
      absl::StrReplaceAll(text, {{"\"release\"", "\"debug\""}});
  EXPECT_THAT(ErrorOf(debug), HasSubstr("build with 'bazel build -c opt'"));
  // Where nothing says how the benchmarks were built, the library's word
  // counts unless the caller knows better.
  const std::string silent =
      absl::StrReplaceAll(text, {{"\"build_type\"", "\"x\""}});
  EXPECT_THAT(ErrorOf(silent), HasSubstr("--trust-build"));
  BenchRun run;
  EXPECT_TRUE(
      AddGoogleBenchmark("a.json", silent, {.trust_build = true}, run).ok());
  EXPECT_FALSE(
      AddGoogleBenchmark("a.json", debug, {.trust_build = true}, run).ok());
}

}  // namespace
}  // namespace berth::perf
