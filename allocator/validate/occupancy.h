// Which instructions each DRAM location occupies (spec §3), derived for the
// validator alone: nothing here is the allocator's.
//
// Method: the graph is searched once per location. Where the location is live
// is found backwards from its uses, each path followed until a full def; where
// a def reaches is found forwards from its defs, within the live part only.
// That part is enough: on a path from a def to an instruction where the
// location is live, walking back from the instruction, liveness ends only at a
// full def, and that is a def which reaches. A block lies on a path from a def
// to a use only if the strongly connected component it is in comes, in
// topological order, neither before all defs nor after all uses; both searches
// stay within that window, so that code without loops costs about what the live
// ranges cover.
#ifndef BERTH_ALLOCATOR_VALIDATE_OCCUPANCY_H_
#define BERTH_ALLOCATOR_VALIDATE_OCCUPANCY_H_

#include <vector>

#include "allocator/model/intervals.h"
#include "allocator/model/program.h"

namespace berth::validation {

struct Occupancy {
  // Per location of the function: maximal runs of occupied flat indices. Empty
  // for other types than DRAM. An addressed WEIGHT or CONSTANT without access
  // occupies the whole function.
  IntervalTable runs;
  // Per location: it is in DRAM and some instruction accesses it.
  std::vector<bool> accessed;
};

// REQUIRES: indices of `function` in range, fewer than 2^31 - 1 instructions.
// Cost: O(accesses + blocks + edges + sum over locations of the blocks that
// both searches visit, and their edges). Thread-safety: pure.
Occupancy DeriveOccupancy(const Function& function);

}  // namespace berth::validation

#endif  // BERTH_ALLOCATOR_VALIDATE_OCCUPANCY_H_
