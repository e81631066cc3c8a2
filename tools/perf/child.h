// Child processes and facts about this machine, for recording.
#ifndef BERTH_TOOLS_PERF_CHILD_H_
#define BERTH_TOOLS_PERF_CHILD_H_

#include <string>

#include "absl/status/statusor.h"

namespace berth::perf {

// What `command`, given to /bin/sh, prints on standard output; its standard
// error is ours. kInvalidArgument with the command where it cannot be run or
// does not exit with 0.
absl::StatusOr<std::string> RunCommand(const std::string& command);

// "host, model name, 2 CPUs".
std::string ThisMachine();
// The load average over one minute; 0 where it is not known.
double LoadAverage();
// Now, UTC: "2026-11-30T08:24:50Z".
std::string UtcNow();

// The commit of the work tree in this folder, "-dirty" behind it if tracked
// files differ from it. kInvalidArgument outside of a work tree.
absl::StatusOr<std::string> CurrentCommit();

}  // namespace berth::perf

#endif  // BERTH_TOOLS_PERF_CHILD_H_
