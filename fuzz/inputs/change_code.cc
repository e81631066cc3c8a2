#include <cstddef>
#include <cstdint>
#include <iterator>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "allocator/base/rng.h"
#include "allocator/model/program.h"
#include "fuzz/inputs/program_changes.h"
#include "fuzz/inputs/program_mutator.h"
#include "fuzz/inputs/program_parts.h"

namespace berth::fuzz {
namespace {

using Change = void (*)(Rng&, Program&);

// An access to a part of its location, or to all of it again.
void ChangeAccess(Rng& rng, Program& program) {
  Function* f = SomeFunction(rng, program);
  Instruction* i = f == nullptr ? nullptr : SomeInstruction(rng, *f);
  if (i == nullptr) return;
  std::vector<Access>& accesses = rng.OneIn(2) ? i->defs : i->uses;
  if (accesses.empty()) return;
  Access& access = accesses[rng.Below(accesses.size())];
  const uint64_t bytes = f->locations[access.location].byte_size();
  access.offset_bytes = 0;
  access.extent_bytes = 0;
  if (bytes == 0 || rng.OneIn(4)) return;
  access.offset_bytes = rng.OneIn(2) ? 0 : rng.Below(bytes);
  access.extent_bytes = rng.OneIn(3)
                            ? bytes - access.offset_bytes
                            : 1 + rng.Below(bytes - access.offset_bytes);
}

void AddAccess(Rng& rng, Program& program) {
  Function* f = SomeFunction(rng, program);
  Instruction* i = f == nullptr ? nullptr : SomeInstruction(rng, *f);
  if (i == nullptr || f->locations.empty()) return;
  std::vector<Access>& accesses = rng.OneIn(3) ? i->defs : i->uses;
  if (rng.OneIn(4) && !accesses.empty()) {
    accesses.pop_back();
    return;
  }
  accesses.push_back({static_cast<int32_t>(rng.Below(f->locations.size()))});
}

void ChangeInstruction(Rng& rng, Program& program) {
  constexpr InstructionKind kKinds[] = {InstructionKind::kCompute,
                                        InstructionKind::kCollective,
                                        InstructionKind::kDmaCopy};
  Function* f = SomeFunction(rng, program);
  Instruction* i = f == nullptr ? nullptr : SomeInstruction(rng, *f);
  if (i == nullptr || i->kind == InstructionKind::kCall) return;
  i->kind = kKinds[rng.Below(std::size(kKinds))];
  i->name = rng.OneIn(2) ? "" : absl::StrCat("n", rng.Below(4));
}

void AddInstruction(Rng& rng, Program& program) {
  Function* f = SomeFunction(rng, program);
  if (f == nullptr) return;
  const Instruction* model = SomeInstruction(rng, *f);
  const Instruction copy =
      model == nullptr || rng.OneIn(3) ? Compute({}, {}) : *model;
  Block& block = SomeBlock(rng, *f);
  InsertAt(block, rng.Below(block.instructions.size() + 1), copy);
}

// Retime: an instruction goes elsewhere, or is dropped.
void MoveInstruction(Rng& rng, Program& program) {
  Function* f = SomeFunction(rng, program);
  if (f == nullptr) return;
  Block& from = SomeBlock(rng, *f);
  if (from.instructions.empty()) return;
  const size_t at = rng.Below(from.instructions.size());
  const Instruction moved = from.instructions[at];
  from.instructions.erase(from.instructions.begin() +
                          static_cast<std::ptrdiff_t>(at));
  if (rng.OneIn(3)) return;
  Block& to = rng.OneIn(2) ? from : SomeBlock(rng, *f);
  InsertAt(to, rng.Below(to.instructions.size() + 1), moved);
}

void SplitBlock(Rng& rng, Program& program) {
  Function* f = SomeFunction(rng, program);
  if (f == nullptr) return;
  const auto at = static_cast<int32_t>(rng.Below(f->blocks.size()));
  const auto next =
      rng.OneIn(4) ? static_cast<int32_t>(f->blocks.size()) : at + 1;
  const size_t cut = rng.Below(f->blocks[at].instructions.size() + 1);
  CutBlock(*f, at, cut, next, NewName("b", rng));
}

// An edge, often back to an earlier block: a loop or a branch.
void AddEdge(Rng& rng, Program& program) {
  Function* f = SomeFunction(rng, program);
  if (f == nullptr) return;
  const auto from = static_cast<int32_t>(rng.Below(f->blocks.size()));
  const auto to = static_cast<int32_t>(
      rng.OneIn(2) ? rng.Below(from + 1) : rng.Below(f->blocks.size()));
  f->blocks[from].successors.push_back(to);
}

void DropEdge(Rng& rng, Program& program) {
  Function* f = SomeFunction(rng, program);
  if (f == nullptr) return;
  std::vector<int32_t>& successors = SomeBlock(rng, *f).successors;
  if (successors.empty()) return;
  successors.erase(successors.begin() +
                   static_cast<std::ptrdiff_t>(rng.Below(successors.size())));
}

// A call of another function of the module, which is made if there is none.
void AddCall(Rng& rng, Program& program) {
  Module& module = SomeModule(rng, program);
  if (module.functions.empty()) return;
  if (module.functions.size() == 1 || rng.OneIn(4)) {
    Program other = SmallProgram(rng);
    Function callee = std::move(other.modules[0].functions[0]);
    callee.name = NewName("f", rng);
    module.functions.push_back(std::move(callee));
  }
  const size_t caller = rng.Below(module.functions.size());
  Function& f = module.functions[caller];
  if (f.blocks.empty()) return;
  Instruction call;
  call.kind = InstructionKind::kCall;
  call.callee = static_cast<int32_t>(rng.Below(module.functions.size()));
  if (!f.locations.empty() && rng.OneIn(2)) {
    const auto id = static_cast<int32_t>(rng.Below(f.locations.size()));
    (rng.OneIn(2) ? call.defs : call.uses).push_back({id});
  }
  Block& block = SomeBlock(rng, f);
  InsertAt(block, rng.Below(block.instructions.size() + 1), call);
}

}  // namespace

void ChangeCode(Rng& rng, Program& program) {
  constexpr Change kChanges[] = {
      ChangeAccess,   AddAccess,       AddAccess,  ChangeInstruction,
      AddInstruction, MoveInstruction, SplitBlock, AddEdge,
      AddEdge,        DropEdge,        AddCall};
  kChanges[rng.Below(std::size(kChanges))](rng, program);
}

}  // namespace berth::fuzz
