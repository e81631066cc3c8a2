#include "fuzz/inputs/program_parts.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "allocator/base/int_math.h"
#include "allocator/base/rng.h"
#include "allocator/model/program.h"

namespace berth::fuzz {

Module& SomeModule(Rng& rng, Program& program) {
  return program.modules[rng.Below(program.modules.size())];
}

Function* SomeFunction(Rng& rng, Program& program) {
  Module& module = SomeModule(rng, program);
  if (module.functions.empty()) return nullptr;
  Function& function = module.functions[rng.Below(module.functions.size())];
  return function.blocks.empty() ? nullptr : &function;
}

Block& SomeBlock(Rng& rng, Function& function) {
  return function.blocks[rng.Below(function.blocks.size())];
}

Instruction* SomeInstruction(Rng& rng, Function& function) {
  Block& block = SomeBlock(rng, function);
  if (block.instructions.empty()) return nullptr;
  return &block.instructions[rng.Below(block.instructions.size())];
}

Location* SomeLocation(Rng& rng, Function& function) {
  if (function.locations.empty()) return nullptr;
  return &function.locations[rng.Below(function.locations.size())];
}

std::string NewName(const char* prefix, Rng& rng) {
  return absl::StrCat(prefix, rng.Below(1'000'000));
}

uint64_t SomeBytes(Rng& rng) {
  const uint64_t page = kDramPageBytes;
  switch (rng.Below(10)) {
    case 0:
      return 0;
    case 1:
      return 1 + rng.Below(page);
    case 2:
      return page * rng.Below(5) + rng.Below(3) - (rng.OneIn(2) ? 0 : 1) + 1;
    case 3:
      return rng.OneIn(3) ? uint64_t{1} << rng.Below(63) : page;
    case 4:
      return page - 1 + rng.Below(3);
    default:
      return 256 * (1 + rng.Below(64));
  }
}

Location NewLocation(Rng& rng) {
  Location location;
  location.name = NewName("t", rng);
  location.elem_count = SomeBytes(rng);
  location.usage = rng.OneIn(4) ? Usage::kSpill : Usage::kIntermediate;
  return location;
}

void InsertAt(Block& block, size_t at, Instruction instruction) {
  block.instructions.insert(
      block.instructions.begin() + static_cast<std::ptrdiff_t>(at),
      std::move(instruction));
}

Instruction Compute(std::vector<Access> defs, std::vector<Access> uses) {
  Instruction instruction;
  instruction.defs = std::move(defs);
  instruction.uses = std::move(uses);
  return instruction;
}

Instruction Barrier(std::string name) {
  Instruction barrier;
  barrier.kind = InstructionKind::kBarrier;
  barrier.name = std::move(name);
  return barrier;
}

void CutBlock(Function& function, int32_t block, size_t cut, int32_t next,
              std::string name) {
  for (Block& other : function.blocks) {
    for (int32_t& to : other.successors) to += to >= next ? 1 : 0;
  }
  Block& first = function.blocks[block];
  Block second;
  second.name = std::move(name);
  const auto begin =
      first.instructions.begin() + static_cast<std::ptrdiff_t>(cut);
  second.instructions.assign(begin, first.instructions.end());
  first.instructions.erase(begin, first.instructions.end());
  second.successors = std::exchange(first.successors, {next});
  function.blocks.insert(function.blocks.begin() + next, std::move(second));
}

void AddLocation(Rng& rng, Program& program) {
  Function* f = SomeFunction(rng, program);
  if (f == nullptr) return;
  const auto id = static_cast<int32_t>(f->locations.size());
  f->locations.push_back(NewLocation(rng));
  Block& block = SomeBlock(rng, *f);
  const size_t at = rng.Below(block.instructions.size() + 1);
  InsertAt(block, at, Compute({{id}}, {}));
  if (rng.OneIn(8)) return;
  // The use: later in the block, or anywhere.
  Block& user = rng.OneIn(3) ? SomeBlock(rng, *f) : block;
  const size_t after = &user == &block ? at + 1 : 0;
  InsertAt(user, after + rng.Below(user.instructions.size() + 1 - after),
           Compute({}, {{id}}));
}

}  // namespace berth::fuzz
