// berth perf record: measures, or reads a Google Benchmark JSON, and stores.
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "tools/cli/arguments.h"
#include "tools/cli/cmd_perf.h"
#include "tools/cli/exit_codes.h"
#include "tools/cli/files.h"
#include "tools/cli/say.h"
#include "tools/perf/child.h"
#include "tools/perf/google_benchmark.h"
#include "tools/perf/history.h"
#include "tools/perf/noise.h"
#include "tools/perf/record.h"
#include "tools/perf/run.h"

namespace berth {
namespace {

using perf::BenchRun;
using perf::InstructionCounter;
using perf::Side;

// What says where one build's figures come from.
struct BuildArguments {
  std::vector<std::string> json;
  std::vector<std::string> benches;
  std::string program;
  std::string commit;
};

struct RecordCommand {
  std::string db = kDefaultHistory;
  BuildArguments current;
  BuildArguments base;
  perf::Plan plan;
  int64_t repetitions = 0;  // 0: kAlone, or until enough with a base
  int64_t at_most = perf::Repeat().at_most;
  double find = perf::Resolution().find;
  int64_t best_of = 0;  // 0: what perf::Plan has
  std::string label;
  std::string machine;
  std::string compiler;
  std::string flags;
};

constexpr int64_t kAlone = 10;

constexpr char kThisProgram[] = "/proc/self/exe";

absl::Status Usage(const std::string& message) {
  return absl::InvalidArgumentError(message);
}

absl::Status CheckUsage(const RecordCommand& command) {
  const BuildArguments& current = command.current;
  const BuildArguments& base = command.base;
  const bool measures =
      !current.benches.empty() || !command.plan.inputs.empty();
  if (current.json.empty() && !measures) {
    return Usage(
        "perf record needs --json FILE, --bench COMMAND or --plan INPUT");
  }
  if (!current.json.empty() && measures) {
    return Usage(
        "--json stores figures as they are: give it without --bench "
        "and --plan");
  }
  const bool has_base = !base.benches.empty() || !base.program.empty();
  if (!has_base) return absl::OkStatus();
  if (base.benches.size() != current.benches.size()) {
    return Usage("give one --base-bench for each --bench");
  }
  if (base.program.empty() != command.plan.inputs.empty()) {
    return Usage("--base-program goes with --plan");
  }
  if (base.commit.empty()) {
    return Usage("name the commit of the base with --base-commit");
  }
  if (!(command.find > 0)) return Usage("--find is a share above 0");
  if (!(command.plan.seconds > 0)) return Usage("--time-limit is above 0");
  return absl::OkStatus();
}

// Path of this very program, for /bin/sh.
std::string ThisProgram() {
  char path[4096];
  const ssize_t length = readlink(kThisProgram, path, sizeof(path));
  return length > 0 ? std::string(path, static_cast<size_t>(length))
                    : kThisProgram;
}

absl::StatusOr<Side> MakeSide(const RecordCommand& command,
                              const BuildArguments& build) {
  Side side;
  side.benches = build.benches;
  side.run.info.label = command.label;
  side.run.info.machine = command.machine;
  side.run.info.compiler = command.compiler;
  side.run.info.flags = command.flags;
  side.run.info.commit = build.commit;
  if (build.commit.empty()) {
    absl::StatusOr<std::string> commit = perf::CurrentCommit();
    if (!commit.ok()) {
      return Usage(
          "this folder is in no git work tree: name the commit that "
          "was measured with --commit");
    }
    side.run.info.commit = *std::move(commit);
  }
  if (!command.plan.inputs.empty()) {
    side.program = build.program.empty() ? ThisProgram() : build.program;
    const absl::Status described =
        perf::DescribeProgram(side.program, side.run.info);
    if (!described.ok()) return described;
  }
  return side;
}

absl::StatusOr<std::vector<Side>> ReadJson(const RecordCommand& command) {
  absl::StatusOr<Side> side = MakeSide(command, command.current);
  if (!side.ok()) return side.status();
  for (const std::string& path : command.current.json) {
    const absl::StatusOr<std::string> text = ReadFile(path);
    if (!text.ok()) return text.status();
    const absl::Status added =
        perf::AddGoogleBenchmark(path, *text, command.plan.read, side->run);
    if (!added.ok()) return added;
  }
  return std::vector<Side>{*std::move(side)};
}

perf::Repeat RepeatOf(const RecordCommand& command) {
  perf::Repeat repeat;
  repeat.resolution.find = command.find;
  repeat.at_most = static_cast<int>(command.at_most);
  repeat.at_least = std::min(repeat.at_least, repeat.at_most);
  const bool alone = command.base.commit.empty();
  if (command.repetitions > 0 || alone) {
    repeat.at_most = static_cast<int>(
        command.repetitions > 0 ? command.repetitions : kAlone);
    repeat.at_least = repeat.at_most;
  }
  return repeat;
}

absl::StatusOr<std::vector<Side>> MeasureSides(const RecordCommand& command) {
  std::vector<Side> sides;
  if (!command.base.commit.empty()) {
    absl::StatusOr<Side> base = MakeSide(command, command.base);
    if (!base.ok()) return base.status();
    sides.push_back(*std::move(base));
  }
  absl::StatusOr<Side> current = MakeSide(command, command.current);
  if (!current.ok()) return current.status();
  sides.push_back(*std::move(current));
  const std::string now = perf::UtcNow();
  const std::string session = absl::StrCat(now, "/", getpid());
  for (Side& side : sides) {
    side.run.info.recorded_at = now;
    side.run.info.load = perf::LoadAverage();
    if (side.run.info.machine.empty()) {
      side.run.info.machine = perf::ThisMachine();
    }
    if (sides.size() > 1) side.run.info.session = session;
  }
  Progress progress;
  const absl::Status measured = perf::Measure(
      command.plan, RepeatOf(command),
      [&progress](const std::string& text) { progress.Show(text); }, sides);
  if (!measured.ok()) return measured;
  return sides;
}

int RunRecord(RecordCommand& command) {
  const absl::Status usage = CheckUsage(command);
  if (!usage.ok()) return Fail(usage);
  if (command.best_of > 0) {
    command.plan.bench_best_of = static_cast<int>(command.best_of);
    command.plan.input_best_of = command.plan.bench_best_of;
  }
  // Refused before the measuring, not after it.
  absl::StatusOr<perf::History> history =
      perf::History::Open(command.db, perf::History::Access::kWrite);
  if (!history.ok()) return Fail(history.status());
  absl::StatusOr<std::vector<Side>> sides =
      command.current.json.empty() ? MeasureSides(command) : ReadJson(command);
  if (!sides.ok()) return Fail(sides.status());
  std::vector<BenchRun> runs;
  for (Side& side : *sides) {
    if (side.run.info.recorded_at.empty()) {
      side.run.info.recorded_at = perf::UtcNow();
    }
    runs.push_back(std::move(side.run));
  }
  const absl::Status stored = history->Append(runs);
  if (!stored.ok()) return Fail(stored);
  for (const BenchRun& run : runs) {
    std::printf("run %lld: commit %s, %zu series\n",
                static_cast<long long>(run.info.id), run.info.commit.c_str(),
                run.series.size());
  }
  return kExitOk;
}

bool TakeCounter(const std::string& text, InstructionCounter& counter) {
  if (text == "auto") {
    counter = InstructionCounter::kAuto;
  } else if (text == "off") {
    counter = InstructionCounter::kOff;
  } else if (text == "perf") {
    counter = InstructionCounter::kPerf;
  } else if (text == "valgrind") {
    counter = InstructionCounter::kValgrind;
  } else {
    return false;
  }
  return true;
}

void AddSources(Command& c, RecordCommand& record) {
  c.Texts("--json", record.current.json,
          "store this output of --benchmark_format=json or --benchmark_out; "
          "several are more repetitions or more benchmarks of one run")
      .Type("FILE")
      .Group("What to record");
  c.Texts("--bench", record.current.benches,
          "run this Google Benchmark binary, with its own flags, in /bin/sh")
      .Type("COMMAND")
      .Group("What to record");
  c.Texts("--plan", record.plan.inputs,
          "place this program or CSV with `berth plan`: times, visits, peak, "
          "lower bound, placement hash, memory, instructions")
      .Type("INPUT")
      .Group("What to record");
  c.Text("--plan-options", record.plan.options,
         "more options for that `berth plan`, as one text")
      .Type("TEXT")
      .Group("What to record");
  c.Text("--program", record.current.program,
         "the `berth` that --plan runs (default: this one)")
      .Type("PATH")
      .Group("What to record");
  c.Texts("--base-bench", record.base.benches,
          "the same bench of another build")
      .Type("COMMAND")
      .Group("Another build, measured in turns with this one");
  c.Text("--base-program", record.base.program, "the `berth` of another build")
      .Type("PATH")
      .Group("Another build, measured in turns with this one");
  c.Text("--base-commit", record.base.commit, "what that build was made of")
      .Type("COMMIT")
      .Group("Another build, measured in turns with this one");
}

}  // namespace

void AddPerfRecord(Arguments& arguments) {
  const auto record = std::make_shared<RecordCommand>();
  Command c = arguments.AddBelow(
      "perf", "record", "measure, or read figures, and add them to the history",
      [record] { return RunRecord(*record); });
  AddHistoryOption(c, record->db);
  AddSources(c, *record);
  c.Int("--repetitions", record->repetitions, 1, 10000,
        "how often each is measured, each time in a new process (default 10; "
        "with another build until --find is reached)")
      .Type("N");
  c.Real("--find", record->find,
         "with another build: repeat until noise would no longer hide a "
         "slowdown of this share (default 0.05)")
      .Type("SHARE");
  c.Int("--at-most", record->at_most, 1, 10000,
        "with another build: the most repetitions (default 200)")
      .Type("N");
  c.Real("--time-limit", record->plan.seconds,
         "with another build: after so many seconds no more than 10 "
         "repetitions (default 600)")
      .Type("S");
  c.Int("--best-of", record->best_of, 1, 1000,
        "runs in each repetition, of which the fastest counts (default 20 of a "
        "bench, in one process, each of 0.005 s unless its COMMAND has "
        "--benchmark_min_time; 5 of --plan)")
      .Type("K");
  c.Parsed("--instructions",
           "how to count instructions of --plan: auto (perf, else valgrind, "
           "else not), off, perf, valgrind",
           [record](const std::string& text) {
             return TakeCounter(text, record->plan.counter);
           })
      .Type("HOW");
  c.Text("--commit", record->current.commit,
         "what was measured (default: the commit of this work tree)")
      .Type("COMMIT");
  c.Text("--label", record->label, "a name to find the run by").Type("TEXT");
  c.Text("--machine", record->machine,
         "the machine (default: its host name and CPU); times compare on one "
         "machine only")
      .Type("TEXT");
  c.Text("--compiler", record->compiler, "default: what the program says")
      .Type("TEXT");
  c.Text("--flags", record->flags, "default: what the program says")
      .Type("TEXT");
  c.Flag("--trust-build", record->plan.read.trust_build,
         "accept figures whose context says library_build_type \"debug\" and "
         "not how the benchmarks were built");
}

}  // namespace berth
