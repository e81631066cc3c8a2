// What the passes know of a program before anything is placed, and every error
// of the input that needs such knowledge (spec §3, §5).
//
// Thread-safety: pure functions of their arguments.
#ifndef BERTH_ALLOCATOR_PIPELINE_ANALYSIS_H_
#define BERTH_ALLOCATOR_PIPELINE_ANALYSIS_H_

#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "allocator/liveness/liveness.h"
#include "allocator/model/program.h"

namespace berth {

// Of the program as it came in: a pass that changes instructions does not
// change this, so flat indices here are those of the input.
struct ProgramAnalysis {
  // By core, then by index of the function in its module.
  std::vector<std::vector<Liveness>> liveness;
};

// kInvalidArgument, the first that is found, cores ascending: a use of a
// placeable LOCAL location that no def reaches; pins of one function that
// interfere and share bytes. Names what is at fault.
//
// REQUIRES: a checked program. Cost: liveness.h per function.
absl::StatusOr<ProgramAnalysis> AnalyzeProgram(const Program& program);

}  // namespace berth

#endif  // BERTH_ALLOCATOR_PIPELINE_ANALYSIS_H_
