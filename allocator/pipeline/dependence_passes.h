// The passes `build_fdeps`, `anti_dependency_analyzer_post_dram` and
// `anti_dependency_analyzer_post_shared_dram` (spec §10, §11) over a program:
// each fills in its part of PlanReport::dependences. None fails.
#ifndef BERTH_ALLOCATOR_PIPELINE_DEPENDENCE_PASSES_H_
#define BERTH_ALLOCATOR_PIPELINE_DEPENDENCE_PASSES_H_

#include "absl/status/status.h"
#include "allocator/pipeline/state.h"

namespace berth {

absl::Status BuildAllFdeps(PipelineState& state);
absl::Status AnalyzeLocalPlacement(PipelineState& state);
absl::Status AnalyzeSharedPlacement(PipelineState& state);

}  // namespace berth

#endif  // BERTH_ALLOCATOR_PIPELINE_DEPENDENCE_PASSES_H_
