#include "tests/formats/random_program.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "allocator/base/check.h"
#include "allocator/base/rng.h"
#include "allocator/model/check_program.h"
#include "allocator/model/options.h"
#include "allocator/model/program.h"

namespace berth::testing {
namespace {

// Half the time 0, else of any magnitude.
uint64_t AnyUint64(Rng& rng) {
  return rng.OneIn(2) ? 0 : rng.Next() >> rng.Below(64);
}

// Unique by `index`; of every kind of character that a name may have.
std::string AnyName(Rng& rng, const char* prefix, size_t index) {
  constexpr const char* kTails[] = {
      "", " x", "\"'", "\\", "#1", ",,", "é", "名前", "\xf0\x9f\x98\x80"};
  return absl::StrCat(prefix, index, kTails[rng.Below(std::size(kTails))]);
}

Location AnyLocation(Rng& rng, size_t index) {
  constexpr Usage kUsages[] = {Usage::kInput,  Usage::kOutput,
                               Usage::kWeight, Usage::kConstant,
                               Usage::kSpill,  Usage::kIntermediate};
  Location location;
  location.name = AnyName(rng, "l", index);
  location.type = static_cast<MemoryType>(rng.Below(3));
  location.space = static_cast<Space>(rng.Below(2));
  location.usage = kUsages[rng.Below(std::size(kUsages))];
  location.elem_count = rng.Below(1 << 20);
  location.elem_size = static_cast<uint32_t>(rng.Below(5));
  location.alignment = rng.OneIn(2) ? 1 : uint64_t{1} << rng.Below(64);
  if (rng.OneIn(2)) {
    location.address = AnyUint64(rng) >> 1;
    location.placed_by = static_cast<PlacedBy>(rng.Below(4));
  }
  if (rng.OneIn(2)) location.partition = static_cast<uint32_t>(AnyUint64(rng));
  if (rng.OneIn(2)) location.bank = static_cast<uint32_t>(AnyUint64(rng));
  if (rng.OneIn(3)) {
    location.remote_target.emplace();
    location.remote_target->core = static_cast<int32_t>(rng.Below(3));
    location.remote_target->name = AnyName(rng, "l", index);
  }
  location.nki = rng.OneIn(2);
  location.shared_post_dram_alloc = rng.OneIn(2);
  return location;
}

RunRecord AnyRun(Rng& rng) {
  RunRecord run;
  run.space = static_cast<Space>(rng.Below(2));
  run.slab = static_cast<int32_t>(rng.Between(-1, 3));
  run.size_rounding = static_cast<SizeRounding>(rng.Below(2));
  run.link_mode = static_cast<LinkMode>(rng.Below(2));
  run.planner = static_cast<Planner>(rng.Below(4));
  run.rotated = rng.OneIn(2);
  run.cleaned = rng.OneIn(2);
  run.dram_allocation_result = rng.OneIn(2);
  for (uint64_t* const value :
       {&run.floor, &run.ceiling, &run.cc_end, &run.lower_bound, &run.peak,
        &run.real_cc_buffer_size, &run.allreduce_dram_hwm,
        &run.peak_without_cc_reserve, &run.cc_overflow_bytes,
        &run.cc_intruder_bytes, &run.spill_bytes, &run.aligned_spill_bytes,
        &run.dram_bytes, &run.reserved_space, &run.intervals, &run.locations,
        &run.unreferenced, &run.external}) {
    *value = AnyUint64(rng);
  }
  return run;
}

Access AnyAccess(Rng& rng, const Function& function) {
  Access access;
  access.location = static_cast<int32_t>(rng.Below(function.locations.size()));
  const uint64_t bytes = function.locations[access.location].byte_size();
  if (bytes > 0 && rng.OneIn(2)) {
    access.offset_bytes = rng.Below(bytes);
    access.extent_bytes = 1 + rng.Below(bytes - access.offset_bytes);
  }
  return access;
}

Instruction AnyInstruction(Rng& rng, const Function& function, size_t index,
                           int32_t functions_so_far) {
  Instruction instruction;
  if (rng.OneIn(2)) instruction.name = AnyName(rng, "i", index);
  instruction.kind = static_cast<InstructionKind>(rng.Below(5));
  if (instruction.kind == InstructionKind::kBarrier) return instruction;
  if (instruction.kind == InstructionKind::kCall) {
    // Only what stands before may be called, so that nothing recurses.
    if (functions_so_far == 0) {
      instruction.kind = InstructionKind::kCollective;
    } else {
      instruction.callee = static_cast<int32_t>(rng.Below(functions_so_far));
    }
  }
  if (function.locations.empty()) {
    if (instruction.kind == InstructionKind::kDmaCopy) {
      instruction.kind = InstructionKind::kCompute;
    }
    return instruction;
  }
  if (instruction.kind == InstructionKind::kDmaCopy) {
    instruction.defs.push_back(AnyAccess(rng, function));
    instruction.uses = instruction.defs;
    return instruction;
  }
  for (uint64_t n = rng.Below(4); n > 0; --n) {
    instruction.defs.push_back(AnyAccess(rng, function));
  }
  for (uint64_t n = rng.Below(4); n > 0; --n) {
    instruction.uses.push_back(AnyAccess(rng, function));
  }
  return instruction;
}

Function AnyFunction(Rng& rng, size_t index) {
  Function function;
  function.name = AnyName(rng, "f", index);
  const uint64_t locations = rng.Below(8);
  for (uint64_t i = 0; i < locations; ++i) {
    function.locations.push_back(AnyLocation(rng, i));
  }
  const uint64_t blocks = rng.Below(5);
  for (uint64_t b = 0; b < blocks; ++b) {
    Block block;
    block.name = AnyName(rng, "b", b);
    for (uint64_t n = rng.Below(3); n > 0; --n) {
      block.successors.push_back(static_cast<int32_t>(rng.Below(blocks)));
    }
    for (uint64_t n = rng.Below(6); n > 0; --n) {
      block.instructions.push_back(
          AnyInstruction(rng, function, n, static_cast<int32_t>(index)));
    }
    function.blocks.push_back(block);
  }
  for (uint64_t n = rng.Below(3); n > 0; --n) {
    function.runs.push_back(AnyRun(rng));
  }
  return function;
}

}  // namespace

Program RandomProgram(Rng& rng) {
  Program program;
  if (rng.OneIn(2)) program.comment = "two\n\tlines \"quoted\" é";
  const uint64_t cores = 1 + rng.Below(3);
  for (uint64_t core = 0; core < cores; ++core) {
    Module module;
    module.core = static_cast<int32_t>(cores - 1 - core);
    const uint64_t functions = rng.Below(4);
    for (uint64_t f = 0; f < functions; ++f) {
      module.functions.push_back(AnyFunction(rng, f));
    }
    program.modules.push_back(module);
  }
  BERTH_CHECK(CheckProgram(program).ok());
  return program;
}

}  // namespace berth::testing
