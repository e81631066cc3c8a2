// The pipeline of spec §11: named passes over one program, and the builder that
// decides which of them a set of options gives.
//
// Gates are structural: a pass that the options turn off is left out of the
// list, and no pass asks whether it should run.
//
// Thread-safety: BuildPipeline is pure; none for one PipelineState.
#ifndef BERTH_ALLOCATOR_PIPELINE_PIPELINE_H_
#define BERTH_ALLOCATOR_PIPELINE_PIPELINE_H_

#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "allocator/model/options.h"
#include "allocator/pipeline/state.h"

namespace berth {

struct Pass {
  absl::string_view name;  // the source's, a literal
  absl::Status (*run)(PipelineState& state) = nullptr;
};

// The passes that `options` give, in the order in which they run.
std::vector<Pass> BuildPipeline(const PlanOptions& options);

// Runs them one after another up to the first that fails. REQUIRES:
// state.analysis has been filled in (AnalyzeProgram).
absl::Status RunPipeline(const std::vector<Pass>& passes, PipelineState& state);

}  // namespace berth

#endif  // BERTH_ALLOCATOR_PIPELINE_PIPELINE_H_
