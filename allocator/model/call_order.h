// The call graph of one module: who comes first, or the cycle that forbids it.
// Part of check_program.h; not for other layers.
#ifndef BERTH_ALLOCATOR_MODEL_CALL_ORDER_H_
#define BERTH_ALLOCATOR_MODEL_CALL_ORDER_H_

#include <cstdint>
#include <string>
#include <vector>

#include "allocator/model/program.h"

namespace berth {

struct CallOrder {
  // Depth-first post-order; all functions unless there is a cycle.
  std::vector<int32_t> callees_first;
  // The functions of the first cycle found, each calling the next, the last
  // calling the first; empty if calls do not recurse.
  std::vector<int32_t> cycle;
  // The instruction of cycle.back() that closes the cycle.
  int32_t block = -1;
  int32_t instruction = -1;
};

// REQUIRES: callee indices in range. Cost: O(instructions); no recursion, so
// that a chain of any depth is fine.
CallOrder OrderCalls(const Module& module);

// "calls recurse: 'a' -> 'b' -> 'a'", long cycles cut short.
// REQUIRES: order.cycle is not empty.
std::string CycleMessage(const Module& module, const CallOrder& order);

}  // namespace berth

#endif  // BERTH_ALLOCATOR_MODEL_CALL_ORDER_H_
