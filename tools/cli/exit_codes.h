// What `berth` exits with (cli.md). Messages go to standard error, results to
// standard output.
#ifndef BERTH_TOOLS_CLI_EXIT_CODES_H_
#define BERTH_TOOLS_CLI_EXIT_CODES_H_

#include "absl/status/status.h"

namespace berth {

enum ExitCode {
  kExitOk = 0,
  kExitNo = 1,      // does not fit, over budget, regression, planners differ
  kExitUsage = 2,   // bad usage or bad input
  kExitBroken = 3,  // an invariant is broken
};

// kResourceExhausted means "the answer is no"; any other error is bad input.
inline int ExitCodeOf(const absl::Status& status) {
  if (status.ok()) return kExitOk;
  return absl::IsResourceExhausted(status) ? kExitNo : kExitUsage;
}

}  // namespace berth

#endif  // BERTH_TOOLS_CLI_EXIT_CODES_H_
