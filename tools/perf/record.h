// Runs the benches and the planner as child processes and collects a run.
#ifndef BERTH_TOOLS_PERF_RECORD_H_
#define BERTH_TOOLS_PERF_RECORD_H_

#include <functional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "tools/perf/google_benchmark.h"
#include "tools/perf/noise.h"
#include "tools/perf/run.h"

namespace berth::perf {

enum class InstructionCounter { kAuto, kOff, kPerf, kValgrind };

// What is measured, but for whose build.
struct Plan {
  std::vector<std::string> inputs;  // of `berth plan`
  std::string options;              // more options for it, as a shell text
  // Runs for one repetition, of which the fastest counts. Of a bench, within
  // one process: many short ones find a quiet moment where few long ones do
  // not.
  int bench_best_of = 20;
  int input_best_of = 5;
  // Of two builds no repetition beyond repeat.at_least begins after so long.
  double seconds = 600;
  InstructionCounter counter = InstructionCounter::kAuto;
  ReadBenchmarkOptions read;
};

// One build to measure.
struct Side {
  std::vector<std::string> benches;  // commands of Google Benchmark binaries
  std::string program;               // `berth`; "" if there are no inputs
  BenchRun run;
};

// How long a bench's runs are (--benchmark_min_time) where its command does not
// say.
inline constexpr double kBenchSeconds = 0.005;

// Measures the sides in turns, the first to go changing each time (A B, B A,
// ...): each repetition runs each bench once, in a new process, and places each
// input, as often as `plan` says; the fastest counts. Two sides are measured
// until that is Enough() (noise.h) or plan.seconds are over, one side
// repeat.at_most times. Then counts
// instructions once, for each input. `progress` is told what goes on. On an
// error sides hold what was measured so far.
absl::Status Measure(const Plan& plan, const Repeat& repeat,
                     const std::function<void(const std::string&)>& progress,
                     std::vector<Side>& sides);

// How `program` says it was built (--version): fills in compiler and flags
// where they are empty; kInvalidArgument for a debug build.
absl::Status DescribeProgram(const std::string& program, RunInfo& info);

// Adds one repetition from the line that `berth plan --json` printed.
absl::Status AddPlanJson(const std::string& benchmark, const std::string& line,
                         BenchRun& run);

}  // namespace berth::perf

#endif  // BERTH_TOOLS_PERF_RECORD_H_
