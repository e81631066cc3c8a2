// Any planner that is a command line: it reads a CSV problem from {in}, writes
// the same buffers with their offsets to {out}, and is told {capacity}.
//
//   ExternalPlanner peer{"peer", "./peer --in={in} --out={out}
//   --cap={capacity}"}; const ExternalResult result = RunExternal(peer,
//   instance, options); if (result.outcome == ExternalOutcome::kValid) ...
//   result.placed, .peak
//
// What it writes need only have an id column (id, buffer, buffer_id) and an
// `offset`; other columns are not believed. The placement is judged by our own
// validator.
//
// Thread-safety: any thread, one run at a time each; nothing global but files
// in a temporary folder of its own. Cost: the process, and reading its output.
#ifndef BERTH_TOOLS_EXTERNAL_EXTERNAL_PLANNER_H_
#define BERTH_TOOLS_EXTERNAL_EXTERNAL_PLANNER_H_

#include <cstdint>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "allocator/model/instance.h"
#include "allocator/model/options.h"
#include "allocator/validate/validate.h"
#include "tools/external/process.h"

namespace berth {

struct ExternalPlanner {
  std::string name;     // for tables
  std::string command;  // with {in}, {out} and maybe {capacity}
};

// What came of a run. Told apart, since each says something else of a peer.
enum class ExternalOutcome : uint8_t {
  kValid = 0,   // every invariant holds
  kInvalid,     // whole and readable, but an invariant is broken: see report
  kMissingIds,  // a buffer is not in its output, or has no offset
  kGarbage,     // output that cannot be read, or with ids nobody asked for
  kNoOutput,    // exit 0 and no {out} file
  kFailed,      // exited with another code: often "does not fit"
  kCrashed,     // ended by a signal
  kTimedOut,
};

// "valid", "invalid", "missing ids", ...
absl::string_view Name(ExternalOutcome outcome);

struct ExternalResult {
  ExternalOutcome outcome = ExternalOutcome::kNoOutput;
  std::string message;  // one line: why it is not kValid, with names
  ProcessResult process;
  Instance placed;    // kValid and kInvalid: the input with its offsets
  uint64_t peak = 0;  // kValid: the highest end of a buffer
  Report report;      // kInvalid: what is broken
};

struct ExternalOptions {
  // Capacity and memory kind; capacity is {capacity} (2^63 - 1 if none given).
  PlanOptions plan;
  ProcessLimits limits;
};

// kInvalidArgument if `command` lacks {in} or {out}.
absl::Status CheckExternalCommand(absl::string_view command);

// Whether a planner's name is an external one ("cmd:..."), and its command.
std::optional<std::string> ExternalCommandOf(absl::string_view name);

// One run on `instance`, whose offsets are pins and are handed over in a column
// `offset` if there are any. An error only if no process can be started or no
// file written here; all that the planner may do is an outcome.
// REQUIRES: CheckExternalCommand(planner.command).ok().
absl::StatusOr<ExternalResult> RunExternal(const ExternalPlanner& planner,
                                           const Instance& instance,
                                           const ExternalOptions& options);

// The offsets of `text`, a CSV, laid into `placed`, a copy of the input.
// Errors: kNotFound for a buffer without offset, kInvalidArgument for anything
// that is no such CSV, both naming id or line. Exposed for tests.
absl::Status ReadOffsets(absl::string_view text, Instance& placed);

}  // namespace berth

#endif  // BERTH_TOOLS_EXTERNAL_EXTERNAL_PLANNER_H_
