// A small set of nodes that alone cannot fit, as the reason of an infeasible
// problem.
//
// Thread-safety: pure function. Deterministic.
#ifndef BERTH_ALLOCATOR_PLACEMENT_TIGHT_INFEASIBLE_H_
#define BERTH_ALLOCATOR_PLACEMENT_TIGHT_INFEASIBLE_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "allocator/model/intervals.h"

namespace berth::tight {

// Drops nodes of a set of which it is proved, by load or by search, that no
// packing of it (sizes parallel to them) ends at or below `capacity` units, as
// long as that is proved of the rest too, each test within `max_steps`, all
// within 64 * max_steps: no node of the result can be left out, unless that
// budget ran out. Ascending ids.
std::vector<int32_t> MinimalInfeasible(const IntervalTable& live,
                                       absl::Span<const int32_t> nodes,
                                       absl::Span<const int64_t> size_units,
                                       int64_t capacity, int64_t max_steps);

}  // namespace berth::tight

#endif  // BERTH_ALLOCATOR_PLACEMENT_TIGHT_INFEASIBLE_H_
