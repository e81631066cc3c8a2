// Plans a whole program: the pipeline of spec §11 over all its cores.
#ifndef BERTH_ALLOCATOR_PIPELINE_PLAN_PROGRAM_H_
#define BERTH_ALLOCATOR_PIPELINE_PLAN_PROGRAM_H_

#include <functional>

#include "absl/status/status.h"
#include "allocator/base/phase.h"
#include "allocator/model/options.h"
#include "allocator/model/program.h"
#include "allocator/pipeline/state.h"

namespace berth {

// Clears BERTH and SYNC addresses (or pins them, options.keep), marks what else
// came with an address as placed by INPUT, so that the result tells pins from
// placed locations by itself, runs the passes
// that `options` give, and writes addresses and run records into `program`.
// `report` tells what happened, also when it fails.
//
// On an error `program` has the instructions and addresses it came with, less
// BERTH and SYNC ones, and only the failing run's record
// (dram_allocation_result false).
//  kInvalidArgument: the program breaks a rule (CheckProgram, pins, uses).
//  kResourceExhausted: it does not fit (spec §12: budget.h says what it would
//    take), or, without local allocation, something accessed has no address.
//
// Thread-safety: none for one program. Cost: liveness.h + planners.h per
// function.
absl::Status PlanProgram(const PlanOptions& options,
                         const std::function<bool()>& stop,
                         const PhaseSeam& seam, Program& program,
                         PlanReport& report);

// The steps before the passes alone: what `plan` hands out as input. Exposed so
// that `check` and tests can tell which addresses are pins.
void ClearOrPin(bool keep, Program& program);

}  // namespace berth

#endif  // BERTH_ALLOCATOR_PIPELINE_PLAN_PROGRAM_H_
