#include "allocator/pipeline/dma_cleanup.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "allocator/model/check_program.h"
#include "allocator/model/program.h"
#include "allocator/pipeline/state.h"

namespace berth {
namespace {

// Bytes [begin, end) of a location.
struct Bytes {
  const Location* location;
  uint64_t begin;
  uint64_t end;

  bool Meets(const Bytes& other) const {
    if (location == other.location) {
      return begin < other.end && other.begin < end;
    }
    if (location->type != other.location->type || !location->address ||
        !other.location->address) {
      return false;
    }
    const uint64_t at = *location->address;
    const uint64_t other_at = *other.location->address;
    return at + begin < other_at + other.end &&
           other_at + other.begin < at + end;
  }
};

Bytes BytesOf(const Function& function, const Access& access) {
  const Location& location = function.locations[access.location];
  return {&location, access.offset_bytes,
          access.offset_bytes + AccessBytes(access, location)};
}

Bytes Hull(const Bytes& a, const Bytes& b) {
  return {a.location, std::min(a.begin, b.begin), std::max(a.end, b.end)};
}

// Lets `first` copy what `second` does too, if the two can be one.
bool Merge(const Function& function, Instruction& first,
           const Instruction& second) {
  if (first.kind != InstructionKind::kDmaCopy ||
      second.kind != InstructionKind::kDmaCopy ||
      first.uses[0].location != second.uses[0].location ||
      first.defs[0].location != second.defs[0].location) {
    return false;
  }
  const Bytes from = BytesOf(function, first.uses[0]);
  const Bytes from_next = BytesOf(function, second.uses[0]);
  const Bytes to = BytesOf(function, first.defs[0]);
  const Bytes to_next = BytesOf(function, second.defs[0]);
  if (from.begin == from.end || from_next.begin == from_next.end) return false;
  const bool upwards = from.end == from_next.begin && to.end == to_next.begin;
  const bool downwards = from_next.end == from.begin && to_next.end == to.begin;
  if (!upwards && !downwards) return false;
  const Bytes source = Hull(from, from_next);
  const Bytes destination = Hull(to, to_next);
  if (source.Meets(destination)) return false;
  first.uses[0].offset_bytes = source.begin;
  first.uses[0].extent_bytes = source.end - source.begin;
  first.defs[0].offset_bytes = destination.begin;
  first.defs[0].extent_bytes = destination.end - destination.begin;
  return true;
}

// One round, left to right. Returns how many copies went.
int64_t MergeOnce(const Function& function,
                  std::vector<Instruction>& instructions) {
  size_t kept = 0;
  for (size_t i = 1; i < instructions.size(); ++i) {
    if (Merge(function, instructions[kept], instructions[i])) continue;
    ++kept;
    if (kept != i) instructions[kept] = std::move(instructions[i]);
  }
  if (instructions.empty()) return 0;
  const size_t merged = instructions.size() - kept - 1;
  instructions.resize(kept + 1);
  return static_cast<int64_t>(merged);
}

// Whether a first round would merge some; then alone later ones would too.
bool AnyMerges(const Function& function) {
  for (const Block& block : function.blocks) {
    for (size_t i = 1; i < block.instructions.size(); ++i) {
      if (block.instructions[i].kind != InstructionKind::kDmaCopy) continue;
      Instruction first = block.instructions[i - 1];
      if (Merge(function, first, block.instructions[i])) return true;
    }
  }
  return false;
}

void SetCleaned(const Module& module, Function& function,
                PipelineState& state) {
  for (RunRecord& record : function.runs) {
    if (record.space == Space::kLocal) record.cleaned = true;
  }
  for (RunReport& run : state.report.runs) {
    if (run.core == module.core && run.function == function.name &&
        run.record.space == Space::kLocal) {
      run.record.cleaned = true;
    }
  }
}

}  // namespace

int64_t MergeAdjacentCopies(Function& function) {
  int64_t all = 0;
  for (Block& block : function.blocks) {
    while (const int64_t merged = MergeOnce(function, block.instructions)) {
      all += merged;
    }
  }
  return all;
}

absl::Status CleanUpDmaCopies(PipelineState& state) {
  for (Module* module : state.ModulesByCore()) {
    for (Function& function : module->functions) {
      if (!AnyMerges(function)) continue;
      state.blocks_before_cleanup.emplace_back(&function, function.blocks);
      state.report.merged_copies += MergeAdjacentCopies(function);
      SetCleaned(*module, function, state);
    }
  }
  return absl::OkStatus();
}

}  // namespace berth
