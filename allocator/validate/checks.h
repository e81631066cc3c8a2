// The checks of one PlacedSet, each on its own: they return the first offender
// and the number of them, and know nothing of programs, records or reports.
//
// Nodes that hold no bytes are ignored by all of them but FindUnplaced; pinned
// nodes by all but FindOverlap. Pure functions; n = nodes, r = live ranges.
#ifndef BERTH_ALLOCATOR_VALIDATE_CHECKS_H_
#define BERTH_ALLOCATOR_VALIDATE_CHECKS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "allocator/base/int_math.h"
#include "allocator/validate/placed_set.h"

namespace berth::validation {

// CC region [floor, cc_end), general region [cc_end, ceiling) (spec §9).
struct Regions {
  uint64_t floor = 0;
  uint64_t cc_end = 0;
  uint64_t ceiling = 0;
};

// Positions in PlacedSet::ranges by time; ties by position.
struct Timeline {
  std::vector<int32_t> by_lo;
  std::vector<int32_t> by_hi;
};

// Cost: O(r log r).
Timeline MakeTimeline(const PlacedSet& set);

// A node without an address. Cost: O(n).
Offence FindUnplaced(const PlacedSet& set);

// A node whose size or end passes 2^64 - 1: nothing else can be said of it.
// Cost: O(n).
Offence FindAbsurd(const PlacedSet& set);

// I1, by a sweep over time. The bytes that are live now stand in address order,
// disjoint: a range that meets one of them is an offender and is left out, so
// that one broken node does not hide the others' own clashes. The first
// offender is the first in (lo, node) order; count is of nodes. Cost: O(r log
// r), however broken the placement is.
Offence FindOverlap(const PlacedSet& set, const Timeline& timeline);

// I2: an object of at most one page crosses no page boundary, and an address is
// a multiple of the node's alignment. Cost: O(n).
Offence FindMisplaced(const PlacedSet& set, uint64_t page_bytes);

// I3: floor <= address and end <= ceiling. `floor_reason` is for the message.
// Cost: O(n).
Offence FindOutside(const PlacedSet& set, const Regions& regions,
                    absl::string_view floor_reason);

// I9: a node that, all others fixed, fits lower in the region where it lies, or
// at all in one that is tried before it (spec §7, §9). A node outside the
// regions is left to I3; of a problem with byte windows, nodes that have one
// are not asked. Cost: O((r + pairs that interfere) log r).
Offence FindLowerFit(const PlacedSet& set, const Timeline& timeline,
                     const Regions& regions, uint64_t page_bytes);

// The lower bound L of spec §8: the greatest sum of sizes that are live at
// once. Cost: O(r).
uint128 MaxLoad(const PlacedSet& set, const Timeline& timeline);

// Where the nodes that hold bytes lie (spec §9).
struct Extent {
  uint64_t peak = 0;              // highest end, the floor if none
  uint128 cc_overflow_bytes = 0;  // of CC nodes not wholly in CC
  uint128 cc_intruder_bytes = 0;  // of others that touch CC
  uint64_t cc_high = 0;  // highest end of a CC node in CC, or the floor
  Offence cc_outside;    // CC nodes not wholly in CC
};

// Cost: O(n).
Extent MeasureExtent(const PlacedSet& set, const Regions& regions);

}  // namespace berth::validation

#endif  // BERTH_ALLOCATOR_VALIDATE_CHECKS_H_
