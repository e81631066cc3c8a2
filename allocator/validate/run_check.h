// The invariants of one run: a function's LOCAL run, a shared run, or a CSV.
#ifndef BERTH_ALLOCATOR_VALIDATE_RUN_CHECK_H_
#define BERTH_ALLOCATOR_VALIDATE_RUN_CHECK_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "allocator/base/int_math.h"
#include "allocator/model/program.h"
#include "allocator/validate/checks.h"
#include "allocator/validate/findings.h"
#include "allocator/validate/placed_set.h"

namespace berth::validation {

struct RunRules {
  Regions regions;           // the floor is the recomputed one
  std::string floor_reason;  // " that 'x' sets", or empty
  uint64_t page_bytes = 1;
  // The live ranges are all known; else I1, I9 and L are left out.
  bool times_known = true;
  bool overlaps = true;  // I1 is asked for
  // A node without address is a lost one.
  bool must_be_placed = true;
  bool full = false;  // I9
};

// What a record is compared with.
struct Measured {
  bool any_placed = false;
  // Nothing is unplaced or absurd: the peak is the run's.
  bool complete = false;
  bool load_known = false;
  uint128 load = 0;  // L
  Extent extent;
  // No bytes but those of CC nodes wholly in CC touch the CC region.
  bool cc_pure = false;
};

// kUnplaced, I1, I2, I3, the inequality of I8, and I9 where asked.
// Cost: O(nodes + ranges log ranges), I9 more (checks.h).
Measured CheckRun(const PlacedSet& set, const RunRules& rules,
                  const Where& where, Findings* findings);

// That what `record` says of this run is true: I3 (floor, reserved space), I8
// (L, peak, result) and I10 (CC figures).
void CheckRecord(const RunRecord& record, const Measured& measured,
                 const RunRules& rules, const PlacedSet& set,
                 const Where& where, Findings* findings);

// I10 without a record: nothing was counted, so every CC node lies in CC.
void CheckCcWithoutRecord(const Measured& measured, const PlacedSet& set,
                          const Where& where, Findings* findings);

}  // namespace berth::validation

#endif  // BERTH_ALLOCATOR_VALIDATE_RUN_CHECK_H_
