// The program readers, text and binary: any bytes are read or refused with a
// message; what is read keeps the rules, and read-write-read is the identity in
// both formats (F20).
#include <cstdint>
#include <set>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/string_view.h"
#include "allocator/base/int_math.h"
#include "allocator/base/rng.h"
#include "allocator/formats/program_io.h"
#include "allocator/model/check_program.h"
#include "allocator/model/names.h"
#include "allocator/model/options.h"
#include "allocator/model/program.h"
#include "fuzz/engine/oracle.h"
#include "fuzz/engine/target.h"
#include "fuzz/inputs/program_mutator.h"

namespace berth::fuzz {
namespace {

// Rules of spec §1 stated once more, in the plainest way: CheckProgram, which
// says yes to what was read, may be wrong itself.
void CheckRules(const Program& program) {
  std::set<int32_t> cores;
  for (const Module& module : program.modules) {
    ORACLE(cores.insert(module.core).second, "core ", module.core);
    for (const Function& function : module.functions) {
      std::set<std::string> names;
      for (const Location& location : function.locations) {
        ORACLE(names.insert(location.name).second, location.name);
        ORACLE(location.alignment > 0, location.name);
      }
      for (const Block& block : function.blocks) {
        for (const int32_t to : block.successors) {
          ORACLE(to >= 0 && to < static_cast<int32_t>(function.blocks.size()));
        }
        for (const Instruction& i : block.instructions) {
          for (const auto* accesses : {&i.defs, &i.uses}) {
            for (const Access& a : *accesses) {
              const Location& location = function.locations.at(a.location);
              const uint64_t bytes = location.elem_count * location.elem_size;
              ORACLE(a.offset_bytes <= bytes &&
                         a.extent_bytes <= bytes - a.offset_bytes,
                     "an access past the end of ", location.name);
            }
          }
        }
      }
    }
  }
}

// Text has every name that messages have, but for what is not written as it is
// the default.
void CheckNames(const Program& program, const std::string& text) {
  const auto written = [&text](absl::string_view name, bool is_default) {
    ORACLE(is_default || absl::StrContains(text, name), name, " in ", text);
  };
  for (const Module& module : program.modules) {
    for (const Function& function : module.functions) {
      for (const Location& l : function.locations) {
        written(Name(l.type), l.type == MemoryType::kDram);
        written(Name(l.space), l.space == Space::kLocal);
        written(Name(l.usage), false);
        written(Name(l.placed_by), l.placed_by == PlacedBy::kNone);
      }
      for (const Block& block : function.blocks) {
        for (const Instruction& i : block.instructions) {
          written(Name(i.kind), i.kind == InstructionKind::kCompute);
        }
      }
      for (const RunRecord& run : function.runs) {
        ORACLE(ParsePlanner(Name(run.planner)) == run.planner);
        ORACLE(ParseLinkMode(Name(run.link_mode)) == run.link_mode);
        ORACLE(ParseSizeRounding(Name(run.size_rounding)) == run.size_rounding);
      }
    }
  }
}

void CheckRead(const absl::StatusOr<Program>& program) {
  if (!program.ok()) {
    ORACLE(absl::IsInvalidArgument(program.status()),
           program.status().message());
    ORACLE(absl::StartsWith(program.status().message(), "f"),
           program.status().message());
    return;
  }
  ORACLE(CheckProgram(*program).ok());
  CheckRules(*program);
  const std::string text = WriteProgramText(*program);
  CheckNames(*program, text);
  const absl::StatusOr<Program> from_text = ReadProgramText(text, "f");
  ORACLE(from_text.ok(), from_text.status().message(), "\n", text);
  ORACLE(*from_text == *program, text);
  ORACLE(WriteProgramText(*from_text) == text, text);
  const absl::StatusOr<std::string> bytes = WriteProgramBinary(*program);
  ORACLE(bytes.ok(), bytes.status().message());
  const absl::StatusOr<Program> from_bytes = ReadProgramBinary(*bytes, "f");
  ORACLE(from_bytes.ok(), from_bytes.status().message());
  ORACLE(*from_bytes == *program, text);
}

void Run(absl::string_view input) {
  CheckRead(ReadProgramText(input, "f"));
  CheckRead(ReadProgramBinary(input, "f"));
  DetectFormat(input);
}

// Breaks one rule at most: an access, a name, a core, a size.
void BreakARule(Rng& rng, Program& program) {
  Function& function = program.modules[0].functions[0];
  if (function.locations.empty()) return;
  Location& location = function.locations[rng.Below(function.locations.size())];
  switch (rng.Below(4)) {
    case 0:
      for (Block& block : function.blocks) {
        for (Instruction& i : block.instructions) {
          if (i.uses.empty() || !rng.OneIn(2)) continue;
          Access& access = i.uses[0];
          access.offset_bytes = rng.Below(3);
          access.extent_bytes =
              function.locations[access.location].byte_size() + rng.Below(3);
        }
      }
      return;
    case 1:
      location.name = function.locations[0].name;
      return;
    case 2:
      program.modules[0].core = static_cast<int32_t>(rng.Below(2));
      return;
    default:
      location.alignment = rng.Below(2);
      location.elem_count = ~uint64_t{0} >> rng.Below(3);
  }
}

// As a placed program has them.
void AddRecord(Rng& rng, Function& function) {
  RunRecord& run = function.runs.emplace_back();
  run.space = rng.OneIn(2) ? Space::kLocal : Space::kShared;
  run.slab = static_cast<int32_t>(rng.Between(-1, 3));
  run.floor = rng.Below(3) * kDramPageBytes;
  run.ceiling = rng.Next() >> rng.Below(64);
  run.peak = rng.Next() >> rng.Below(64);
  run.planner = rng.OneIn(2) ? Planner::kReference : Planner::kTight;
  run.link_mode = rng.OneIn(2) ? LinkMode::kPre : LinkMode::kPost;
  run.size_rounding = rng.OneIn(2) ? SizeRounding::kPage : SizeRounding::kNone;
  run.dram_allocation_result = rng.OneIn(2);
}

// A program in one of the formats, valid or nearly so.
std::string Fresh(Rng& rng) {
  Program program = rng.OneIn(6) ? SharedProgram(rng) : SmallProgram(rng);
  for (uint64_t n = rng.Below(6); n > 0; --n) MutateProgram(rng, program);
  if (!program.modules[0].functions.empty()) {
    if (rng.OneIn(3)) AddRecord(rng, program.modules[0].functions[0]);
    if (rng.OneIn(3)) BreakARule(rng, program);
  }
  if (rng.OneIn(2)) return WriteProgramText(program);
  return WriteProgramBinary(program).value_or("");
}

const bool kRegistered = RegisterTarget({
    .name = "program_text_fuzzer",
    .summary = "program readers: any bytes; read-write-read is the identity",
    .max_bytes = 4096,
    .run = Run,
    .fresh = Fresh,
});

}  // namespace
}  // namespace berth::fuzz
