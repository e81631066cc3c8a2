#include "allocator/model/call_order.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "allocator/base/check.h"
#include "allocator/model/program.h"

namespace berth {
namespace {

// A function under way and the next of its instructions to look at.
struct Frame {
  int32_t function = 0;
  size_t block = 0;
  size_t instruction = 0;
};

// Moves `frame` behind its next CALL; false if there is none.
bool NextCall(const Module& module, Frame& frame, int32_t& callee) {
  const std::vector<Block>& blocks = module.functions[frame.function].blocks;
  for (; frame.block < blocks.size(); ++frame.block, frame.instruction = 0) {
    const auto& instructions = blocks[frame.block].instructions;
    while (frame.instruction < instructions.size()) {
      const Instruction& instruction = instructions[frame.instruction++];
      if (instruction.kind != InstructionKind::kCall) continue;
      callee = instruction.callee;
      return true;
    }
  }
  return false;
}

}  // namespace

CallOrder OrderCalls(const Module& module) {
  enum class State : uint8_t { kNew, kOpen, kDone };
  CallOrder order;
  std::vector<State> states(module.functions.size(), State::kNew);
  std::vector<Frame> open;
  const auto start = [&](int32_t function) {
    states[function] = State::kOpen;
    open.push_back({.function = function});
  };
  for (size_t root = 0; root < states.size(); ++root) {
    if (states[root] == State::kNew) start(static_cast<int32_t>(root));
    while (!open.empty()) {
      int32_t callee = -1;
      if (!NextCall(module, open.back(), callee)) {
        states[open.back().function] = State::kDone;
        order.callees_first.push_back(open.back().function);
        open.pop_back();
      } else if (states[callee] == State::kNew) {
        start(callee);
      } else if (states[callee] == State::kOpen) {
        const auto first = std::find_if(
            open.begin(), open.end(),
            [&](const Frame& frame) { return frame.function == callee; });
        for (auto it = first; it != open.end(); ++it) {
          order.cycle.push_back(it->function);
        }
        order.block = static_cast<int32_t>(open.back().block);
        order.instruction = static_cast<int32_t>(open.back().instruction) - 1;
        return order;
      }
    }
  }
  return order;
}

std::string CycleMessage(const Module& module, const CallOrder& order) {
  BERTH_CHECK(!order.cycle.empty());
  constexpr size_t kMostNames = 8;
  std::string text = "calls recurse:";
  for (size_t i = 0; i < std::min(order.cycle.size(), kMostNames); ++i) {
    absl::StrAppend(&text, " '", module.functions[order.cycle[i]].name, "' ->");
  }
  if (order.cycle.size() > kMostNames) {
    absl::StrAppend(&text, " (", order.cycle.size() - kMostNames, " more) ->");
  }
  absl::StrAppend(&text, " '", module.functions[order.cycle[0]].name, "'");
  return text;
}

}  // namespace berth
