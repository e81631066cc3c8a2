// Liveness over a function's CFG (spec §2, §3): which instructions each DRAM
// location occupies, and the intervals that are emitted for it.
//
// Flat time: instructions are numbered 0, 1, 2... in layout order.
// A location occupies instruction i if i accesses it, or if some def reaches i
// and it is live at i. Only a full def (one access that covers the whole
// location, of an instruction that does not use it) kills liveness; a partial
// def is an implied use too. INPUT, WEIGHT, CONSTANT are defined at entry;
// OUTPUT, WEIGHT, CONSTANT are used at exit (blocks without successor).
// Locations that a CALL accesses occupy the closed hull of what they occupy.
//
// Thread-safety: pure functions of their arguments.
#ifndef BERTH_ALLOCATOR_LIVENESS_LIVENESS_H_
#define BERTH_ALLOCATOR_LIVENESS_LIVENESS_H_

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "allocator/model/intervals.h"
#include "allocator/model/options.h"
#include "allocator/model/program.h"

namespace berth {

// A listed use of a location that no def reaches (partial defs' implied uses
// are not listed). Whether it is an error is the caller's to say (spec §3: it
// is for a placeable location that is not pinned; SHARED ones ask other cores).
struct UndefinedUse {
  int32_t location = 0;
  int32_t instruction = 0;  // flat index
};

struct Liveness {
  // Per location of the function: the maximal runs of occupied indices, sorted,
  // disjoint, not adjacent. Empty for a location of another type than DRAM and
  // for one without any access, an addressed WEIGHT or CONSTANT excepted.
  IntervalTable occupied;
  // Per location: some instruction accesses it.
  std::vector<bool> referenced;
  // Per location: accessed in one block only, its value neither enters nor
  // leaves that block (or any other: a WEIGHT's may pass it by), no CALL
  // accesses it: what per-edge emission asks, pins aside.
  std::vector<bool> block_local;
  // In (location, instruction) order, each pair once.
  std::vector<UndefinedUse> undefined_uses;
};

// The liveness of every location of `function`.
// kResourceExhausted, naming the location, if there would be 2^31 - 1 or more
// runs (spec §2): a few megabytes of blocks and locations can ask for that.
//
// REQUIRES: `function` belongs to a checked program.
// Cost: O(instructions + accesses + runs + sum over locations of the blocks
// where it is live and their incoming edges); linear for straight-line code.
absl::StatusOr<Liveness> ComputeLiveness(const Function& function);

// The intervals of the locations `nodes` (indices into function.locations); the
// id of an interval is the position of its location in `nodes`.
//
//  kMerged: the maximal runs, in id order.
//  kPerEdge: of locations that are block-local and not pinned, [def, use] for
//    every def-use edge, unique per pair, and [d, d] for a dead def; maximal
//    runs of all others; sorted by (hi, id, lo). A use that no def reaches has
//    no edge: it is [use, use], so that both emissions cover the same indices.
//
// kResourceExhausted, naming the location, if there would be 2^31 - 1 or more;
// found before anything is allocated for them.
//
// REQUIRES: `liveness` is that of `function`; no location twice in `nodes`.
// Cost: O(nodes + result) merged; per-edge O(instructions + accesses + result
// log result).
absl::StatusOr<std::vector<OwnedInterval>> EmitIntervals(
    const Function& function, const Liveness& liveness, Emission emission,
    absl::Span<const int32_t> nodes);

}  // namespace berth

#endif  // BERTH_ALLOCATOR_LIVENESS_LIVENESS_H_
