#include "tools/import/onnx.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "allocator/base/int_math.h"
#include "allocator/base/status_macros.h"
#include "allocator/model/check_program.h"
#include "allocator/model/program.h"

namespace berth::import {
namespace {

using Role = OnnxTensor::Role;

Usage UsageOf(Role role, Io io) {
  switch (role) {
    case Role::kInput:
      return io == Io::kPlaced ? Usage::kIntermediate : Usage::kInput;
    case Role::kOutput:
      return io == Io::kPlaced ? Usage::kIntermediate : Usage::kOutput;
    case Role::kWeight:
      return Usage::kWeight;
    case Role::kConstant:
      return Usage::kConstant;
    case Role::kIntermediate:
      break;
  }
  return Usage::kIntermediate;
}

bool IsPinned(Role role, const Options& options) {
  switch (role) {
    case Role::kInput:
    case Role::kOutput:
      return options.io == Io::kPinned;
    case Role::kWeight:
    case Role::kConstant:
      return options.pin_weights;
    case Role::kIntermediate:
      break;
  }
  return false;
}

// One after another from address 0, each on a page of its own.
absl::Status PinInOrder(const OnnxGraph& graph, const Options& options,
                        Function& function) {
  uint64_t next = 0;
  for (size_t i = 0; i < graph.tensors.size(); ++i) {
    if (!IsPinned(graph.tensors[i].role, options)) continue;
    Location& location = function.locations[i];
    location.address = next;
    location.placed_by = PlacedBy::kInput;
    const auto bytes = CheckedMul(location.elem_count, location.elem_size);
    const auto end = bytes ? CheckedAdd(next, *bytes) : std::nullopt;
    const auto page = end ? CheckedRoundUp(*end, kDramPageBytes) : std::nullopt;
    if (!page) {
      return absl::InvalidArgumentError(
          absl::StrCat("tensor ", QuotedName(location.name),
                       " cannot be pre-placed: its end passes 2^64"));
    }
    next = *page;
  }
  return absl::OkStatus();
}

std::vector<Access> Whole(const std::vector<int32_t>& tensors) {
  std::vector<Access> accesses;
  accesses.reserve(tensors.size());
  for (const int32_t tensor : tensors) accesses.push_back({.location = tensor});
  return accesses;
}

std::vector<Instruction> InstructionsOf(const OnnxGraph& graph,
                                        const Options& options) {
  std::vector<Instruction> instructions;
  instructions.reserve(graph.nodes.size() + 2);
  if (options.io == Io::kPlaced) {
    std::vector<int32_t> inputs;
    for (size_t i = 0; i < graph.tensors.size(); ++i) {
      if (graph.tensors[i].role != Role::kInput) continue;
      inputs.push_back(static_cast<int32_t>(i));
    }
    Instruction& first = instructions.emplace_back();
    first.name = "inputs";
    first.defs = Whole(inputs);
  }
  for (const OnnxNode& node : graph.nodes) {
    Instruction& instruction = instructions.emplace_back();
    instruction.name = node.name;
    instruction.defs = Whole(node.outputs);
    instruction.uses = Whole(node.inputs);
  }
  if (options.io == Io::kPlaced) {
    Instruction& last = instructions.emplace_back();
    last.name = "outputs";
    last.uses = Whole(graph.outputs);
  }
  return instructions;
}

}  // namespace

absl::StatusOr<Imported> FromOnnxGraph(const OnnxGraph& graph,
                                       absl::string_view file,
                                       const Options& options) {
  Function function;
  function.name = "main";
  for (const OnnxTensor& tensor : graph.tensors) {
    Location& location = function.locations.emplace_back();
    location.name = tensor.name;
    location.usage = UsageOf(tensor.role, options.io);
    location.elem_count = tensor.elem_count;
    location.elem_size = tensor.elem_size;
  }
  absl::Status status = PinInOrder(graph, options, function);
  Block block;
  block.name = "entry";
  block.instructions = InstructionsOf(graph, options);
  function.blocks.push_back(std::move(block));

  Program program;
  program.comment = absl::StrCat("ONNX graph ", QuotedName(graph.name));
  Module& module = program.modules.emplace_back();
  module.functions.push_back(std::move(function));
  if (status.ok()) status = CheckProgram(program);
  if (!status.ok()) {
    return absl::InvalidArgumentError(
        absl::StrCat(file, ": ", status.message()));
  }
  return Imported{.content = std::move(program),
                  .notes = {absl::StrCat(graph.nodes.size(), " nodes, ",
                                         graph.tensors.size(),
                                         " tensors; nothing runs in place")}};
}

absl::StatusOr<Imported> FromOnnx(absl::string_view content,
                                  absl::string_view file,
                                  const Options& options) {
  BERTH_ASSIGN_OR_RETURN(const OnnxGraph graph,
                         ReadOnnxGraph(content, file, options.dims));
  return FromOnnxGraph(graph, file, options);
}

}  // namespace berth::import
