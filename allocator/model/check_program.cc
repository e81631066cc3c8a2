#include "allocator/model/check_program.h"

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
#include "allocator/model/call_order.h"
#include "allocator/model/first_duplicate.h"
#include "allocator/model/names.h"
#include "allocator/model/options.h"
#include "allocator/model/program.h"

namespace berth {
namespace {

bool Known(MemoryType type) {
  return type == MemoryType::kDram || type == MemoryType::kSbuf ||
         type == MemoryType::kPsum;
}

bool Known(Space space) {
  return space == Space::kLocal || space == Space::kShared;
}

bool Known(Usage usage) {
  const auto value = static_cast<int>(usage);
  return (value >= 1 && value <= 4) || value == 7 || value == 9;
}

bool Known(PlacedBy placed_by) { return placed_by <= PlacedBy::kSync; }

bool Known(InstructionKind kind) { return kind <= InstructionKind::kCall; }

// Walks a program in file order and stops at its first fault.
class Checker {
 public:
  explicit Checker(const Program& program) : program_(program) {}

  std::optional<ProgramFault> Run() {
    // The walk returns at the first fault; which one it was stands in fault_.
    (void)Walk();
    return std::move(fault_);
  }

 private:
  // Records the fault of `field` at place_; always false.
  bool Fail(absl::string_view field, absl::string_view reason) {
    place_.field = field;
    const std::string where = PlaceName(program_, place_);
    fault_ = {place_, where.empty() ? std::string(reason)
                                    : absl::StrCat(where, ": ", reason)};
    return false;
  }

  bool CheckName(absl::string_view field, absl::string_view name) {
    const char* const why = NameFault(name);
    return why == nullptr || Fail(field, absl::StrCat(field, " ", why));
  }

  // The first of `items` that has the name of an earlier one.
  template <typename T>
  static std::optional<Duplicate> SameName(const std::vector<T>& items) {
    return FirstDuplicate(static_cast<int32_t>(items.size()), [&](int32_t i) {
      return absl::string_view(items[i].name);
    });
  }

  // Name `index` of a list whose first duplicate is `same`.
  bool CheckName(absl::string_view name, int32_t index,
                 const std::optional<Duplicate>& same) {
    if (!CheckName("name", name)) return false;
    return !same || same->second != index ||
           Fail("name",
                absl::StrCat("the name is used twice (numbers ", same->first,
                             " and ", index, ", counted from 0)"));
  }

  bool CheckCount(size_t count, absl::string_view what) {
    return count < static_cast<size_t>(kMaxCount) ||
           Fail("",
                absl::StrCat(count, " ", what, ", and 2^31 - 2 is the most"));
  }

  bool Walk() {
    if (!program_.comment.empty()) {
      // A comment may have lines; nothing else of it could harm a terminal.
      std::string flat = program_.comment;
      for (char& c : flat) c = (c == '\n' || c == '\t') ? ' ' : c;
      if (!CheckName("comment", flat)) return false;
    }
    if (!CheckCount(program_.modules.size(), "modules")) return false;
    std::vector<int32_t> module_of_core(program_.modules.size(), -1);
    for (place_.module = 0; Next(place_.module, program_.modules);
         ++place_.module) {
      const Module& module = program_.modules[place_.module];
      const size_t core = static_cast<size_t>(module.core);  // < 0 wraps high
      if (core >= program_.modules.size()) {
        return Fail("core",
                    absl::StrCat("cores are 0 to ", program_.modules.size() - 1,
                                 ", one for each module"));
      }
      if (module_of_core[core] >= 0) {
        return Fail("core", absl::StrCat("modules ", module_of_core[core],
                                         " and ", place_.module,
                                         " (counted from 0) have this core"));
      }
      module_of_core[core] = place_.module;
      if (!WalkModule(module)) return false;
    }
    return true;
  }

  // `index` is still inside `values`; resets it to -1 when it is not.
  template <typename T>
  static bool Next(int32_t& index, const std::vector<T>& values) {
    if (static_cast<size_t>(index) < values.size()) return true;
    index = -1;
    return false;
  }

  bool WalkModule(const Module& module) {
    if (!CheckCount(module.functions.size(), "functions")) return false;
    const std::optional<Duplicate> same = SameName(module.functions);
    for (place_.function = 0; Next(place_.function, module.functions);
         ++place_.function) {
      const Function& function = module.functions[place_.function];
      if (!CheckName(function.name, place_.function, same) ||
          !WalkFunction(module, function)) {
        return false;
      }
    }
    const CallOrder order = OrderCalls(module);
    if (order.cycle.empty()) return true;
    place_.function = order.cycle.back();
    place_.block = order.block;
    place_.instruction = order.instruction;
    return Fail("callee", CycleMessage(module, order));
  }

  bool WalkFunction(const Module& module, const Function& function) {
    if (!CheckCount(function.locations.size(), "locations") ||
        !CheckCount(function.blocks.size(), "blocks")) {
      return false;
    }
    std::optional<Duplicate> same = SameName(function.locations);
    for (place_.location = 0; Next(place_.location, function.locations);
         ++place_.location) {
      const Location& location = function.locations[place_.location];
      if (!CheckName(location.name, place_.location, same) ||
          !CheckLocation(location)) {
        return false;
      }
    }
    same = SameName(function.blocks);
    size_t instructions = 0;
    for (place_.block = 0; Next(place_.block, function.blocks);
         ++place_.block) {
      const Block& block = function.blocks[place_.block];
      instructions += block.instructions.size();
      if (!CheckName(block.name, place_.block, same) ||
          !CheckCount(instructions, "instructions so far") ||
          !WalkBlock(module, function, block)) {
        return false;
      }
    }
    for (place_.run = 0; Next(place_.run, function.runs); ++place_.run) {
      if (!CheckRun(function.runs[place_.run])) return false;
    }
    return true;
  }

  bool CheckLocation(const Location& location) {
    if (!Known(location.type)) return Fail("type", "the type is unknown");
    if (!Known(location.space)) return Fail("space", "the space is unknown");
    if (!Known(location.usage)) {
      return Fail("usage",
                  absl::StrCat("usage ", static_cast<int>(location.usage),
                               " is unknown"));
    }
    if (!Known(location.placed_by)) {
      return Fail("placed_by", "the placed_by is unknown");
    }
    const auto bytes = CheckedMul(location.elem_count, location.elem_size);
    const auto rounded =
        bytes ? CheckedRoundUp(*bytes, PageBytes(location.type)) : std::nullopt;
    if (!rounded) {
      return Fail("elem_count",
                  absl::StrCat("elem_count ", location.elem_count,
                               " times elem_size ", location.elem_size,
                               " passes 2^64 bytes, rounded up to its page"));
    }
    if (location.alignment == 0) {
      return Fail("alignment", "alignment 0 is refused");
    }
    if (location.address && !CheckedAdd(*location.address, *rounded)) {
      return Fail("address",
                  absl::StrCat("address ", *location.address, " plus ",
                               *rounded, " bytes passes 2^64"));
    }
    if (location.placed_by != PlacedBy::kNone && !location.address) {
      return Fail("placed_by",
                  absl::StrCat("placed_by ", Name(location.placed_by),
                               " without an address"));
    }
    return !location.remote_target ||
           CheckName("remote_target", location.remote_target->name);
  }

  bool WalkBlock(const Module& module, const Function& function,
                 const Block& block) {
    for (place_.successor = 0; Next(place_.successor, block.successors);
         ++place_.successor) {
      const auto target =
          static_cast<size_t>(block.successors[place_.successor]);
      if (target >= function.blocks.size()) {
        return Fail("", "a successor is not a block of the function");
      }
    }
    for (place_.instruction = 0; Next(place_.instruction, block.instructions);
         ++place_.instruction) {
      if (!CheckInstruction(module, function,
                            block.instructions[place_.instruction])) {
        return false;
      }
    }
    return true;
  }

  bool CheckInstruction(const Module& module, const Function& function,
                        const Instruction& instruction) {
    if (!Known(instruction.kind)) return Fail("kind", "the kind is unknown");
    if (!instruction.name.empty() && !CheckName("name", instruction.name)) {
      return false;
    }
    if (!CheckCount(instruction.defs.size(), "defs") ||
        !CheckCount(instruction.uses.size(), "uses") ||
        !CheckAccesses(function, instruction.defs, place_.def) ||
        !CheckAccesses(function, instruction.uses, place_.use)) {
      return false;
    }
    if (instruction.kind == InstructionKind::kDmaCopy) {
      return CheckCopy(function, instruction);
    }
    if (instruction.kind == InstructionKind::kBarrier &&
        instruction.defs.size() + instruction.uses.size() > 0) {
      return Fail("", "a BARRIER has no accesses");
    }
    return CheckCallee(module, instruction);
  }

  bool CheckCallee(const Module& module, const Instruction& instruction) {
    if (instruction.kind == InstructionKind::kCall) {
      return static_cast<size_t>(instruction.callee) <
                 module.functions.size() ||
             Fail("callee", "a CALL names a function of its module");
    }
    return instruction.callee == -1 ||
           Fail("callee", absl::StrCat("only a CALL has a callee, not a ",
                                       Name(instruction.kind)));
  }

  bool CheckCopy(const Function& function, const Instruction& instruction) {
    if (instruction.defs.size() != 1 || instruction.uses.size() != 1) {
      return Fail("", absl::StrCat("a DMA_COPY has one def and one use, not ",
                                   instruction.defs.size(), " and ",
                                   instruction.uses.size()));
    }
    const auto bytes = [&](const Access& access) {
      return AccessBytes(access, function.locations[access.location]);
    };
    const uint64_t to = bytes(instruction.defs[0]);
    const uint64_t from = bytes(instruction.uses[0]);
    if (to != from) {
      return Fail("", absl::StrCat("a DMA_COPY of ", from, " bytes to ", to));
    }
    return instruction.callee == -1 ||
           Fail("callee", "only a CALL has a callee, not a DMA_COPY");
  }

  bool CheckAccesses(const Function& function,
                     const std::vector<Access>& accesses, int32_t& index) {
    for (index = 0; Next(index, accesses); ++index) {
      const Access& access = accesses[index];
      if (static_cast<size_t>(access.location) >= function.locations.size()) {
        return Fail("location", "an access names no location of the function");
      }
      const Location& location = function.locations[access.location];
      if (access.extent_bytes == 0) {
        if (access.offset_bytes == 0) continue;
        return Fail("offset", absl::StrCat("the access of '", location.name,
                                           "' has offset ", access.offset_bytes,
                                           " but no extent"));
      }
      const auto end = CheckedAdd(access.offset_bytes, access.extent_bytes);
      if (!end || *end > location.byte_size()) {
        return Fail(
            "extent",
            absl::StrCat("the access of '", location.name, "' (offset ",
                         access.offset_bytes, ", extent ", access.extent_bytes,
                         ") passes its ", location.byte_size(), " bytes"));
      }
    }
    return true;
  }

  bool CheckRun(const RunRecord& run) {
    if (!Known(run.space)) return Fail("space", "the space is unknown");
    if (run.slab < -1) return Fail("slab", "a slab is a core");
    if (run.size_rounding > SizeRounding::kNone) {
      return Fail("size_rounding", "the size rounding is unknown");
    }
    if (run.link_mode > LinkMode::kPost) {
      return Fail("link_mode", "the link mode is unknown");
    }
    return run.planner <= Planner::kTight ||
           Fail("planner", "the planner is unknown");
  }

  const Program& program_;
  ProgramPlace place_;
  std::optional<ProgramFault> fault_;
};

}  // namespace

std::string PlaceName(const Program& program, const ProgramPlace& place) {
  if (place.module < 0) return "";
  const Module& module = program.modules[place.module];
  std::string name = absl::StrCat("core ", module.core);
  if (place.function < 0) return name;
  const Function& function = module.functions[place.function];
  absl::StrAppend(&name, ", function ", QuotedName(function.name));
  if (place.location >= 0) {
    absl::StrAppend(&name, ", location ",
                    QuotedName(function.locations[place.location].name));
  } else if (place.run >= 0) {
    absl::StrAppend(&name, ", run ", place.run);
  } else if (place.block >= 0) {
    const Block& block = function.blocks[place.block];
    absl::StrAppend(&name, ", block ", QuotedName(block.name));
    if (place.instruction >= 0) {
      int32_t flat = place.instruction;
      for (int32_t b = 0; b < place.block; ++b) {
        flat += static_cast<int32_t>(function.blocks[b].instructions.size());
      }
      absl::StrAppend(&name, ", instruction ",
                      QuotedName(InstructionLabel(
                          block.instructions[place.instruction], flat)));
    }
  }
  return name;
}

std::optional<ProgramFault> FindProgramFault(const Program& program) {
  return Checker(program).Run();
}

absl::Status CheckProgram(const Program& program) {
  const std::optional<ProgramFault> fault = FindProgramFault(program);
  return fault ? absl::InvalidArgumentError(fault->message) : absl::OkStatus();
}

absl::StatusOr<std::vector<int32_t>> CalleesFirst(const Module& module) {
  CallOrder order = OrderCalls(module);
  if (order.cycle.empty()) return std::move(order.callees_first);
  return absl::InvalidArgumentError(
      absl::StrCat("core ", module.core, ": ", CycleMessage(module, order)));
}

uint64_t AccessBytes(const Access& access, const Location& location) {
  return access.extent_bytes == 0 ? location.byte_size() : access.extent_bytes;
}

}  // namespace berth
