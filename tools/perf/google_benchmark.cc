#include "tools/perf/google_benchmark.h"

#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "allocator/base/status_macros.h"
#include "nlohmann/json.hpp"
#include "tools/perf/measure.h"

namespace berth::perf {
namespace {

using Json = nlohmann::json;

// One repetition of one benchmark.
struct Repetition {
  double cpu_time = 0;
  std::map<std::string, double> values;
  std::string hash;
};

absl::Status Refuse(const std::string& source, absl::string_view what) {
  return absl::InvalidArgumentError(absl::StrCat(source, ": ", what));
}

std::string TextOf(const Json& object, const char* key) {
  const auto it = object.find(key);
  return it != object.end() && it->is_string() ? it->get<std::string>() : "";
}

double NumberOf(const Json& object, const char* key) {
  const auto it = object.find(key);
  return it != object.end() && it->is_number() ? it->get<double>() : NAN;
}

absl::Status CheckBuild(const std::string& source, const Json& context,
                        bool trust_build) {
  const std::string build = TextOf(context, "build_type");
  if (build == "debug") {
    return Refuse(source,
                  "figures of a debug build are refused: build with "
                  "'bazel build -c opt' and run again");
  }
  if (build.empty() && !trust_build &&
      TextOf(context, "library_build_type") == "debug") {
    return Refuse(source,
                  "library_build_type is \"debug\", and no \"build_type\" says "
                  "how the benchmarks themselves were built. If they were "
                  "optimised (Debian's library always says debug), give "
                  "--trust-build");
  }
  return absl::OkStatus();
}

// Google Benchmark writes local time with an offset; kept as it is written but
// for UTC, which becomes "Z".
std::string TimeOf(const Json& context) {
  std::string date = TextOf(context, "date");
  if (absl::EndsWith(date, "+00:00")) {
    date = date.substr(0, date.size() - 6) + "Z";
  }
  return date;
}

void FillInfo(const Json& context, RunInfo& info) {
  const auto fill = [](std::string& field, std::string value) {
    if (field.empty()) field = std::move(value);
  };
  fill(info.recorded_at, TimeOf(context));
  fill(info.compiler, TextOf(context, "compiler"));
  fill(info.flags, TextOf(context, "flags"));
  const double cpus = NumberOf(context, "num_cpus");
  const double mhz = NumberOf(context, "mhz_per_cpu");
  if (std::isfinite(cpus) && std::isfinite(mhz)) {
    fill(info.machine, absl::StrCat(TextOf(context, "host_name"), ", ",
                                    static_cast<int>(cpus), " CPUs, ",
                                    static_cast<int>(mhz), " MHz"));
  }
  const auto load = context.find("load_avg");
  if (info.load == 0 && load != context.end() && load->is_array() &&
      !load->empty() && (*load)[0].is_number()) {
    info.load = (*load)[0].get<double>();
  }
}

double NanosecondsPer(absl::string_view unit) {
  if (unit == "us") return 1e3;
  if (unit == "ms") return 1e6;
  if (unit == "s") return 1e9;
  return 1;
}

bool IsCounter(const std::string& key) {
  static const std::set<std::string>* const known =
      new std::set<std::string>{"family_index", "per_family_instance_index",
                                "repetitions",  "repetition_index",
                                "threads",      "iterations",
                                kRealTime,      kCpuTime};
  return known->count(key) == 0 && !absl::StartsWith(key, "time") &&
         !absl::EndsWith(key, "_per_second");
}

std::string HashOf(const std::string& label) {
  const size_t at = label.find("hash=");
  if (at == std::string::npos) return "";
  return label.substr(at + 5, label.find(' ', at) - at - 5);
}

Repetition ReadRepetition(const Json& entry) {
  Repetition repetition;
  const double unit = NanosecondsPer(TextOf(entry, "time_unit"));
  repetition.cpu_time = NumberOf(entry, kCpuTime) * unit;
  repetition.values[kCpuTime] = repetition.cpu_time;
  repetition.values[kRealTime] = NumberOf(entry, kRealTime) * unit;
  for (const auto& [key, value] : entry.items()) {
    if (value.is_number() && IsCounter(key)) {
      repetition.values[key] = value.get<double>();
    }
  }
  repetition.hash = HashOf(TextOf(entry, "label"));
  return repetition;
}

void Keep(const std::string& benchmark, const Repetition& repetition,
          BenchRun& run) {
  for (const auto& [measure, value] : repetition.values) {
    if (std::isfinite(value)) {
      run.series[{benchmark, measure}].values.push_back(value);
    }
  }
  if (!repetition.hash.empty()) {
    run.series[{benchmark, "hash"}].texts.push_back(repetition.hash);
  }
}

const Json* ArrayOf(const Json& text, const char* key) {
  const auto it = text.find(key);
  return it != text.end() && it->is_array() ? &*it : nullptr;
}

}  // namespace

absl::Status AddGoogleBenchmark(const std::string& source,
                                const std::string& text,
                                const ReadBenchmarkOptions& options,
                                BenchRun& run) {
  const Json json = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (json.is_discarded() || !json.is_object() || !json.contains("context") ||
      ArrayOf(json, "benchmarks") == nullptr) {
    return Refuse(source,
                  "is no JSON of Google Benchmark; make it with "
                  "--benchmark_format=json or --benchmark_out=FILE");
  }
  BERTH_RETURN_IF_ERROR(
      CheckBuild(source, json["context"], options.trust_build));
  std::vector<std::string> order;
  std::map<std::string, std::vector<Repetition>> found;
  bool aggregates = false;
  for (const Json& entry : *ArrayOf(json, "benchmarks")) {
    const std::string name = TextOf(entry, "name");
    if (TextOf(entry, "run_type") == "aggregate") {
      aggregates = true;
      continue;
    }
    if (entry.value("error_occurred", false)) {
      const std::string message = TextOf(entry, "error_message");
      if (absl::StartsWith(message, "skipped")) continue;
      return Refuse(source, absl::StrCat("'", name, "' failed: ", message));
    }
    if (name.empty() || !std::isfinite(NumberOf(entry, kCpuTime))) {
      return Refuse(source, "a benchmark without a name or a cpu_time");
    }
    if (found[name].empty()) order.push_back(name);
    found[name].push_back(ReadRepetition(entry));
  }
  if (order.empty()) {
    return Refuse(source, aggregates ? "holds aggregates only; run without "
                                       "--benchmark_report_aggregates_only"
                                     : "holds no benchmarks");
  }
  FillInfo(json["context"], run.info);
  for (const std::string& name : order) {
    const std::vector<Repetition>& all = found[name];
    if (!options.keep_fastest) {
      for (const Repetition& repetition : all) Keep(name, repetition, run);
      continue;
    }
    const Repetition* fastest = &all[0];
    for (const Repetition& repetition : all) {
      if (repetition.cpu_time < fastest->cpu_time) fastest = &repetition;
    }
    Keep(name, *fastest, run);
  }
  return absl::OkStatus();
}

}  // namespace berth::perf
