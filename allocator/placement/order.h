// The elimination order of spec §8 (the source: simplify, a Briggs worklist).
//
//   K = min(L, max(0, ceiling - floor))
//   pressure(i) = sum of w over active nodes that interfere with i, each once
//   low(i): pressure(i) + w(i) <= K
//   hi_ratio(i) = w(i) * occupied_length(i)
//   Until none is active: if any is low, push the low one with the least
//   (pressure, w, id), else the one with the least (hi_ratio, id).
//
// Selection pops back to front: the most constrained first. There is no
// colouring and no spill. Pinned neighbours are in neither load nor pressure.
//
// Two implementations that share no code give identical orders (I7):
//   ReferenceOrder  what the rule says, pairwise. O(V^2 * runs).
//   BriggsOrder     holds no interference graph (briggs_order.cc says how).
//                   O((V + classes live at a time per removal / 32) log V) or
//                   so; linear memory.
//
// Thread-safety: pure functions. REQUIRES: CheckProblem(problem).ok().
#ifndef BERTH_ALLOCATOR_PLACEMENT_ORDER_H_
#define BERTH_ALLOCATOR_PLACEMENT_ORDER_H_

#include <cstdint>
#include <vector>

#include "allocator/base/int_math.h"
#include "allocator/placement/problem.h"

namespace berth {

struct EliminationOrder {
  std::vector<int32_t> pushed;  // every node once; selection pops from the back
  uint64_t visits = 0;          // nodes and classes looked at

  // The order in which selection places: `pushed` reversed.
  std::vector<int32_t> Popped() const {
    return std::vector<int32_t>(pushed.rbegin(), pushed.rend());
  }
};

// K of spec §8.
uint128 LowThreshold(const Problem& problem);

// hi_ratio of spec §8.
inline uint128 HiRatio(const Problem& problem, int32_t id) {
  return static_cast<uint128>(problem.size_bytes[id]) *
         problem.occupied_length[id];
}

EliminationOrder ReferenceOrder(const Problem& problem);
EliminationOrder BriggsOrder(const Problem& problem);

}  // namespace berth

#endif  // BERTH_ALLOCATOR_PLACEMENT_ORDER_H_
