// Plans one input of the tool and validates the result: what `plan` does for
// each input, and what other commands do to an input that is not yet placed.
#ifndef BERTH_TOOLS_CLI_PLAN_INPUT_H_
#define BERTH_TOOLS_CLI_PLAN_INPUT_H_

#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "allocator/model/options.h"
#include "allocator/pipeline/events.h"
#include "allocator/validate/validate.h"
#include "tools/cli/clock.h"
#include "tools/cli/input.h"
#include "tools/cli/metrics.h"

namespace berth {

struct PlanRequest {
  PlanOptions options;
  std::optional<double> time_limit_seconds;  // tight only
  bool validate = true;
  bool full = false;  // I9 too
};

struct Planned {
  Metrics metrics;
  Report report;  // of the validator; empty without validation
  std::vector<Event> events;
};

// Places `input` in place. An error is that of the input or of the planner;
// `planned.events` is filled in on errors too. A result that breaks an
// invariant is not an error here: see planned.report.
absl::Status PlanInput(const PlanRequest& request, PhaseClock& clock,
                       Input& input, Planned& planned);

// Whether every location that a plan would place has an address.
bool IsPlaced(const Input& input);

}  // namespace berth

#endif  // BERTH_TOOLS_CLI_PLAN_INPUT_H_
