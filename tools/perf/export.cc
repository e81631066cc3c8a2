#include "tools/perf/export.h"

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "nlohmann/json.hpp"
#include "tools/perf/measure.h"
#include "tools/perf/stats.h"

namespace berth::perf {
namespace {

using Json = nlohmann::ordered_json;

constexpr double kNanosecondsPerSecond = 1e9;

std::string Print(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

// LNT's names are columns of a database.
std::string ColumnName(const std::string& measure) {
  std::string name;
  for (const char c : measure) {
    name += absl::ascii_isalnum(static_cast<unsigned char>(c)) ? c : '_';
  }
  return name;
}

// What LNT reads as a date: no zone.
std::string LntTime(const RunInfo& info) {
  return info.recorded_at.substr(0, std::string("2026-11-30T08:24:50").size());
}

Json LntFrame(const RunInfo& info) {
  Json report;
  report["format_version"] = "2";
  report["machine"] = {{"name", info.machine}, {"hardware", info.machine}};
  report["run"] = {{"start_time", LntTime(info)},
                   {"end_time", LntTime(info)},
                   {"llvm_project_revision", info.commit},
                   {"compiler", info.compiler},
                   {"flags", info.flags},
                   {"label", info.label}};
  report["tests"] = Json::array();
  return report;
}

// One value as a number, several as a list: LNT takes both.
Json Values(std::vector<double> values, double divisor) {
  for (double& value : values) value /= divisor;
  return values.size() == 1 ? Json(values[0]) : Json(values);
}

// Tests in LNT's form. `column` gives the metric of a measure, "" to leave it
// out.
template <typename Column>
Json LntTests(const BenchRun& run, Column column) {
  std::map<std::string, Json> tests;
  for (const auto& [name, series] : run.series) {
    const std::string metric = column(name.measure);
    if (metric.empty()) continue;
    Json& test = tests[name.benchmark];
    test["name"] = name.benchmark;
    if (series.values.empty()) {
      test[metric] = series.texts.front();
    } else {
      test[metric] =
          Values(series.values,
                 metric == "execution_time" ? kNanosecondsPerSecond : 1);
    }
  }
  Json all = Json::array();
  for (auto& [name, test] : tests) all.push_back(std::move(test));
  return all;
}

std::string NtsColumn(const std::string& measure) {
  if (measure == kCpuTime) return "execution_time";
  if (measure == "max_rss_bytes") return "mem_bytes";
  if (measure == "hash" || measure == "placement_hash") return "hash";
  return "";
}

std::string BerthColumn(const std::string& measure) {
  return measure == kCpuTime ? "execution_time" : ColumnName(measure);
}

}  // namespace

std::string ToGithubActionBenchmark(const BenchRun& run) {
  Json all = Json::array();
  for (const auto& [name, series] : run.series) {
    const MeasureRule rule = RuleOf(name.measure);
    if (series.values.empty() || rule.kind == MeasureKind::kShown ||
        rule.better != Better::kLower) {
      continue;
    }
    Json entry;
    entry["name"] = name.measure == kCpuTime
                        ? name.benchmark
                        : absl::StrCat(name.benchmark, " ", name.measure);
    entry["unit"] = *rule.unit == '\0' ? name.measure.c_str() : rule.unit;
    entry["value"] = Median(series.values);
    if (series.size() > 1) {
      entry["range"] = absl::StrFormat(
          "± %.4g",
          (Quantile(series.values, 0.75) - Quantile(series.values, 0.25)) / 2);
    }
    entry["extra"] = absl::StrFormat("%d repetitions\n%s\n%s", series.size(),
                                     run.info.machine, run.info.compiler);
    all.push_back(std::move(entry));
  }
  return Print(all);
}

std::string ToBencher(const BenchRun& run) {
  Json all = Json::object();
  for (const auto& [name, series] : run.series) {
    if (series.values.empty()) continue;
    Json metric;
    metric["value"] = Median(series.values);
    if (series.size() > 1) {
      metric["lower_value"] = Quantile(series.values, 0.25);
      metric["upper_value"] = Quantile(series.values, 0.75);
    }
    all[name.benchmark][name.measure == kCpuTime ? "latency" : name.measure] =
        std::move(metric);
  }
  return Print(all);
}

std::string ToLnt(const BenchRun& run) {
  Json report = LntFrame(run.info);
  report["tests"] = LntTests(run, NtsColumn);
  return Print(report);
}

std::string ToLntBerth(const BenchRun& run) {
  Json report = LntFrame(run.info);
  report["tests"] = LntTests(run, BerthColumn);
  return Print(report);
}

std::string LntBerthSchema(const BenchRun& run) {
  std::string schema = "format_version: '2'\nname: berth\nmetrics:\n";
  std::set<std::string> seen;
  for (const auto& [name, series] : run.series) {
    const std::string column = BerthColumn(name.measure);
    if (!seen.insert(column).second) continue;
    absl::StrAppend(&schema, "- name: ", column,
                    "\n  type: ", series.values.empty() ? "Hash" : "Real",
                    "\n");
    if (!series.values.empty()) {
      absl::StrAppend(
          &schema, "  bigger_is_better: ",
          RuleOf(name.measure).better == Better::kHigher ? "true" : "false",
          "\n");
    }
  }
  absl::StrAppend(&schema,
                  "run_fields:\n- name: llvm_project_revision\n  order: true\n"
                  "machine_fields:\n- name: hardware\n");
  return schema;
}

}  // namespace berth::perf
