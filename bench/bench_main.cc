#include "bench/bench_main.h"

#include <malloc.h>

#include <cstdio>
#include <map>
#include <string>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "benchmark/benchmark.h"
#include "tools/perf/build_info.h"

namespace berth::bench {
namespace {

constexpr int kExitFailed = 1;
constexpr int kExitUsage = 2;

// Google Benchmark's console, and after it one table for each kind of bench:
// a line per input, a column per contender, CPU time per operation.
class TableReporter : public benchmark::ConsoleReporter {
 public:
  void ReportRuns(const std::vector<Run>& runs) override {
    ConsoleReporter::ReportRuns(runs);
    for (const Run& run : runs) Keep(run);
  }
  void Finalize() override {
    for (const auto& [kind, lines] : tables_) PrintTable(kind, lines);
  }

 private:
  using Line = std::map<std::string, std::string>;

  // Names are Kind/source/Contender/size. The median, where there are
  // repetitions, comes last and stays.
  void Keep(const Run& run) {
    if (run.error_occurred || run.report_big_o || run.report_rms) return;
    if (run.run_type == Run::RT_Aggregate && run.aggregate_name != "median") {
      return;
    }
    const std::vector<std::string> parts =
        absl::StrSplit(run.run_name.function_name, '/');
    if (parts.size() != 3) return;
    const std::string input = absl::StrCat(parts[1], "/", run.run_name.args);
    if (columns_[parts[0]]
            .emplace(parts[2], columns_[parts[0]].size())
            .second) {
      order_[parts[0]].push_back(parts[2]);
    }
    if (tables_[parts[0]].emplace(input, Line{}).second) {
      inputs_[parts[0]].push_back(input);
    }
    char text[32];
    std::snprintf(text, sizeof(text), "%.4g",
                  run.GetAdjustedCPUTime() * 1e9 /
                      benchmark::GetTimeUnitMultiplier(run.time_unit));
    tables_[parts[0]][input][parts[2]] = text;
  }

  void PrintTable(const std::string& kind,
                  const std::map<std::string, Line>& lines) {
    std::ostream& out = GetOutputStream();
    out << "\n" << kind << ", ns of CPU time per operation\n";
    char cell[64];
    std::snprintf(cell, sizeof(cell), "%-24s", "");
    out << cell;
    for (const std::string& column : order_[kind]) {
      std::snprintf(cell, sizeof(cell), " %15s", column.c_str());
      out << cell;
    }
    out << "\n";
    for (const std::string& input : inputs_[kind]) {
      std::snprintf(cell, sizeof(cell), "%-24s", input.c_str());
      out << cell;
      const Line& line = lines.at(input);
      for (const std::string& column : order_[kind]) {
        const auto it = line.find(column);
        std::snprintf(cell, sizeof(cell), " %15s",
                      it == line.end() ? "-" : it->second.c_str());
        out << cell;
      }
      out << "\n";
    }
  }

  std::map<std::string, std::map<std::string, Line>> tables_;
  std::map<std::string, std::map<std::string, size_t>> columns_;
  std::map<std::string, std::vector<std::string>> order_;
  std::map<std::string, std::vector<std::string>> inputs_;
};

// Of a tiny run: names and errors, no figures.
class TinyReporter : public benchmark::BenchmarkReporter {
 public:
  bool ReportContext(const Context&) override { return true; }
  void ReportRuns(const std::vector<Run>& runs) override {
    for (const Run& run : runs) {
      if (run.report_big_o || run.report_rms) continue;
      ++runs_;
      const bool skipped = absl::StartsWith(run.error_message, "skipped");
      if (run.error_occurred && !skipped) ++failed_;
      GetOutputStream() << run.benchmark_name() << " "
                        << (run.error_occurred ? run.error_message
                                               : run.report_label)
                        << "\n";
    }
  }
  int runs() const { return runs_; }
  int failed() const { return failed_; }

 private:
  int runs_ = 0;
  int failed_ = 0;
};

bool TakeFlag(absl::string_view arg, absl::string_view name,
              absl::string_view* value) {
  return absl::ConsumePrefix(&arg, name) && absl::ConsumePrefix(&arg, "=") &&
         (*value = arg, true);
}

bool TakeSizes(absl::string_view value, std::vector<int32_t>* sizes) {
  sizes->clear();
  for (absl::string_view text : absl::StrSplit(value, ',')) {
    int32_t size = 0;
    if (!absl::SimpleAtoi(text, &size) || size < 1) return false;
    sizes->push_back(size);
  }
  return true;
}

// Our flags out of argv; false with a message where one is bad.
bool TakeFlags(int* argc, char** argv, Settings* settings) {
  int kept = 1;
  for (int i = 1; i < *argc; ++i) {
    const absl::string_view arg = argv[i];
    absl::string_view value;
    bool good = true;
    if (arg == "--tiny") {
      settings->tiny = true;
    } else if (TakeFlag(arg, "--seed", &value)) {
      good = absl::SimpleAtoi(value, &settings->seed);
    } else if (TakeFlag(arg, "--sizes", &value)) {
      good = TakeSizes(value, &settings->sizes);
    } else if (TakeFlag(arg, "--families", &value)) {
      settings->families = absl::StrSplit(value, ',', absl::SkipEmpty());
    } else if (TakeFlag(arg, "--inputs", &value)) {
      settings->inputs = absl::StrSplit(value, ',', absl::SkipEmpty());
    } else {
      argv[kept++] = argv[i];
    }
    if (!good) {
      std::fprintf(stderr, "bad value: %s\n", argv[i]);
      return false;
    }
  }
  *argc = kept;
  return true;
}

}  // namespace

int BenchMain(
    int argc, char** argv, const Defaults& defaults,
    const std::function<absl::Status(const Settings&)>& register_all) {
  Settings settings;
  settings.families = defaults.families;
  settings.sizes = defaults.sizes;
  bool own_format = false;
  for (int i = 1; i < argc; ++i) {
    own_format = own_format || absl::StartsWith(argv[i], "--benchmark_format");
  }
  if (!TakeFlags(&argc, argv, &settings)) return kExitUsage;
  std::vector<char*> args(argv, argv + argc);
  char once[] = "--benchmark_min_time=0.000001";
  if (settings.tiny) {
    settings.families = defaults.tiny_families;
    settings.sizes = defaults.tiny_sizes;
    args.push_back(once);
  }
  argc = static_cast<int>(args.size());
  benchmark::Initialize(&argc, args.data());
  if (benchmark::ReportUnrecognizedArguments(argc, args.data())) {
    return kExitUsage;
  }
  const perf::BuildInfo build = perf::ThisBuild();
  if (build.debug && !settings.tiny) {
    std::fprintf(stderr,
                 "This is a debug build: no figures. Build with -c opt.\n");
    return kExitUsage;
  }
  // Freed memory stays mapped: page faults of a virtual machine are not what is
  // measured.
  mallopt(M_MMAP_MAX, 0);
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
  const absl::Status registered = register_all(settings);
  if (!registered.ok()) {
    std::fprintf(stderr, "%s\n", std::string(registered.message()).c_str());
    return kExitUsage;
  }
  benchmark::AddCustomContext("compiler", build.compiler);
  benchmark::AddCustomContext("flags", build.flags);
  benchmark::AddCustomContext("build_type", build.debug ? "debug" : "release");
  benchmark::AddCustomContext("seed", absl::StrCat(settings.seed));
  if (settings.tiny) {
    TinyReporter reporter;
    benchmark::RunSpecifiedBenchmarks(&reporter);
    return reporter.failed() == 0 && reporter.runs() > 0 ? 0 : kExitFailed;
  }
  if (own_format) {
    benchmark::RunSpecifiedBenchmarks();
  } else {
    TableReporter reporter;
    benchmark::RunSpecifiedBenchmarks(&reporter);
  }
  return 0;
}

}  // namespace berth::bench
