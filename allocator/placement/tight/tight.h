// Planner "tight": an anytime search for the least peak, and proofs.
//
// It starts from the greedy planner's placement and never gives a worse one.
// The problem is cut into rooms (the regions of spec §9, each on its own) and
// those into parts that share no time. A part is searched exactly
// (part_search.h) where addresses are free: no pin in its way, alignments and
// pages that every sum of its sizes obeys. Other parts, and those too large for
// that, get a local search over orders decoded by first fit (order_search.h).
//
// One step = one node tried at an address, by either search; where orders are
// decoded, one live range of a node or pin put down. The result depends
// on the problem and budget_steps alone, unless `stop` ends the search; a
// larger budget never gives a higher peak.
//
// proved_optimal: no placement that keeps every node within its own region has
// a lower peak. Proofs by search hold up to a collision of a 64-bit hash
// (section_search.h).
//
// kResourceExhausted: nothing was found under the ceiling. Where that is proved
// the message says "proved" and names a set of nodes that alone cannot fit,
// none of which could be left out without losing the proof.
//
// Thread-safety: pure function. Memory: bounded, some tens of MB besides the
// first fit's.
#ifndef BERTH_ALLOCATOR_PLACEMENT_TIGHT_TIGHT_H_
#define BERTH_ALLOCATOR_PLACEMENT_TIGHT_TIGHT_H_

#include <cstdint>
#include <functional>

#include "absl/status/statusor.h"
#include "allocator/model/options.h"
#include "allocator/placement/problem.h"

namespace berth {

struct TightOptions {
  uint64_t budget_steps = PlanOptions().budget_steps;
  // Asked between restarts (a few milliseconds of work, tenths of a second for
  // ten thousand nodes); true ends the search with what it has. Empty: never.
  std::function<bool()> stop;
};

absl::StatusOr<Placement> PlanTight(const Problem& problem,
                                    const TightOptions& options);

}  // namespace berth

#endif  // BERTH_ALLOCATOR_PLACEMENT_TIGHT_TIGHT_H_
