#include "tests/testing/program_builder.h"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/string_view.h"
#include "allocator/model/program.h"

namespace berth::testing {
namespace {

// A test that misspells a name is broken: say so and stop.
[[noreturn]] void NoSuchName(const char* what, absl::string_view name) {
  std::fprintf(stderr, "program_builder: no %s '%s'\n", what,
               std::string(name).c_str());
  std::abort();
}

using NameIndex = absl::flat_hash_map<std::string, int32_t>;

// Index of each item's name; of equal names the first.
template <typename Items>
NameIndex IndexNames(const Items& items) {
  NameIndex index;
  for (size_t i = 0; i < items.size(); ++i) {
    index.try_emplace(items[i].name, static_cast<int32_t>(i));
  }
  return index;
}

int32_t Lookup(const NameIndex& index, const char* what,
               const std::string& name) {
  const auto found = index.find(name);
  if (found == index.end()) NoSuchName(what, name);
  return found->second;
}

std::vector<Access> ResolveAccesses(const NameIndex& locations,
                                    const AccessSpecs& specs) {
  std::vector<Access> accesses;
  accesses.reserve(specs.size());
  for (const AccessSpec& spec : specs) {
    accesses.push_back(
        {.location = Lookup(locations, "location", spec.location),
         .offset_bytes = spec.offset_bytes,
         .extent_bytes = spec.extent_bytes});
  }
  return accesses;
}

}  // namespace

ProgramBuilder& ProgramBuilder::Comment(absl::string_view comment) {
  comment_ = std::string(comment);
  return *this;
}

ProgramBuilder& ProgramBuilder::Core(int32_t core) {
  for (size_t i = 0; i < modules_.size(); ++i) {
    if (modules_[i].core == core) {
      current_module_ = i;
      return *this;
    }
  }
  current_module_ = modules_.size();
  modules_.push_back({.core = core, .functions = {}});
  return *this;
}

ProgramBuilder& ProgramBuilder::Fn(absl::string_view name) {
  module().functions.push_back(
      {.name = std::string(name), .locations = {}, .blocks = {}});
  return *this;
}

ProgramBuilder& ProgramBuilder::Loc(absl::string_view name, uint64_t bytes,
                                    const LocationSpec& spec) {
  Location location;
  location.name = std::string(name);
  location.type = spec.type;
  location.space = spec.space;
  location.usage = spec.usage;
  location.elem_count = bytes;
  location.alignment = spec.alignment;
  location.address = spec.address;
  location.placed_by = spec.placed_by;
  location.remote_target = spec.remote_target;
  location.nki = spec.nki;
  function().locations.push_back(std::move(location));
  return *this;
}

ProgramBuilder& ProgramBuilder::In(absl::string_view name, uint64_t bytes) {
  return Loc(name, bytes, {.usage = Usage::kInput});
}

ProgramBuilder& ProgramBuilder::Out(absl::string_view name, uint64_t bytes) {
  return Loc(name, bytes, {.usage = Usage::kOutput});
}

ProgramBuilder& ProgramBuilder::Weight(absl::string_view name, uint64_t bytes) {
  return Loc(name, bytes, {.usage = Usage::kWeight});
}

ProgramBuilder& ProgramBuilder::Constant(absl::string_view name,
                                         uint64_t bytes) {
  return Loc(name, bytes, {.usage = Usage::kConstant});
}

ProgramBuilder& ProgramBuilder::Spill(absl::string_view name, uint64_t bytes) {
  return Loc(name, bytes, {.usage = Usage::kSpill});
}

ProgramBuilder& ProgramBuilder::Shared(absl::string_view name, uint64_t bytes) {
  return Loc(name, bytes, {.space = Space::kShared});
}

ProgramBuilder& ProgramBuilder::SharedCopy(absl::string_view name,
                                           uint64_t bytes, int32_t owner_core,
                                           absl::string_view owner_name) {
  return Loc(
      name, bytes,
      {.space = Space::kShared,
       .remote_target = RemoteTarget{
           .core = owner_core,
           .name = std::string(owner_name.empty() ? name : owner_name)}});
}

ProgramBuilder& ProgramBuilder::Pin(absl::string_view name, uint64_t bytes,
                                    uint64_t address, Usage usage) {
  return Loc(
      name, bytes,
      {.usage = usage, .address = address, .placed_by = PlacedBy::kInput});
}

ProgramBuilder& ProgramBuilder::Block(
    absl::string_view name, const std::vector<std::string>& successors) {
  function().blocks.push_back({.name = std::string(name),
                               .successors = successors,
                               .instructions = {}});
  return *this;
}

ProgramBuilder& ProgramBuilder::Op(const AccessSpecs& defs,
                                   const AccessSpecs& uses) {
  return Op("", defs, uses);
}

ProgramBuilder& ProgramBuilder::Op(absl::string_view name,
                                   const AccessSpecs& defs,
                                   const AccessSpecs& uses) {
  return Append({.kind = InstructionKind::kCompute,
                 .name = std::string(name),
                 .defs = defs,
                 .uses = uses,
                 .callee = ""});
}

ProgramBuilder& ProgramBuilder::Copy(const AccessSpec& destination,
                                     const AccessSpec& source) {
  return Append({.kind = InstructionKind::kDmaCopy,
                 .name = "",
                 .defs = {destination},
                 .uses = {source},
                 .callee = ""});
}

ProgramBuilder& ProgramBuilder::Collective(absl::string_view name,
                                           const AccessSpecs& defs,
                                           const AccessSpecs& uses) {
  return Append({.kind = InstructionKind::kCollective,
                 .name = std::string(name),
                 .defs = defs,
                 .uses = uses,
                 .callee = ""});
}

ProgramBuilder& ProgramBuilder::Barrier(absl::string_view name) {
  return Append({.kind = InstructionKind::kBarrier,
                 .name = std::string(name),
                 .defs = {},
                 .uses = {},
                 .callee = ""});
}

ProgramBuilder& ProgramBuilder::Call(absl::string_view callee,
                                     const AccessSpecs& defs,
                                     const AccessSpecs& uses) {
  return Append({.kind = InstructionKind::kCall,
                 .name = "",
                 .defs = defs,
                 .uses = uses,
                 .callee = std::string(callee)});
}

ProgramBuilder::ModuleSpec& ProgramBuilder::module() {
  if (modules_.empty()) Core(0);
  return modules_[current_module_];
}

ProgramBuilder::FunctionSpec& ProgramBuilder::function() {
  if (module().functions.empty()) Fn("f");
  return module().functions.back();
}

ProgramBuilder& ProgramBuilder::Append(InstructionSpec instruction) {
  if (function().blocks.empty()) Block("entry");
  function().blocks.back().instructions.push_back(std::move(instruction));
  return *this;
}

Function ProgramBuilder::Resolve(const ModuleSpec& module,
                                 const FunctionSpec& from) {
  const NameIndex locations = IndexNames(from.locations);
  const NameIndex blocks = IndexNames(from.blocks);
  const NameIndex callees = IndexNames(module.functions);
  Function function;
  function.name = from.name;
  function.locations = from.locations;
  for (const BlockSpec& block_spec : from.blocks) {
    berth::Block& block = function.blocks.emplace_back();
    block.name = block_spec.name;
    for (const std::string& name : block_spec.successors) {
      block.successors.push_back(Lookup(blocks, "block", name));
    }
    for (const InstructionSpec& spec : block_spec.instructions) {
      Instruction& instruction = block.instructions.emplace_back();
      instruction.kind = spec.kind;
      instruction.name = spec.name;
      instruction.defs = ResolveAccesses(locations, spec.defs);
      instruction.uses = ResolveAccesses(locations, spec.uses);
      if (spec.kind == InstructionKind::kCall) {
        instruction.callee = Lookup(callees, "function", spec.callee);
      }
    }
  }
  return function;
}

Program ProgramBuilder::Build() const {
  Program program;
  program.comment = comment_;
  for (const ModuleSpec& module_spec : modules_) {
    Module& module = program.modules.emplace_back();
    module.core = module_spec.core;
    for (const FunctionSpec& function_spec : module_spec.functions) {
      module.functions.push_back(Resolve(module_spec, function_spec));
    }
  }
  return program;
}

int32_t LocationIndex(const Function& function, absl::string_view name) {
  for (size_t i = 0; i < function.locations.size(); ++i) {
    if (function.locations[i].name == name) return static_cast<int32_t>(i);
  }
  NoSuchName("location", name);
}

const Location& FindLocation(const Program& program, absl::string_view name,
                             int32_t core, absl::string_view function_name) {
  for (const Module& module : program.modules) {
    if (module.core != core) continue;
    for (const Function& function : module.functions) {
      if (!function_name.empty() && function.name != function_name) continue;
      return function.locations[LocationIndex(function, name)];
    }
  }
  NoSuchName("function", function_name);
}

Location& FindLocation(Program& program, absl::string_view name, int32_t core,
                       absl::string_view function_name) {
  return const_cast<Location&>(
      FindLocation(std::as_const(program), name, core, function_name));
}

}  // namespace berth::testing
