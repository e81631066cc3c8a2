#include "fuzz/inputs/program_mutator.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "allocator/base/int_math.h"
#include "allocator/base/rng.h"
#include "allocator/liveness/liveness.h"
#include "allocator/model/check_program.h"
#include "allocator/model/program.h"

namespace berth::fuzz {
namespace {

// --- picking ---

Module& SomeModule(Rng& rng, Program& program) {
  return program.modules[rng.Below(program.modules.size())];
}

// A function with blocks; null if the one drawn has none.
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

// Around pages and page multiples, small, zero, huge.
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

// --- one change each; what breaks a rule is taken back by the caller ---

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

void DropLocation(Rng& rng, Program& program) {
  Function* f = SomeFunction(rng, program);
  if (f == nullptr || f->locations.empty()) return;
  const auto id = static_cast<int32_t>(rng.Below(f->locations.size()));
  f->locations.erase(f->locations.begin() + id);
  for (Block& block : f->blocks) {
    for (Instruction& instruction : block.instructions) {
      for (auto* accesses : {&instruction.defs, &instruction.uses}) {
        std::erase_if(*accesses,
                      [id](const Access& a) { return a.location == id; });
        for (Access& a : *accesses) a.location -= a.location > id ? 1 : 0;
      }
      if (instruction.kind == InstructionKind::kDmaCopy) {
        instruction.kind = InstructionKind::kCompute;
      }
    }
  }
}

void Resize(Rng& rng, Program& program) {
  Function* f = SomeFunction(rng, program);
  Location* l = f == nullptr ? nullptr : SomeLocation(rng, *f);
  if (l == nullptr) return;
  l->elem_count = SomeBytes(rng);
  l->elem_size = rng.OneIn(4) ? static_cast<uint32_t>(rng.Below(9)) : 1;
}

void ChangeLocation(Rng& rng, Program& program) {
  constexpr Usage kUsages[] = {Usage::kInput,       Usage::kOutput,
                               Usage::kWeight,      Usage::kConstant,
                               Usage::kSpill,       Usage::kIntermediate,
                               Usage::kIntermediate};
  constexpr uint64_t kAlignments[] = {1, 2, 3, 64, 512, 4096, 8192, 5000};
  Function* f = SomeFunction(rng, program);
  Location* l = f == nullptr ? nullptr : SomeLocation(rng, *f);
  if (l == nullptr) return;
  switch (rng.Below(6)) {
    case 0:
    case 1:
      l->usage = kUsages[rng.Below(std::size(kUsages))];
      break;
    case 2:
    case 3:
      l->alignment = kAlignments[rng.Below(std::size(kAlignments))];
      break;
    case 4:
      l->type = rng.OneIn(2) ? MemoryType::kDram : MemoryType::kSbuf;
      break;
    default:
      l->nki = !l->nki;
  }
}

void Pin(Rng& rng, Program& program) {
  Function* f = SomeFunction(rng, program);
  Location* l = f == nullptr ? nullptr : SomeLocation(rng, *f);
  if (l == nullptr) return;
  if (l->address.has_value() && rng.OneIn(2)) {
    l->address.reset();
    l->placed_by = PlacedBy::kNone;
    return;
  }
  l->address =
      rng.OneIn(3) ? 100 + rng.Below(30'000) : kDramPageBytes * rng.Below(16);
  l->placed_by =
      rng.OneIn(6) && l->placeable() ? PlacedBy::kBerth : PlacedBy::kInput;
}

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
  for (Block& block : f->blocks) {
    for (int32_t& to : block.successors) to += to >= next ? 1 : 0;
  }
  Block& first = f->blocks[at];
  Block second;
  second.name = NewName("b", rng);
  const auto cut =
      first.instructions.begin() +
      static_cast<std::ptrdiff_t>(rng.Below(first.instructions.size() + 1));
  second.instructions.assign(cut, first.instructions.end());
  first.instructions.erase(cut, first.instructions.end());
  second.successors = std::exchange(first.successors, {next});
  f->blocks.insert(f->blocks.begin() + next, std::move(second));
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

// One more core with the code of core 0, or one less.
void ChangeCores(Rng& rng, Program& program) {
  if (program.modules.size() > 1 && rng.OneIn(2)) {
    program.modules.pop_back();
    return;
  }
  Module copy = program.modules[0];
  copy.core = static_cast<int32_t>(program.modules.size());
  program.modules.push_back(std::move(copy));
}

// A barrier that every core meets, at the end of its first function's entry
// block or before its last instruction.
void AddBarrier(Rng& rng, Program& program) {
  Instruction barrier;
  barrier.kind = InstructionKind::kBarrier;
  barrier.name = NewName("bar", rng);
  const uint64_t back = rng.Below(3);
  for (Module& module : program.modules) {
    if (module.functions.empty() || module.functions[0].blocks.empty()) return;
    Block& block = module.functions[0].blocks[0];
    const size_t size = block.instructions.size();
    InsertAt(block, size - std::min<size_t>(size, back), barrier);
  }
}

// A location becomes shared on every core that has one of its name: core 0's
// copy is the owner.
void Share(Rng& rng, Program& program) {
  Function* f = SomeFunction(rng, program);
  const Location* l = f == nullptr ? nullptr : SomeLocation(rng, *f);
  if (l == nullptr) return;
  const std::string name = l->name;
  const std::string function = f->name;
  const bool back = l->space == Space::kShared;
  for (Module& module : program.modules) {
    for (Function& other : module.functions) {
      if (other.name != function) continue;
      for (Location& copy : other.locations) {
        if (copy.name != name) continue;
        copy.space = back ? Space::kLocal : Space::kShared;
        copy.remote_target.reset();
        if (!back && module.core != 0) {
          copy.remote_target = RemoteTarget{0, name};
        }
      }
    }
  }
}

using Change = void (*)(Rng&, Program&);
constexpr Change kChanges[] = {AddLocation,    AddLocation,
                               DropLocation,   Resize,
                               Resize,         ChangeLocation,
                               ChangeLocation, Pin,
                               ChangeAccess,   AddAccess,
                               AddAccess,      ChangeInstruction,
                               AddInstruction, MoveInstruction,
                               SplitBlock,     AddEdge,
                               AddEdge,        DropEdge,
                               AddCall,        ChangeCores,
                               AddBarrier,     Share};

// --- repair ---

// A DMA_COPY with other than one use and one def of equal extents becomes a
// COMPUTE; a BARRIER has no accesses.
void RepairKinds(Function& function) {
  for (Block& block : function.blocks) {
    for (Instruction& i : block.instructions) {
      if (i.kind != InstructionKind::kCall) i.callee = -1;
      if (i.kind == InstructionKind::kBarrier) {
        i.defs.clear();
        i.uses.clear();
      }
      if (i.kind != InstructionKind::kDmaCopy) continue;
      if (i.defs.size() != 1 || i.uses.size() != 1 ||
          AccessBytes(i.defs[0], function.locations[i.defs[0].location]) !=
              AccessBytes(i.uses[0], function.locations[i.uses[0].location])) {
        i.kind = InstructionKind::kCompute;
      }
    }
  }
}

// Accesses past the end of a location that has shrunk become accesses to all.
void RepairAccesses(Function& function) {
  for (Block& block : function.blocks) {
    for (Instruction& i : block.instructions) {
      for (auto* accesses : {&i.defs, &i.uses}) {
        for (Access& a : *accesses) {
          const uint64_t bytes = function.locations[a.location].byte_size();
          const auto end = CheckedAdd(a.offset_bytes, a.extent_bytes);
          if (!end.has_value() || *end > bytes) a = {a.location};
        }
      }
    }
  }
}

// Takes out uses of LOCAL placeable locations that no def reaches. One pass:
// without a use nothing becomes less defined.
void DropUndefinedUses(Function& function) {
  const absl::StatusOr<Liveness> liveness = ComputeLiveness(function);
  if (!liveness.ok()) return;
  std::vector<Instruction*> flat;
  for (Block& block : function.blocks) {
    for (Instruction& i : block.instructions) flat.push_back(&i);
  }
  for (const UndefinedUse& use : liveness->undefined_uses) {
    const Location& location = function.locations[use.location];
    if (!location.placeable() || location.pinned()) continue;
    if (location.space == Space::kShared) continue;
    Instruction& i = *flat[use.instruction];
    std::erase_if(
        i.uses, [&use](const Access& a) { return a.location == use.location; });
    if (i.kind == InstructionKind::kDmaCopy) {
      i.kind = InstructionKind::kCompute;
    }
  }
}

void ForEachFunction(Program& program, void (*visit)(Function&)) {
  for (Module& module : program.modules) {
    for (Function& function : module.functions) visit(function);
  }
}

}  // namespace

Program SmallProgram(Rng& rng) {
  Program program;
  program.modules.emplace_back();
  Function& function = program.modules[0].functions.emplace_back();
  function.name = "main";
  function.blocks.emplace_back();
  function.blocks[0].name = "entry";
  for (uint64_t n = 1 + rng.Below(10); n > 0; --n) AddLocation(rng, program);
  return program;
}

Program SharedProgram(Rng& rng) {
  Program program;
  const size_t cores = 2 + rng.Below(kMaxProgramCores - 1);
  const size_t phases = 1 + rng.Below(4);
  for (size_t core = 0; core < cores; ++core) {
    Module& module = program.modules.emplace_back();
    module.core = static_cast<int32_t>(core);
    Function& function = module.functions.emplace_back();
    function.name = "main";
    function.blocks.emplace_back().name = "entry";
  }
  // Who defines and uses what, phase by phase; barriers between.
  struct Step {
    size_t core;
    int32_t location;
    bool def;
  };
  std::vector<std::vector<Step>> steps(phases + 1);
  for (uint64_t n = 1 + rng.Below(5); n > 0; --n) {
    Location location;
    location.name = NewName("s", rng);
    location.space = Space::kShared;
    location.elem_count = SomeBytes(rng);
    const size_t owner = rng.Below(cores);
    const size_t writer = rng.Below(cores);
    const size_t written = rng.Below(phases);
    for (size_t core = 0; core < cores; ++core) {
      // To the owner, or by way of the core before.
      const size_t target =
          core > 0 && owner == 0 && rng.OneIn(4) ? core - 1 : owner;
      location.remote_target.reset();
      if (core != owner) {
        location.remote_target =
            RemoteTarget{static_cast<int32_t>(target), location.name};
      }
      Function& function = program.modules[core].functions[0];
      const auto id = static_cast<int32_t>(function.locations.size());
      function.locations.push_back(location);
      if (core == writer) steps[written].push_back({core, id, true});
      if (rng.OneIn(2)) {
        const size_t read = written + 1 + rng.Below(phases - written);
        steps[read].push_back({core, id, false});
      }
    }
  }
  for (size_t phase = 0; phase <= phases; ++phase) {
    for (const Step& step : steps[phase]) {
      Instruction i = step.def ? Compute({{step.location}}, {})
                               : Compute({}, {{step.location}});
      program.modules[step.core].functions[0].blocks[0].instructions.push_back(
          std::move(i));
    }
    if (phase == phases) break;
    for (Module& module : program.modules) {
      Instruction barrier;
      barrier.kind = InstructionKind::kBarrier;
      barrier.name = absl::StrCat("bar", phase);
      module.functions[0].blocks[0].instructions.push_back(barrier);
    }
  }
  return program;
}

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
  kChanges[rng.Below(std::size(kChanges))](rng, changed);
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
