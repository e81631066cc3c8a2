// One placement run from regions to its record (spec §9): sets the CC region,
// plans, and fills in what the run records of itself. Used by local allocation,
// by every slab of shared allocation, and for CSV problems.
//
// Thread-safety: pure functions; what they fill in is the caller's.
#ifndef BERTH_ALLOCATOR_PIPELINE_PLACE_RUN_H_
#define BERTH_ALLOCATOR_PIPELINE_PLACE_RUN_H_

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "allocator/base/int_math.h"
#include "allocator/model/options.h"
#include "allocator/model/program.h"
#include "allocator/pipeline/state.h"
#include "allocator/placement/planners.h"
#include "allocator/placement/problem.h"

namespace berth {

// [floor, cc_end) of a run: the limit that the options ask for and what the
// ceiling leaves of it.
struct CcRegion {
  uint128 asked_bytes = 0;  // 0 without CC nodes
  uint64_t end = 0;         // cc_end
  bool cut = false;
};
CcRegion FindCcRegion(uint64_t floor, uint64_t ceiling, bool any_cc,
                      int64_t allreduce_buffer_mib, uint128 auto_bytes);

// Figures of a placement that follow from it alone: L, peak and the CC figures
// of spec §9. The other fields of `record` are left as they are.
void MeasurePlacement(const Problem& problem, const Placement& placement,
                      RunRecord& record);

// How good the placement is: visits, proof, and the bound on the peak.
void ReportPlacement(const Problem& problem, const Placement& placement,
                     RunReport& report);

// Plans `problem` (regions set) and measures the result into `record`, whose
// floor, ceiling, cc_end and dram_allocation_result it sets too, on failure as
// well. Errors are the planner's.
absl::StatusOr<Placement> PlaceRun(const Problem& problem,
                                   const PlannerOptions& options,
                                   RunRecord& record);

}  // namespace berth

#endif  // BERTH_ALLOCATOR_PIPELINE_PLACE_RUN_H_
