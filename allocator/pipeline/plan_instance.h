// Plans a CSV problem (spec §14): one run, start 0, link mode post, no page
// rule unless --memory=dram.
#ifndef BERTH_ALLOCATOR_PIPELINE_PLAN_INSTANCE_H_
#define BERTH_ALLOCATOR_PIPELINE_PLAN_INSTANCE_H_

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "allocator/base/phase.h"
#include "allocator/model/instance.h"
#include "allocator/model/options.h"
#include "allocator/model/program.h"
#include "allocator/pipeline/state.h"
#include "allocator/placement/problem.h"

namespace berth {

// Every end point of a lifetime, a gap or a window, ascending, once. Rank r
// stands for the times from the r-th up to the next.
std::vector<int64_t> EndPoints(const Instance& instance);

// A CSV problem in dense numbers. End points are compressed to ranks.
struct InstanceProblem {
  Problem problem;  // floor 0, ceiling options.capacity_bytes, no CC region
  std::vector<int32_t> buffer_of;  // node id -> index in instance.buffers
  std::vector<int32_t> pinned;     // pin id -> index in instance.buffers;
                                   // one pin for each window of a buffer
};

// Buffers without offset become nodes in file order, the others pins.
// `instance` must outlive the result. kInvalidArgument: two pins that interfere
// and share bytes, a pin past the capacity, a rounded size that overflows, or
// 2^31 - 1 or more end points. Cost: O(buffers log buffers).
absl::StatusOr<InstanceProblem> NumberInstance(const Instance& instance,
                                               const PlanOptions& options);

// Writes the offset of every buffer that has none. On an error `instance` is as
// it was; `report` has the record of the run. Errors: those of NumberInstance,
// and kResourceExhausted for what does not fit.
absl::Status PlanInstance(const PlanOptions& options,
                          const std::function<bool()>& stop,
                          const PhaseSeam& seam, Instance& instance,
                          RunReport& report);

// Spec §14 for a CSV: core 0, function "".
uint64_t PlacementHash(const Instance& instance);

}  // namespace berth

#endif  // BERTH_ALLOCATOR_PIPELINE_PLAN_INSTANCE_H_
