// The invariants of spec §13, stated once. Tests, fuzz targets, `berth check`,
// the tool's own results and the benches all call these two functions.
//
// Shares no code with the allocator: it may use allocator/base and
// allocator/model (values and their checked sizes) and nothing else. It derives
// occupied instructions by itself, with a graph search per location, and looks
// for clashes with a sweep, near-linear in instructions + live ranges.
//
// Thread-safety: pure functions.
#ifndef BERTH_ALLOCATOR_VALIDATE_VALIDATE_H_
#define BERTH_ALLOCATOR_VALIDATE_VALIDATE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "allocator/model/instance.h"
#include "allocator/model/options.h"
#include "allocator/model/program.h"

namespace berth {

enum class Invariant : uint8_t {
  kUnplaced = 0,  // a node has no address (a lost tensor)
  kI1 = 1,        // interfering locations have disjoint bytes
  kI2 = 2,        // the page-straddle rule, and the node's own alignment
  kI3 = 3,        // floor <= addr, addr + w <= ceiling, floor recomputed
  kI4 = 4,        // copies of a shared location agree
  kI5 = 5,        // pinned addresses are unchanged
  kI8 = 8,        // peak - floor >= L; what records say is true
  kI9 = 9,        // nothing fits lower (--full)
  kI10 = 10,      // CC locations lie in CC unless counted
  kI11 = 11,      // shared and private bytes are disjoint on every core
};

// "I1", ... and "unplaced".
std::string Name(Invariant invariant);

// The first offending pair of one broken invariant, and how many there are.
struct Violation {
  Invariant invariant = Invariant::kI1;
  int32_t core = -1;     // -1: a CSV, or the program as a whole
  std::string function;  // empty for a CSV
  std::string first;     // location or buffer
  std::string second;    // the other one, empty where there is none
  std::string message;   // one line, names, addresses, times
  int64_t count = 1;     // offenders of this kind in this function or run
};

struct Report {
  std::vector<Violation> violations;  // by (core, function, invariant)
  bool ok() const { return violations.empty(); }
  // One line per violation, empty if none.
  std::string ToString() const;
};

struct ValidateOptions {
  // I9 too: all others fixed, no node fits lower in the regions it was tried
  // in. Only for placements that first fit won, before rotation and cleanup.
  bool full = false;
  // Of a program without run records: the options that stand in for them.
  PlanOptions plan;
};

// `placed` against every invariant that applies to one program.
//
// `input`, if not null, is the program as it was handed out: its pins must be
// where they were, no location may be missing, added or changed, and none that
// is not placeable may have been given an address (all I5). With `plan.keep`
// every address of the input is a pin. Without `input`, placed_by says who is
// pinned: INPUT is; BERTH, SYNC and, of a placeable location, unset are placed,
// and all invariants apply to them (spec §13, last paragraph).
//
// Run records, where there are any, are checked: floor and reserved space are
// I3; L, peak, result, counts and a record that is missing or there twice are
// I8; the CC figures are I10. Size rounding, link mode, ceiling and CC region
// come from the record of each run, else from `options.plan`. A run recorded as
// rotated, cleaned or tight is not asked for I9.
//
// Shared locations: I4 and I11 always; I1, L and I9 by phases, which are
// derived anew (phases.h). Where cores do not agree on their rendezvous there
// are none: that is an I1, since nothing shows that it holds. Of a
// program with run records, every SHARED location with an address must carry
// the mark shared_post_dram_alloc (I4).
//
// REQUIRES: what CheckProgram() asks of indices and names. Sizes and addresses
// may be anything: what passes 2^64 - 1 is an I3, nothing wraps.
// Cost: O(n log n) in locations + instructions + live ranges, with the graph
// searches of occupancy.h on top; with `full` also O(log n) per interfering
// pair.
Report ValidateProgram(const Program& placed, const Program* input,
                       const ValidateOptions& options);

// The same of a CSV problem whose buffers all have an offset: I1, I2, I3, I8
// (and I9 with full). `input` as above: its offsets are pins, without it none
// is (spec §13). Start 0, ceiling plan.capacity_bytes, page and rounding by
// plan.csv_memory and plan.size_rounding.
Report ValidateInstance(const Instance& placed, const Instance* input,
                        const ValidateOptions& options);

}  // namespace berth

#endif  // BERTH_ALLOCATOR_VALIDATE_VALIDATE_H_
