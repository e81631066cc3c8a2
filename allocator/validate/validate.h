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
  kI8 = 8,        // peak - floor >= L; recorded L and peak are true
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

// `placed` against every invariant that applies to one program. `input`, if not
// null, is the program as it was handed out: its pins must be where they were
// (I5) and no location may be missing, added or resized. Broken run records
// (a floor that is not what the program gives, a false L or peak) are I3 and
// I8.
Report ValidateProgram(const Program& placed, const Program* input,
                       const ValidateOptions& options);

// The same of a CSV problem whose buffers all have an offset: I1, I2, I3, I8
// (and I9 with full). `input` as above: its offsets are pins.
Report ValidateInstance(const Instance& placed, const Instance* input,
                        const ValidateOptions& options);

}  // namespace berth

#endif  // BERTH_ALLOCATOR_VALIDATE_VALIDATE_H_
