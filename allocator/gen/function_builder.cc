#include "allocator/gen/function_builder.h"

#include <algorithm>
#include <utility>

#include "allocator/base/check.h"

namespace berth::gen {

FunctionBuilder::FunctionBuilder(absl::string_view name) {
  function_.name = std::string(name);
}

void FunctionBuilder::ReserveLocations(size_t count) {
  function_.locations.reserve(count);
}

void FunctionBuilder::ReserveInstructions(size_t count) {
  BERTH_CHECK(!function_.blocks.empty());
  function_.blocks.back().instructions.reserve(count);
}

int32_t FunctionBuilder::AddLocation(absl::string_view name, Usage usage,
                                     uint64_t elem_count, uint32_t elem_size) {
  Location& location = function_.locations.emplace_back();
  location.name = std::string(name);
  location.usage = usage;
  location.elem_count = elem_count;
  location.elem_size = elem_size;
  ++num_dram_;
  return static_cast<int32_t>(function_.locations.size()) - 1;
}

int32_t FunctionBuilder::AddTile(absl::string_view name, uint64_t bytes) {
  Location& location = function_.locations.emplace_back();
  location.name = std::string(name);
  location.type = MemoryType::kSbuf;
  location.elem_count = bytes;
  return static_cast<int32_t>(function_.locations.size()) - 1;
}

int32_t FunctionBuilder::AddBlock(absl::string_view name) {
  function_.blocks.emplace_back().name = std::string(name);
  return current_block();
}

int32_t FunctionBuilder::current_block() const {
  return static_cast<int32_t>(function_.blocks.size()) - 1;
}

void FunctionBuilder::AddEdge(int32_t from, int32_t to) {
  function_.blocks[from].successors.push_back(to);
}

Instruction& FunctionBuilder::Emit(InstructionKind kind,
                                   absl::string_view name) {
  BERTH_CHECK(!function_.blocks.empty());
  Instruction& instruction =
      function_.blocks.back().instructions.emplace_back();
  instruction.kind = kind;
  instruction.name = std::string(name);
  return instruction;
}

void FunctionBuilder::Compute(absl::string_view name,
                              std::initializer_list<int32_t> defs,
                              std::initializer_list<int32_t> uses) {
  Instruction& instruction = Emit(InstructionKind::kCompute, name);
  for (int32_t l : defs) instruction.defs.push_back({.location = l});
  for (int32_t l : uses) instruction.uses.push_back({.location = l});
}

void FunctionBuilder::AllReduce(absl::string_view name, int32_t location) {
  Instruction& instruction = Emit(InstructionKind::kCollective, name);
  instruction.defs.push_back({.location = location});
  instruction.uses.push_back({.location = location});
}

void FunctionBuilder::Call(absl::string_view name, int32_t callee,
                           std::initializer_list<int32_t> defs,
                           std::initializer_list<int32_t> uses) {
  Instruction& instruction = Emit(InstructionKind::kCall, name);
  instruction.callee = callee;
  for (int32_t l : defs) instruction.defs.push_back({.location = l});
  for (int32_t l : uses) instruction.uses.push_back({.location = l});
}

void FunctionBuilder::Copy(absl::string_view name, int32_t to, int32_t from) {
  const uint64_t bytes = std::min(function_.locations[to].byte_size(),
                                  function_.locations[from].byte_size());
  Instruction& instruction = Emit(InstructionKind::kDmaCopy, name);
  instruction.defs.push_back({.location = to, .extent_bytes = bytes});
  instruction.uses.push_back({.location = from, .extent_bytes = bytes});
}

void FunctionBuilder::WriteTile(absl::string_view name, int32_t to,
                                uint64_t offset, uint64_t extent,
                                std::initializer_list<int32_t> uses) {
  Instruction& instruction = Emit(InstructionKind::kCompute, name);
  instruction.defs.push_back(
      {.location = to, .offset_bytes = offset, .extent_bytes = extent});
  for (int32_t l : uses) instruction.uses.push_back({.location = l});
}

Function FunctionBuilder::Build() && { return std::move(function_); }

Program OneCore(std::string comment, std::vector<Function> functions) {
  Program program;
  program.comment = std::move(comment);
  Module& module = program.modules.emplace_back();
  module.functions = std::move(functions);
  return program;
}

}  // namespace berth::gen
