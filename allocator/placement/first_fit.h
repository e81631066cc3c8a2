// First fit at any moment of a placement: the lowest address for a node, given
// what is placed so far (spec §7). One concept, three implementations, equal
// answers: PlainFirstFit (plain_first_fit.h), obvious, collects and sorts the
// placed neighbours; WindowFirstFit (window_first_fit.h), fast; SweepFirstFit
// (sweep_first_fit.h), faster, for orders by first time alone.
//
// The concept (checked by the typed conformance tests):
//
//   X(const Problem& problem, absl::Span<const int32_t> order)
//     Pins are placed; no node is. `order` says in which order nodes will be
//     asked for and placed; every call below must name nodes in that order.
//   std::optional<uint64_t> Find(int32_t node, uint64_t start, uint64_t
//   ceiling)
//     Lowest address x of spec §7 for the node in [start, ceiling). May be
//     called several times for one node (regions). REQUIRES: w > 0.
//   void Place(int32_t node, uint64_t address)
//     Records it. The bytes must not meet those of a placed neighbour, and
//     address + w must not pass 2^64 - 1.
//   uint64_t visits() const
//     Work counted so far, deterministic.
#ifndef BERTH_ALLOCATOR_PLACEMENT_FIRST_FIT_H_
#define BERTH_ALLOCATOR_PLACEMENT_FIRST_FIT_H_

#include <algorithm>
#include <cstdint>
#include <optional>

namespace berth {

// Spec §7 step 2 within one gap [lo, hi): the lowest x >= lo that is a multiple
// of `alignment`, has x + size <= hi, and crosses no page boundary if
// size <= page. Cost: at most min(alignment, page) / gcd steps of the rule,
// O(1) when one divides the other. Nothing wraps. REQUIRES: size > 0, alignment
// > 0, page > 0.
std::optional<uint64_t> PlaceInGap(uint64_t lo, uint64_t hi, uint64_t size,
                                   uint64_t alignment, uint64_t page);

}  // namespace berth

#endif  // BERTH_ALLOCATOR_PLACEMENT_FIRST_FIT_H_
