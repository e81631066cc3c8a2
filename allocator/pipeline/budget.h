// Why a program does not fit, for the error of spec §12.
//
// Thread-safety: none for one PipelineState.
#ifndef BERTH_ALLOCATOR_PIPELINE_BUDGET_H_
#define BERTH_ALLOCATOR_PIPELINE_BUDGET_H_

#include <string>

#include "allocator/pipeline/state.h"

namespace berth {

// Lines for people: the window; per core the private peak, and the shared peak,
// that planner briggs would reach without a window and without slabs; what is
// live where the run that failed is fullest (state.overload).
//
// Plans the program once more and takes everything back that this wrote:
// REQUIRES: addresses and records of the failed planning have been taken back.
// Leaves state.report as it was. Cost: a planning.
std::string DescribeBudget(PipelineState& state);

}  // namespace berth

#endif  // BERTH_ALLOCATOR_PIPELINE_BUDGET_H_
