// What the commands below `berth perf` share.
#ifndef BERTH_TOOLS_CLI_CMD_PERF_H_
#define BERTH_TOOLS_CLI_CMD_PERF_H_

#include <string>

#include "absl/status/statusor.h"
#include "tools/cli/arguments.h"
#include "tools/perf/history.h"
#include "tools/perf/run.h"

namespace berth {

inline constexpr char kDefaultHistory[] = "berth_perf.db";

void AddPerfRecord(Arguments& arguments);
void AddPerfCompare(Arguments& arguments);
void AddPerfReport(Arguments& arguments);
void AddPerfExport(Arguments& arguments);

void AddHistoryOption(Command& command, std::string& path);

// The run that `selector` means (perf::SelectRun), with its values.
absl::StatusOr<perf::BenchRun> LoadRun(const perf::History& history,
                                       const std::string& selector);

}  // namespace berth

#endif  // BERTH_TOOLS_CLI_CMD_PERF_H_
