#include "allocator/validate/program_facts.h"

#include <cstdint>
#include <vector>

#include "allocator/base/int_math.h"
#include "allocator/model/options.h"
#include "allocator/model/program.h"
#include "allocator/validate/findings.h"
#include "allocator/validate/input_match.h"
#include "allocator/validate/placed_set.h"
#include "allocator/validate/validate.h"

namespace berth::validation {
namespace {

// Pinned as the input would have it (spec §1); `keep` pins every address.
bool PinnedInInput(const Location& location, bool keep) {
  return location.address && (keep || location.placed_by == PlacedBy::kNone ||
                              location.placed_by == PlacedBy::kInput);
}

Role RoleOf(const Location& location, const Location* input, bool keep) {
  if (location.type != MemoryType::kDram) return Role::kNone;
  // A moved pin that lost its address is I5's affair alone.
  const bool pinned = input != nullptr ? PinnedInInput(*input, keep)
                                       : location.placed_by == PlacedBy::kInput;
  if (!location.address) {
    return location.placeable() && !pinned ? Role::kOpen : Role::kNone;
  }
  return pinned || !location.placeable() ? Role::kPinned : Role::kPlaced;
}

// Depth-first post-order from the functions in file order, callees in
// instruction order (spec §3). A call that closes a cycle is passed over.
std::vector<int32_t> CallOrder(const Module& module) {
  const auto count = static_cast<int32_t>(module.functions.size());
  std::vector<std::vector<int32_t>> callees(count);
  for (int32_t f = 0; f < count; ++f) {
    for (const Block& block : module.functions[f].blocks) {
      for (const Instruction& instruction : block.instructions) {
        if (instruction.kind == InstructionKind::kCall) {
          callees[f].push_back(instruction.callee);
        }
      }
    }
  }
  std::vector<bool> entered(count);
  std::vector<size_t> next(count, 0);
  std::vector<int32_t> order, path;
  for (int32_t root = 0; root < count; ++root) {
    if (entered[root]) continue;
    entered[root] = true;
    path.push_back(root);
    while (!path.empty()) {
      const int32_t f = path.back();
      if (next[f] == callees[f].size()) {
        order.push_back(f);
        path.pop_back();
        continue;
      }
      const int32_t callee = callees[f][next[f]++];
      if (entered[callee]) continue;
      entered[callee] = true;
      path.push_back(callee);
    }
  }
  return order;
}

}  // namespace

const RunRecord* ProgramFacts::Record(int32_t function, Space space,
                                      int32_t slab) const {
  for (const RunRecord& run : functions[function].function->runs) {
    if (run.space == space && run.slab == slab) return &run;
  }
  return nullptr;
}

SizeRounding ProgramFacts::LocalRounding(int32_t function) const {
  const RunRecord* record = Record(function, Space::kLocal, -1);
  return record != nullptr ? record->size_rounding : options.size_rounding;
}

LinkMode ProgramFacts::LocalLinkMode(int32_t function) const {
  const RunRecord* record = Record(function, Space::kLocal, -1);
  return record != nullptr ? record->link_mode : options.link_mode;
}

SizeRounding ProgramFacts::SharedRounding(int32_t core) const {
  for (const int32_t slab : {core, -1}) {
    const auto it = shared_rounding.find(slab);
    if (it != shared_rounding.end()) return it->second;
  }
  return options.size_rounding;
}

ProgramFacts CollectFacts(const Program& placed, const Program* input,
                          const ValidateOptions& options, Findings* findings) {
  ProgramFacts facts;
  facts.options = options.plan;
  for (const Module* module : ModulesByCore(placed)) {
    const auto first = static_cast<int32_t>(facts.functions.size());
    const auto module_index = static_cast<int32_t>(facts.modules.size());
    for (size_t f = 0; f < module->functions.size(); ++f) {
      const Function& function = module->functions[f];
      facts.has_records |= !function.runs.empty();
      for (const RunRecord& run : function.runs) {
        if (run.space != Space::kShared) continue;
        facts.shared_planned |= run.dram_allocation_result;
        facts.shared_rounding.try_emplace(run.slab, run.size_rounding);
      }
      facts.functions.push_back(
          {.function = &function,
           .module = module_index,
           .where = {.core = module->core,
                     .function_index = static_cast<int32_t>(f),
                     .function = function.name}});
    }
    facts.cores.push_back(module);
    facts.first_function.push_back(first);
    facts.modules.push_back(CallOrder(*module));
    for (int32_t& function : facts.modules.back()) function += first;
  }
  const InputMatch match(placed, input, options.plan.keep, findings);
  for (FunctionFacts& function : facts.functions) {
    const auto& locations = function.function->locations;
    const auto inputs = match.Of(*function.function);
    function.roles.reserve(locations.size());
    for (size_t l = 0; l < locations.size(); ++l) {
      function.roles.push_back(RoleOf(locations[l],
                                      inputs.empty() ? nullptr : inputs[l],
                                      options.plan.keep));
    }
  }
  return facts;
}

Node MakeNode(const Location& location, Role role, SizeRounding rounding) {
  Node node;
  node.name = location.name;
  node.pinned = role == Role::kPinned;
  node.placed = location.address.has_value();
  node.address = location.address.value_or(0);
  node.alignment = location.alignment;
  const auto bytes = CheckedMul(location.elem_count, location.elem_size);
  const bool rounded = !node.pinned && rounding == SizeRounding::kPage;
  const auto size = bytes && rounded
                        ? CheckedRoundUp(*bytes, PageBytes(location.type))
                        : bytes;
  node.size_bytes = size.value_or(0);
  node.absurd = !size || !CheckedAdd(node.address, node.size_bytes);
  return node;
}

}  // namespace berth::validation
