#include "fuzz/inputs/program_mutator.h"

#include <cstddef>
#include <cstdint>
#include <utility>

#include "absl/strings/str_cat.h"
#include "allocator/base/rng.h"
#include "allocator/model/check_program.h"
#include "allocator/model/program.h"
#include "fuzz/inputs/program_changes.h"
#include "fuzz/inputs/program_parts.h"
#include "fuzz/inputs/program_repair.h"

namespace berth::fuzz {
namespace {

void ForEachFunction(Program& program, void (*visit)(Function&)) {
  for (Module& module : program.modules) {
    for (Function& function : module.functions) visit(function);
  }
}

void ChangeOnce(Rng& rng, Program& program) {
  const uint64_t kind = rng.Below(kLocationWeight + kCodeWeight + kCoresWeight);
  if (kind < kLocationWeight) return ChangeLocations(rng, program);
  if (kind < kLocationWeight + kCodeWeight) return ChangeCode(rng, program);
  ChangeCores(rng, program);
}

}  // namespace

bool IsSmall(const Program& program) {
  if (program.modules.size() > kMaxProgramCores) return false;
  for (const Module& module : program.modules) {
    if (module.functions.size() > kMaxProgramFunctions) return false;
    for (const Function& function : module.functions) {
      size_t instructions = 0;
      for (const Block& block : function.blocks) {
        instructions += block.instructions.size();
        if (block.successors.size() > kMaxProgramBlocks) return false;
      }
      if (function.locations.size() > kMaxProgramLocations ||
          function.blocks.size() > kMaxProgramBlocks ||
          instructions > kMaxProgramInstructions) {
        return false;
      }
    }
  }
  return true;
}

void MutateProgram(Rng& rng, Program& program) {
  if (program.modules.empty()) program = SmallProgram(rng);
  Program changed = program;
  ChangeOnce(rng, changed);
  ForEachFunction(changed, RepairAccesses);
  ForEachFunction(changed, RepairKinds);
  if (!IsSmall(changed) || !CheckProgram(changed).ok()) return;
  if (!rng.OneIn(32)) ForEachFunction(changed, DropUndefinedUses);
  program = std::move(changed);
}

void CrossPrograms(Rng& rng, const Program& other, Program& program) {
  if (program.modules.empty() || other.modules.empty()) return;
  Program donor = other;
  Function* from = SomeFunction(rng, donor);
  if (from == nullptr) return;
  Program changed = program;
  if (rng.OneIn(3)) {
    // The whole function, in place of one.
    Module& module = SomeModule(rng, changed);
    if (module.functions.empty()) return;
    Function& to = module.functions[rng.Below(module.functions.size())];
    std::swap(from->name, to.name);
    to = std::move(*from);
  } else {
    // A block's instructions and what they access.
    Function* to = SomeFunction(rng, changed);
    if (to == nullptr) return;
    const auto base = static_cast<int32_t>(to->locations.size());
    for (Location location : from->locations) {
      location.name = absl::StrCat(location.name, "x", rng.Below(1000));
      to->locations.push_back(std::move(location));
    }
    Block& block = SomeBlock(rng, *to);
    size_t at = rng.Below(block.instructions.size() + 1);
    for (Instruction i : SomeBlock(rng, *from).instructions) {
      if (i.kind == InstructionKind::kCall) continue;
      for (Access& a : i.defs) a.location += base;
      for (Access& a : i.uses) a.location += base;
      InsertAt(block, at++, std::move(i));
    }
  }
  for (Module& module : changed.modules) {
    const auto functions = static_cast<int32_t>(module.functions.size());
    for (Function& function : module.functions) {
      for (Block& block : function.blocks) {
        for (Instruction& i : block.instructions) {
          if (i.kind == InstructionKind::kCall) i.callee %= functions;
        }
      }
    }
  }
  ForEachFunction(changed, RepairKinds);
  if (!IsSmall(changed) || !CheckProgram(changed).ok()) return;
  ForEachFunction(changed, DropUndefinedUses);
  program = std::move(changed);
}

}  // namespace berth::fuzz
