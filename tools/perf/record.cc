#include "tools/perf/record.h"

#include <chrono>
#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "allocator/base/status_macros.h"
#include "nlohmann/json.hpp"
#include "tools/external/process.h"
#include "tools/perf/child.h"
#include "tools/perf/google_benchmark.h"
#include "tools/perf/measure.h"

namespace berth::perf {
namespace {

using Json = nlohmann::json;

constexpr double kNanosecondsPerSecond = 1e9;

// The deterministic keys of `berth plan --json` that are kept.
constexpr const char* kPlanCounts[] = {"locations", "intervals", "lower_bound",
                                       "peak", "visits"};

std::string BaseName(const std::string& path) {
  return path.substr(path.rfind('/') + 1);
}

std::string PlanName(const Plan& plan, const std::string& input) {
  std::string name = absl::StrCat("plan/", BaseName(input));
  if (!plan.options.empty()) absl::StrAppend(&name, " ", plan.options);
  return name;
}

std::string PlanCommand(const Plan& plan, const std::string& program,
                        const std::string& input) {
  return absl::StrCat(ShellQuoted(program), " plan ", ShellQuoted(input), " ",
                      plan.options, " --json");
}

absl::Status RunBench(const Plan& plan, const std::string& bench,
                      BenchRun& run) {
  const std::string length =
      absl::StrContains(bench, "--benchmark_min_time")
          ? ""
          : absl::StrCat(" --benchmark_min_time=", kBenchSeconds);
  BERTH_ASSIGN_OR_RETURN(const std::string text,
                         RunCommand(absl::StrCat(
                             bench, length, " --benchmark_format=json",
                             " --benchmark_repetitions=", plan.bench_best_of)));
  ReadBenchmarkOptions read = plan.read;
  read.keep_fastest = true;
  return AddGoogleBenchmark(bench, text, read, run);
}

// The fastest of plan.input_best_of runs, as one repetition.
absl::Status RunPlan(const Plan& plan, const std::string& program,
                     const std::string& input, BenchRun& run) {
  const std::string benchmark = PlanName(plan, input);
  BenchRun runs;
  for (int i = 0; i < plan.input_best_of; ++i) {
    BERTH_ASSIGN_OR_RETURN(const std::string line,
                           RunCommand(PlanCommand(plan, program, input)));
    BERTH_RETURN_IF_ERROR(AddPlanJson(benchmark, line, runs));
  }
  const std::vector<double>& times = runs.series[{benchmark, kCpuTime}].values;
  size_t fastest = 0;
  for (size_t i = 1; i < times.size(); ++i) {
    if (times[i] < times[fastest]) fastest = i;
  }
  for (const auto& [name, series] : runs.series) {
    Series& kept = run.series[name];
    if (series.values.empty()) {
      kept.texts.push_back(series.texts[fastest]);
    } else {
      kept.values.push_back(series.values[fastest]);
    }
  }
  return absl::OkStatus();
}

absl::Status MeasureOnce(const Plan& plan, Side& side) {
  for (const std::string& bench : side.benches) {
    BERTH_RETURN_IF_ERROR(RunBench(plan, bench, side.run));
  }
  for (const std::string& input : plan.inputs) {
    BERTH_RETURN_IF_ERROR(RunPlan(plan, side.program, input, side.run));
  }
  return absl::OkStatus();
}

// The number in "==1== I   refs:      1,234,567"; -1 if there is none.
double ValgrindCount(const std::string& text) {
  for (absl::string_view line : absl::StrSplit(text, '\n')) {
    if (!absl::StrContains(line, "refs:")) continue;
    const std::string digits = absl::StrReplaceAll(
        line.substr(line.find("refs:") + 5), {{",", ""}, {" ", ""}});
    double count = 0;
    if (absl::SimpleAtod(digits, &count)) return count;
  }
  return -1;
}

// The first field of "1234567,,instructions:u,..."; -1 if there is none: many
// virtual machines do not count.
double PerfCount(const std::string& text) {
  for (absl::string_view line : absl::StrSplit(text, '\n')) {
    double count = 0;
    if (absl::StrContains(line, "instructions") &&
        absl::SimpleAtod(line.substr(0, line.find(',')), &count)) {
      return count;
    }
  }
  return -1;
}

// Instructions of one run of `command`; -1 where nothing here can count them.
double CountInstructions(InstructionCounter counter, const std::string& command,
                         std::string* measure) {
  if (counter == InstructionCounter::kAuto ||
      counter == InstructionCounter::kPerf) {
    const auto text = RunCommand(absl::StrCat(
        "perf stat -x, -e instructions:u ", command, " 2>&1 >/dev/null"));
    const double count = text.ok() ? PerfCount(*text) : -1;
    *measure = "instructions/perf";
    if (count >= 0 || counter == InstructionCounter::kPerf) return count;
  }
  const auto text =
      RunCommand(absl::StrCat("valgrind --tool=cachegrind --cache-sim=no "
                              "--cachegrind-out-file=/dev/null ",
                              command, " 2>&1 >/dev/null"));
  *measure = "instructions/valgrind";
  return text.ok() ? ValgrindCount(*text) : -1;
}

absl::Status AddInstructions(
    const Plan& plan, const std::function<void(const std::string&)>& progress,
    Side& side) {
  if (plan.counter == InstructionCounter::kOff) return absl::OkStatus();
  for (const std::string& input : plan.inputs) {
    progress(absl::StrCat("counting instructions of ", input));
    std::string measure;
    const double count = CountInstructions(
        plan.counter, PlanCommand(plan, side.program, input), &measure);
    if (count >= 0) {
      side.run.series[{PlanName(plan, input), measure}].values = {count};
    } else if (plan.counter != InstructionCounter::kAuto) {
      return absl::InvalidArgumentError(
          absl::StrCat("instructions cannot be counted for ", measure,
                       " here: is it installed, and does this machine count? "
                       "Give --instructions=off or the other one"));
    }
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status Measure(const Plan& plan, const Repeat& repeat,
                     const std::function<void(const std::string&)>& progress,
                     std::vector<Side>& sides) {
  const auto start = std::chrono::steady_clock::now();
  const std::chrono::duration<double> limit(plan.seconds);
  bool enough = false;
  for (int done = 0; !enough;) {
    for (size_t turn = 0; turn < sides.size(); ++turn) {
      progress(absl::StrCat(
          "repetition ", done + 1,
          repeat.at_least < repeat.at_most ? " of at most " : "/",
          repeat.at_most,
          sides.size() > 1
              ? absl::StrCat(", build ", turn + 1, "/", sides.size())
              : ""));
      const size_t side = done % 2 == 0 ? turn : sides.size() - 1 - turn;
      BERTH_RETURN_IF_ERROR(MeasureOnce(plan, sides[side]));
    }
    ++done;
    enough = done >= repeat.at_most;
    if (sides.size() == 2 && done >= repeat.at_least) {
      enough = Enough(repeat, done, sides[0].run, sides[1].run) ||
               std::chrono::steady_clock::now() - start > limit;
    }
  }
  for (Side& side : sides) {
    BERTH_RETURN_IF_ERROR(AddInstructions(plan, progress, side));
  }
  return absl::OkStatus();
}

absl::Status DescribeProgram(const std::string& program, RunInfo& info) {
  BERTH_ASSIGN_OR_RETURN(
      const std::string text,
      RunCommand(absl::StrCat(ShellQuoted(program), " --version")));
  for (absl::string_view line : absl::StrSplit(text, '\n')) {
    absl::string_view value = line;
    if (absl::ConsumePrefix(&value, "compiler: ") && info.compiler.empty()) {
      info.compiler = std::string(value);
    } else if (absl::ConsumePrefix(&value, "flags: ") && info.flags.empty()) {
      info.flags = std::string(value);
    } else if (line == "build: debug") {
      return absl::InvalidArgumentError(
          absl::StrCat(program,
                       " is a debug build, whose figures are refused: build "
                       "it with 'bazel build -c opt'"));
    }
  }
  return absl::OkStatus();
}

absl::Status AddPlanJson(const std::string& benchmark, const std::string& line,
                         BenchRun& run) {
  const Json json = Json::parse(line, nullptr, /*allow_exceptions=*/false);
  if (json.is_discarded() || !json.is_object() || !json.contains("seconds") ||
      !json["seconds"].is_object()) {
    return absl::InvalidArgumentError(absl::StrCat(
        benchmark, ": 'berth plan --json' printed no object: ", line));
  }
  const auto add = [&run, &benchmark](const std::string& measure,
                                      double value) {
    run.series[{benchmark, measure}].values.push_back(value);
  };
  double total = 0;
  for (const auto& [phase, seconds] : json["seconds"].items()) {
    if (!seconds.is_number()) continue;
    const double nanoseconds = seconds.get<double>() * kNanosecondsPerSecond;
    total += nanoseconds;
    add(absl::StrCat(phase, "_time"), nanoseconds);
  }
  add(kCpuTime, total);
  for (const char* key : kPlanCounts) {
    if (json.contains(key) && json[key].is_number()) {
      add(key, json[key].get<double>());
    }
  }
  if (json.contains("max_rss_bytes")) {
    add("max_rss_bytes", json["max_rss_bytes"].get<double>());
  }
  if (json.contains("placement_hash") && json["placement_hash"].is_string()) {
    run.series[{benchmark, "placement_hash"}].texts.push_back(
        json["placement_hash"].get<std::string>());
  }
  return absl::OkStatus();
}

}  // namespace berth::perf
