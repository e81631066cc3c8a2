// One input, two contenders: do they differ?
#ifndef BERTH_TOOLS_DIFF_COMPARE_H_
#define BERTH_TOOLS_DIFF_COMPARE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "tools/cli/input.h"
#include "tools/cli/plan_input.h"
#include "tools/diff/contender.h"
#include "tools/external/process.h"

namespace berth {

// What counts as a difference between two planners.
enum class Criterion : uint8_t {
  kAddresses,  // any address, or who fits
  kValidity,   // one gives no valid placement, for a reason of its own
  kPeak,       // unequal peaks, or who fits
};

struct CompareOptions {
  Criterion criterion = Criterion::kAddresses;
  PlanRequest request;   // options of both; each planner sets its own name
  ProcessLimits limits;  // of external planners
};

// How one contender fared: "placed", "does not fit", "bad input", "invalid", or
// of an external one also "crashed", "timed out", ... (external_planner.h).
struct Outcome {
  std::string state;
  std::string message;
  // placed and invalid: every location's or buffer's, in file order.
  std::vector<std::optional<uint64_t>> addresses;
  uint64_t peak = 0;  // placed
};

struct Difference {
  // The same for inputs that show the same thing, so that shrinking keeps to
  // it: "addresses", "a: crashed, b: placed", ...
  std::string kind;
  std::string message;  // with names and numbers; one line
  bool broken = false;  // an invariant is broken, rather than two that differ
};

// nullopt: no difference. kInvalidArgument: the two cannot be compared on this
// input at all (an external planner on a program, say).
absl::StatusOr<std::optional<Difference>> Compare(
    const Contender& a, const Contender& b, const Input& input,
    const CompareOptions& options);

}  // namespace berth

#endif  // BERTH_TOOLS_DIFF_COMPARE_H_
