// Lower bounds on the peak of any placement (spec §9: peak), each with the kind
// of reason it has, so that a report can say which one binds.
//
//   load    floor + max load: the bytes live at one time (spec §8).
//   aligned the same with sizes rounded up to the granule that divides every
//           alignment: between two nodes those bytes are lost, above the
//           topmost they are not.
//   pins    the bytes live at one time have to lie around what is pinned at
//   that
//           time; gaps smaller than the smallest node are lost.
//   node    one node alone cannot lie lower, for pins, alignment or pages.
//   pages   nodes of more than half a page and at most one do not share pages.
//
// Regions (spec §9) are not counted on: a node may lie anywhere from the floor.
//
// Thread-safety: pure functions.
#ifndef BERTH_ALLOCATOR_PLACEMENT_LOWER_BOUND_H_
#define BERTH_ALLOCATOR_PLACEMENT_LOWER_BOUND_H_

#include <cstdint>
#include <string>

#include "allocator/base/int_math.h"
#include "allocator/placement/problem.h"

namespace berth {

enum class BoundKind : uint8_t { kLoad, kAligned, kPins, kNode, kPages };

// "load", "aligned", ...
std::string Name(BoundKind kind);

struct LowerBound {
  // No placement has a lower peak. May pass the ceiling, and 2^64: then nothing
  // fits.
  uint128 peak_bytes = 0;
  BoundKind kind = BoundKind::kLoad;
  int32_t time = -1;  // where it binds; -1: nowhere (no node, or kNode)
  int32_t node = -1;  // kNode only
};

// The greatest of the bounds; of equals, the first in the order above.
// Cost: O(V + intervals + num_times) without pins; with pins, more by up to
// 10^7 steps, beyond which the bounds of pins are left out.
// REQUIRES: CheckProblem(problem).ok().
LowerBound BestLowerBound(const Problem& problem);

}  // namespace berth

#endif  // BERTH_ALLOCATOR_PLACEMENT_LOWER_BOUND_H_
