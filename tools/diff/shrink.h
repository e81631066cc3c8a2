// The smallest input for which something still holds: parts are taken away, and
// what is left is made plainer, as long as it does.
//
// Thread-safety: pure but for `holds`. Deterministic if `holds` is. Cost: at
// most ShrinkLimits::tries calls of `holds`.
#ifndef BERTH_TOOLS_DIFF_SHRINK_H_
#define BERTH_TOOLS_DIFF_SHRINK_H_

#include <cstdint>
#include <functional>

#include "allocator/model/instance.h"
#include "allocator/model/program.h"

namespace berth {

struct ShrinkLimits {
  int64_t tries = 5000;
};

struct ShrinkStats {
  int64_t tries = 0;
  bool exhausted =
      false;  // the limit ended it, not that nothing helps any more
};

// REQUIRES: holds(instance). Every candidate is a checked instance: buffers are
// dropped in halves, quarters, ... one by one; then gaps, alignments and
// offsets are dropped, sizes halved, and times renumbered without holes.
Instance ShrinkInstance(Instance instance,
                        const std::function<bool(const Instance&)>& holds,
                        const ShrinkLimits& limits, ShrinkStats& stats);

// The same of a program; every candidate passes CheckProgram. Functions with
// their calls, blocks, instructions and locations with their accesses are
// dropped; then edges, addresses, alignments, remote targets and partial
// accesses, and sizes are made one page.
Program ShrinkProgram(Program program,
                      const std::function<bool(const Program&)>& holds,
                      const ShrinkLimits& limits, ShrinkStats& stats);

}  // namespace berth

#endif  // BERTH_TOOLS_DIFF_SHRINK_H_
