// berth perf: the history of benchmark figures. One file for each command
// below it: cmd_perf_record.cc, cmd_perf_compare.cc, cmd_perf_report.cc.
#include "tools/cli/cmd_perf.h"

#include "absl/status/statusor.h"
#include "tools/cli/arguments.h"
#include "tools/cli/commands.h"
#include "tools/perf/history.h"
#include "tools/perf/run.h"

namespace berth {

void AddHistoryOption(Command& command, std::string& path) {
  command
      .Text("--db", path, "the history, an SQLite file (default berth_perf.db)")
      .Type("FILE");
}

absl::StatusOr<perf::BenchRun> LoadRun(const perf::History& history,
                                       const std::string& selector) {
  const auto runs = history.List();
  if (!runs.ok()) return runs.status();
  const auto info = perf::SelectRun(*runs, selector);
  if (!info.ok()) return info.status();
  return history.Load(*info);
}

void AddPerf(Arguments& arguments) {
  arguments.Add("perf", "benchmark history: store runs, compare, draw, export",
                nullptr);
  AddPerfRecord(arguments);
  AddPerfCompare(arguments);
  AddPerfReport(arguments);
  AddPerfExport(arguments);
}

}  // namespace berth
