// Plain checks of placements of a Problem, for planner tests. Share no code
// with the planners.
#ifndef BERTH_TESTS_PLACEMENT_PLACEMENT_CHECK_H_
#define BERTH_TESTS_PLACEMENT_PLACEMENT_CHECK_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "allocator/placement/problem.h"

namespace berth {

// Empty if every node has an address within floor..ceiling that meets no
// interfering node or pin, is aligned, and obeys the page-straddle rule; else
// the first fault. All pairs.
std::string FaultOf(const Problem& problem, const Placement& placement);

// The least peak of any placement in [floor, ceiling), regions aside: first fit
// in every order (one of them is the order of addresses of a best placement).
// nullopt if nothing fits. Cost: V! first fits.
std::optional<uint64_t> BruteForcePeak(const Problem& problem);

// One line per node and pin, to paste into a test.
std::string ToString(const Problem& problem);

}  // namespace berth

#endif  // BERTH_TESTS_PLACEMENT_PLACEMENT_CHECK_H_
