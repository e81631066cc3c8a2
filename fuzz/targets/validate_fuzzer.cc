// The validator against its plain twin, on placements that are right and on
// ones that are not: the same invariants are broken (spec §13). And a run
// record that is not true, or an input that is another one, is always noticed;
// so is what the simulated machine trips over.
#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "allocator/base/rng.h"
#include "allocator/dependence/program_dependences.h"
#include "allocator/model/options.h"
#include "allocator/model/program.h"
#include "allocator/pipeline/plan_program.h"
#include "allocator/pipeline/state.h"
#include "allocator/simulate/simulate.h"
#include "allocator/validate/validate.h"
#include "fuzz/engine/oracle.h"
#include "fuzz/engine/target.h"
#include "fuzz/inputs/byte_reader.h"
#include "fuzz/inputs/program_input.h"
#include "tests/validate/brute_force.h"

namespace berth::fuzz {
namespace {

using testing::BruteProgram;
using testing::Keys;
using testing::kUnitBytes;

template <typename Visit>
void ForEachLocation(Program& program, Visit visit) {
  for (Module& module : program.modules) {
    for (Function& function : module.functions) {
      for (Location& location : function.locations) visit(location);
    }
  }
}

// What the plain twin can follow: LOCAL only, everything a multiple of its
// unit, and not far up.
void Coarsen(Program& program) {
  constexpr uint64_t kAlignments[] = {1, 1, kUnitBytes, 3 * kUnitBytes,
                                      16 * kUnitBytes};
  ForEachLocation(program, [&](Location& location) {
    location.space = Space::kLocal;
    location.remote_target.reset();
    location.elem_count = location.byte_size() / 256 % 20;
    location.elem_size = kUnitBytes;
    location.alignment = kAlignments[location.alignment % 5];
    if (location.address.has_value()) {
      location.address = *location.address / kUnitBytes % 96 * kUnitBytes;
    }
  });
  for (Module& module : program.modules) {
    for (Function& function : module.functions) {
      for (Block& block : function.blocks) {
        for (Instruction& i : block.instructions) {
          if (i.kind == InstructionKind::kDmaCopy) {
            i.kind = InstructionKind::kCompute;
          }
          for (auto* accesses : {&i.defs, &i.uses}) {
            for (Access& access : *accesses) access = {access.location};
          }
        }
      }
    }
  }
}

std::string Show(const testing::Broken& broken) {
  std::string text;
  for (const auto& [core, function, invariant] : broken) {
    absl::StrAppend(&text, " ", Name(invariant), " of core ", core, " ",
                    function);
  }
  return text.empty() ? " nothing" : text;
}

// Moves up to two placed locations, or takes their addresses away.
void Tamper(Rng& rng, Program& placed) {
  std::vector<Location*> locations;
  ForEachLocation(placed, [&locations](Location& location) {
    if (location.placed_by == PlacedBy::kBerth) locations.push_back(&location);
  });
  if (locations.empty()) return;
  for (uint64_t n = rng.Below(3); n > 0; --n) {
    Location& location = *locations[rng.Below(locations.size())];
    location.address = kUnitBytes * rng.Below(96);
    if (rng.OneIn(8)) {
      location.address.reset();
      location.placed_by = PlacedBy::kNone;
    }
  }
}

// One figure of one record, one too high, or a result that is not so.
void CheckRecords(Rng& rng, const Program& placed, const PlanOptions& plan) {
  constexpr uint64_t RunRecord::*kFigures[] = {&RunRecord::floor,
                                               &RunRecord::lower_bound,
                                               &RunRecord::peak,
                                               &RunRecord::reserved_space,
                                               &RunRecord::real_cc_buffer_size,
                                               &RunRecord::cc_overflow_bytes,
                                               &RunRecord::cc_intruder_bytes};
  Program wrong = placed;
  Module& module = wrong.modules[rng.Below(wrong.modules.size())];
  if (module.functions.empty()) return;
  Function& function = module.functions[rng.Below(module.functions.size())];
  if (function.runs.empty()) return;
  RunRecord& run = function.runs[rng.Below(function.runs.size())];
  const uint64_t choice = rng.Below(std::size(kFigures) + 2);
  if (choice < std::size(kFigures)) {
    run.*kFigures[choice] += 512;
  } else if (choice == std::size(kFigures)) {
    // Where nothing was placed, "failed" is as true as anything.
    if (std::none_of(function.locations.begin(), function.locations.end(),
                     [](const Location& location) {
                       return location.placed_by == PlacedBy::kBerth;
                     })) {
      return;
    }
    run.dram_allocation_result = false;
  } else {
    function.runs.push_back(run);
  }
  ValidateOptions options;
  options.plan = plan;
  ORACLE(!ValidateProgram(wrong, nullptr, options).ok(),
         "a record is not true, and nobody says so: ", choice);
}

// 0 if it has none.
uint64_t AddressOf(const Program& placed, int32_t core,
                   absl::string_view function, absl::string_view name) {
  for (const Module& module : placed.modules) {
    if (module.core != core) continue;
    for (const Function& f : module.functions) {
      if (f.name != function) continue;
      for (const Location& location : f.locations) {
        if (location.name == name) return location.address.value_or(0);
      }
    }
  }
  return 0;
}

// The input as handed out, one thing of it changed: what was placed is not
// that.
void CheckOriginal(Rng& rng, const Program& placed, Program handed_out,
                   const PlanOptions& plan) {
  Module& module = handed_out.modules[rng.Below(handed_out.modules.size())];
  if (module.functions.empty()) return;
  Function& function = module.functions[rng.Below(module.functions.size())];
  if (function.locations.empty() || function.blocks.empty()) return;
  Location& location = function.locations[rng.Below(function.locations.size())];
  Block& block = function.blocks[rng.Below(function.blocks.size())];
  const uint64_t choice = rng.Below(8);
  switch (choice) {
    case 0:
      location.name += "_";
      break;
    case 1:
      location.elem_count += 1;
      break;
    case 2:
      if (location.type != MemoryType::kDram) return;
      location.address =
          AddressOf(placed, module.core, function.name, location.name) +
          kUnitBytes;
      location.placed_by = PlacedBy::kInput;
      break;
    case 3:
      block.instructions.emplace_back();
      break;
    case 4:
      function.blocks.emplace_back();
      break;
    case 5:
      if (!block.successors.empty()) {
        block.successors.clear();
      } else {
        block.successors = {0};
      }
      break;
    case 6:
      if (block.instructions.empty() ||
          block.instructions[0].kind != InstructionKind::kCompute) {
        return;
      }
      block.instructions[0].kind = InstructionKind::kCollective;
      break;
    default:
      function.name += "_";
  }
  ValidateOptions options;
  options.plan = plan;
  const Report found = ValidateProgram(placed, &handed_out, options);
  ORACLE(!found.ok(),
         "placed from another input, and nobody says so: ", choice);
  ORACLE(!found.ToString().empty());
}

// What the machine trips over, the validator names.
void CheckExecution(const Program& placed, const Report& found) {
  SimulateOptions options;
  options.schedules = 3;
  options.max_events = 100;
  options.max_states = 50;
  const absl::StatusOr<SimulateReport> report =
      Simulate(placed, FindDependences(placed), options);
  ORACLE(report.ok(), report.status().message());
  if (report->ok()) return;
  ORACLE(!report->fault->message.empty());
  ORACLE(!found.ok(), "I", report->fault->invariant, ": ",
         report->fault->message, "\nthe validator finds nothing");
}

void Run(absl::string_view bytes) {
  std::optional<ProgramInput> input = DecodeProgramInput(bytes);
  if (!input.has_value() || input->program.modules.empty()) return;
  Coarsen(input->program);
  PlanOptions& plan = input->options;
  plan.hbm_per_core_bytes =
      std::min<uint64_t>(plan.hbm_per_core_bytes / 4096, 1024) * 4096;
  plan.shared_mb_per_core = 0;
  Program handed_out = input->program;
  ClearOrPin(false, handed_out);
  Program placed = input->program;
  PlanReport report;
  if (!PlanProgram(plan, nullptr, nullptr, placed, report).ok()) return;
  Rng rng(SeedOf(bytes));
  CheckRecords(rng, placed, plan);
  CheckOriginal(rng, placed, handed_out, plan);
  for (Module& module : placed.modules) {
    for (Function& function : module.functions) function.runs.clear();
  }
  Tamper(rng, placed);
  ValidateOptions options;
  options.plan = plan;
  options.full = true;
  const testing::Broken want = BruteProgram(placed, options);
  const Report found = ValidateProgram(placed, nullptr, options);
  ORACLE(Keys(found) == want, "the plain twin says", Show(want),
         "\nthe validator says\n", found.ToString());
  ORACLE(found.ok() == found.ToString().empty());
  if (DrawOf(bytes) % 4 == 0) CheckExecution(placed, found);
}

const bool kRegistered = RegisterTarget({
    .name = "validate_fuzzer",
    .summary = "the validator against its plain twin",
    .max_bytes = 8192,
    .run = Run,
    .fresh = FreshProgramInput,
    .mutate = MutateProgramInput,
    .cross = CrossProgramInputs,
});

}  // namespace
}  // namespace berth::fuzz
