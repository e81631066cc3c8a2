// ComputeLiveness() and EmitIntervals() with a limit of the caller's choice in
// place of the 2^31 - 1 of spec §2, which no test could afford to reach.
#ifndef BERTH_ALLOCATOR_LIVENESS_LIMITS_H_
#define BERTH_ALLOCATOR_LIVENESS_LIMITS_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "allocator/liveness/liveness.h"
#include "allocator/model/intervals.h"
#include "allocator/model/options.h"
#include "allocator/model/program.h"

namespace berth {

// Refuses `run_limit` or more runs. REQUIRES: run_limit <= kMaxCount.
absl::StatusOr<Liveness> ComputeLivenessUpTo(const Function& function,
                                             int64_t run_limit);

// Refuses `interval_limit` or more. REQUIRES: interval_limit <= kMaxCount.
absl::StatusOr<std::vector<OwnedInterval>> EmitIntervalsUpTo(
    const Function& function, const Liveness& liveness, Emission emission,
    absl::Span<const int32_t> nodes, int64_t interval_limit);

}  // namespace berth

#endif  // BERTH_ALLOCATOR_LIVENESS_LIMITS_H_
