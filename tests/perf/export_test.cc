// Each export against the schema that its reader publishes.
#include "tools/perf/export.h"

#include <set>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"

namespace berth::perf {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Json = nlohmann::json;

BenchRun Sample() {
  BenchRun run;
  run.info.recorded_at = "2026-11-30T08:24:50Z";
  run.info.commit = "0123456789abcdef";
  run.info.machine = "vm, 2 CPUs";
  run.info.compiler = "gcc 12.2.0";
  run.info.flags = "-c opt";
  run.series[{"Q/1", "cpu_time"}].values = {1000, 3000, 2000, 4000, 5000};
  run.series[{"Q/1", "visits/query"}].values = {7};
  run.series[{"Q/1", "ids"}].values = {9};
  run.series[{"Q/1", "lower_bound"}].values = {5};
  run.series[{"Q/1", "placement_hash"}].texts = {"ab", "ab"};
  run.series[{"Q/1", "max_rss_bytes"}].values = {4096};
  return run;
}

TEST(ExportTest, GithubActionBenchmark) {
  const Json all = Json::parse(ToGithubActionBenchmark(Sample()));
  ASSERT_TRUE(all.is_array());
  ASSERT_EQ(all.size(), 2u);  // what is judged and better when smaller
  for (const Json& entry : all) {
    EXPECT_TRUE(entry["name"].is_string());
    EXPECT_TRUE(entry["unit"].is_string() && entry["unit"] != "");
    EXPECT_TRUE(entry["value"].is_number());
    EXPECT_TRUE(!entry.contains("range") || entry["range"].is_string());
    EXPECT_TRUE(!entry.contains("extra") || entry["extra"].is_string());
  }
  EXPECT_EQ(all[0]["name"], "Q/1");
  EXPECT_EQ(all[0]["value"], 3000);
  EXPECT_EQ(all[0]["unit"], "ns");
  EXPECT_EQ(all[0]["range"], "± 1000");
  EXPECT_EQ(all[1]["name"], "Q/1 visits/query");
}

TEST(ExportTest, BencherMetricFormat) {
  const Json all = Json::parse(ToBencher(Sample()));
  ASSERT_TRUE(all.is_object());
  for (const auto& [benchmark, measures] : all.items()) {
    EXPECT_LE(benchmark.size(), 1024u);
    ASSERT_TRUE(measures.is_object());
    for (const auto& [measure, metric] : measures.items()) {
      EXPECT_LE(measure.size(), 64u);
      EXPECT_TRUE(metric["value"].is_number());
      for (const auto& [key, value] : metric.items()) {
        EXPECT_THAT(key,
                    ::testing::AnyOf("value", "lower_value", "upper_value"));
        EXPECT_TRUE(value.is_number());
      }
    }
  }
  EXPECT_EQ(all["Q/1"]["latency"]["value"], 3000);
  EXPECT_EQ(all["Q/1"]["latency"]["lower_value"], 2000);
  EXPECT_EQ(all["Q/1"]["latency"]["upper_value"], 4000);
  EXPECT_EQ(all["Q/1"]["visits/query"]["value"], 7);
}

// What lnt.testing.upgrade_and_normalize_report and
// TestSuiteDB._importSampleValues ask of version 2.
void CheckLnt(const Json& report, const std::set<std::string>& metrics) {
  EXPECT_EQ(report["format_version"], "2");
  EXPECT_TRUE(report["machine"]["name"].is_string());
  for (const auto& [key, value] : report["machine"].items()) {
    EXPECT_TRUE(value.is_string()) << key;
  }
  for (const auto& [key, value] : report["run"].items()) {
    EXPECT_TRUE(value.is_string()) << key;
  }
  EXPECT_EQ(report["run"]["start_time"], "2026-11-30T08:24:50");
  EXPECT_EQ(report["run"]["end_time"], "2026-11-30T08:24:50");
  EXPECT_EQ(report["run"]["llvm_project_revision"], "0123456789abcdef");
  ASSERT_TRUE(report["tests"].is_array());
  for (const Json& test : report["tests"]) {
    EXPECT_TRUE(test["name"].is_string());
    for (const auto& [key, value] : test.items()) {
      EXPECT_TRUE(key == "name" || metrics.count(key) == 1) << key;
      EXPECT_TRUE(value.is_number() || value.is_string() || value.is_array());
      for (const Json& one : value.is_array() ? value : Json::array()) {
        EXPECT_TRUE(one.is_number());
      }
    }
  }
}

TEST(ExportTest, LntKnowsTheMetricsOfItsDefaultSuiteOnly) {
  const Json report = Json::parse(ToLnt(Sample()));
  CheckLnt(report, {"compile_time", "execution_time", "score", "mem_bytes",
                    "hash", "code_size"});
  ASSERT_EQ(report["tests"].size(), 1u);
  const Json& test = report["tests"][0];
  EXPECT_EQ(test["execution_time"],
            Json({1e-6, 3e-6, 2e-6, 4e-6, 5e-6}));  // seconds
  EXPECT_EQ(test["mem_bytes"], 4096);
  EXPECT_EQ(test["hash"], "ab");
}

TEST(ExportTest, LntSuiteOfOurOwnHasEveryMetricThatItsReportHas) {
  const std::string schema = LntBerthSchema(Sample());
  EXPECT_THAT(schema, HasSubstr("format_version: '2'\nname: berth\n"));
  EXPECT_THAT(schema,
              HasSubstr("- name: llvm_project_revision\n  order: true\n"));
  EXPECT_THAT(schema, HasSubstr("- name: placement_hash\n  type: Hash\n"));
  std::set<std::string> metrics;
  for (const std::string name :
       {"execution_time", "visits_query", "ids", "lower_bound",
        "placement_hash", "max_rss_bytes"}) {
    EXPECT_THAT(schema, HasSubstr("- name: " + name + "\n"));
    metrics.insert(name);
  }
  const Json report = Json::parse(ToLntBerth(Sample()));
  CheckLnt(report, metrics);
  EXPECT_EQ(report["tests"][0]["visits_query"], 7);
}

}  // namespace
}  // namespace berth::perf
