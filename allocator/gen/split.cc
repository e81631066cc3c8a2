#include "allocator/gen/split.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "allocator/base/int_math.h"
#include "allocator/gen/split_plan.h"
#include "allocator/model/check_program.h"
#include "allocator/model/program.h"

namespace berth {
namespace {

using gen::FunctionSplit;
using gen::LocationSplit;
using gen::SplitRole;

// All cores meet at these; the k-th of each name.
constexpr char kWaitName[] = "hand_over";

uint64_t CeilDivide(uint64_t value, uint64_t by) {
  return value / by + (value % by != 0);
}

// The split of one function, as one core has it.
class FunctionCopier {
 public:
  FunctionCopier(const Function& from, const FunctionSplit& plan, int32_t core,
                 int32_t cores)
      : from_(from), plan_(plan), core_(core), cores_(cores) {}

  Function Copy() const {
    Function to;
    to.name = from_.name;
    to.locations.reserve(from_.locations.size());
    for (size_t l = 0; l < from_.locations.size(); ++l) {
      to.locations.push_back(
          CopyLocation(from_.locations[l], plan_.locations[l]));
    }
    to.blocks.reserve(from_.blocks.size());
    for (size_t b = 0; b < from_.blocks.size(); ++b) {
      to.blocks.push_back(CopyBlock(b));
    }
    return to;
  }

 private:
  SplitRole RoleOf(int32_t location) const {
    return plan_.locations[location].role;
  }
  bool IsPart(int32_t location) const {
    return RoleOf(location) == SplitRole::kPart;
  }
  bool IsDram(int32_t location) const {
    return from_.locations[location].type == MemoryType::kDram;
  }

  Location CopyLocation(const Location& location,
                        const LocationSplit& split) const {
    Location to = location;
    if (split.role == SplitRole::kPart) {
      if (to.type == MemoryType::kDram) {
        to.elem_count = CeilDivide(to.elem_count, cores_);
      }
      return to;
    }
    to.space = Space::kShared;
    if (core_ != split.owner) {
      const int32_t target =
          split.chained ? (core_ + cores_ - 1) % cores_ : split.owner;
      to.remote_target = RemoteTarget{target, location.name};
    }
    return to;
  }

  Block CopyBlock(size_t b) const {
    const Block& block = from_.blocks[b];
    Block to;
    to.name = block.name;
    to.successors = block.successors;
    to.instructions.reserve(block.instructions.size() + plan_.waits[b].size());
    auto wait = plan_.waits[b].begin();
    for (size_t i = 0; i <= block.instructions.size(); ++i) {
      if (wait != plan_.waits[b].end() && *wait == static_cast<int32_t>(i)) {
        ++wait;
        Instruction& barrier = to.instructions.emplace_back();
        barrier.kind = InstructionKind::kBarrier;
        barrier.name = kWaitName;
      }
      if (i == block.instructions.size()) break;
      std::optional<Instruction> copy =
          CopyInstruction(block.instructions[i], plan_.spine.holds[b]);
      if (copy.has_value()) to.instructions.push_back(*std::move(copy));
    }
    return to;
  }

  // nullopt: this core has no part in it.
  std::optional<Instruction> CopyInstruction(const Instruction& from,
                                             bool on_spine) const {
    if (from.kind == InstructionKind::kDmaCopy) return CopyDma(from);
    if (from.kind == InstructionKind::kBarrier && !on_spine) {
      return std::nullopt;
    }
    Instruction to;
    to.kind = from.kind == InstructionKind::kCollective && !on_spine
                  ? InstructionKind::kCompute
                  : from.kind;
    to.name = from.name;
    to.callee = from.callee;
    for (const Access& def : from.defs) {
      if (Takes(from, def, /*def=*/true)) {
        AddAccess(from, def, /*own=*/true, to.defs);
      }
    }
    if (to.defs.empty() && !from.defs.empty() &&
        to.kind == InstructionKind::kCompute) {
      return std::nullopt;  // another core makes it
    }
    for (const Access& use : from.uses) {
      if (Takes(from, use, /*def=*/false)) {
        AddAccess(from, use, Defines(from, use.location), to.uses);
      }
    }
    return to;
  }

  static bool Defines(const Instruction& instruction, int32_t location) {
    return std::any_of(
        instruction.defs.begin(), instruction.defs.end(),
        [location](const Access& def) { return def.location == location; });
  }

  // Whether this core does it: what is handed over, its owner alone changes.
  bool Takes(const Instruction& from, const Access& access, bool def) const {
    const LocationSplit& split = plan_.locations[access.location];
    return split.role != SplitRole::kHandOver || core_ == split.owner ||
           !(def || Defines(from, access.location));
  }

  // `own`: of a staging buffer, this core's bytes alone.
  void AddAccess(const Instruction& from, const Access& access, bool own,
                 std::vector<Access>& to) const {
    if (from.kind == InstructionKind::kCollective) own = false;
    const Location& location = from_.locations[access.location];
    const bool whole =
        access.extent_bytes == 0 || access.extent_bytes == location.byte_size();
    Access copy;
    copy.location = access.location;
    if (RoleOf(access.location) == SplitRole::kStaged && own) {
      copy = SliceOf(access, AccessBytes(access, location));
      if (copy.extent_bytes == 0) return;
    } else if (!whole && IsPart(access.location) && IsDram(access.location)) {
      copy.offset_bytes = access.offset_bytes / cores_;
      copy.extent_bytes = CeilDivide(access.extent_bytes, cores_);
    } else if (!whole) {
      copy = access;
    }
    to.push_back(copy);
  }

  // This core's share of the bytes of `access`; none if there are too few.
  Access SliceOf(const Access& access, uint64_t bytes) const {
    const auto cut = [&](int32_t part) {
      return static_cast<uint64_t>(uint128{bytes} *
                                   static_cast<uint32_t>(part) /
                                   static_cast<uint32_t>(cores_));
    };
    Access slice = access;
    slice.offset_bytes = access.offset_bytes + cut(core_);
    slice.extent_bytes = cut(core_ + 1) - cut(core_);
    return slice;
  }

  bool CoversPart(const Access& access) const {
    return IsDram(access.location) &&
           (access.extent_bytes == 0 ||
            access.extent_bytes ==
                from_.locations[access.location].byte_size());
  }
  // Bytes of a private part.
  uint64_t PartBytes(int32_t location) const {
    const Location& from = from_.locations[location];
    return CeilDivide(from.elem_count, cores_) * from.elem_size;
  }

  // Both sides of a DMA_COPY shrink alike, so that their extents stay equal.
  std::optional<Instruction> CopyDma(const Instruction& from) const {
    const Access& use = from.uses[0];
    const Access& def = from.defs[0];
    const uint64_t bytes = AccessBytes(use, from_.locations[use.location]);
    const bool staged = !IsPart(use.location) || !IsPart(def.location);
    const Access slice = SliceOf({}, bytes);
    const uint64_t part =
        staged ? slice.extent_bytes : CeilDivide(bytes, cores_);
    if (part == 0 && bytes > 0) return std::nullopt;  // too few for this core
    const auto shrink = [&](const Access& access) {
      Access copy = access;
      copy.extent_bytes = part;
      if (!IsPart(access.location)) {
        copy.offset_bytes += slice.offset_bytes;
      } else if (IsDram(access.location)) {
        copy.offset_bytes /= cores_;
      }
      return copy;
    };
    Instruction to = from;
    if (!staged && CoversPart(use) && CoversPart(def) &&
        PartBytes(use.location) == PartBytes(def.location)) {
      to.uses[0] = {.location = use.location};
      to.defs[0] = {.location = def.location};
      return to;
    }
    to.uses[0] = shrink(use);
    to.defs[0] = shrink(def);
    return to;
  }

  const Function& from_;
  const FunctionSplit& plan_;
  const int32_t core_;
  const int32_t cores_;
};

absl::Status CheckSplittable(const Program& program, int32_t cores) {
  if (cores < 1 || cores > kMaxSplitCores) {
    return absl::InvalidArgumentError(
        absl::StrCat("cores ", cores, " is not in 1..", kMaxSplitCores));
  }
  if (program.modules.size() != 1) {
    return absl::InvalidArgumentError(
        absl::StrCat("a program of one core can be split; this one has ",
                     program.modules.size()));
  }
  for (const Function& function : program.modules[0].functions) {
    for (const Location& location : function.locations) {
      if (location.space == Space::kShared || location.remote_target) {
        return absl::InvalidArgumentError(
            absl::StrCat("'", location.name, "' of ", function.name,
                         " is shared already: only programs without SHARED "
                         "locations can be split"));
      }
    }
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<Program> SplitProgram(const Program& program, int32_t cores) {
  if (absl::Status status = CheckSplittable(program, cores); !status.ok()) {
    return status;
  }
  const Module& from = program.modules[0];
  const std::vector<FunctionSplit> plans = gen::PlanSplit(from, cores);
  Program split;
  split.comment =
      absl::StrCat(program.comment, program.comment.empty() ? "" : "; ",
                   "split over ", cores, " cores");
  split.modules.resize(cores);
  for (int32_t core = 0; core < cores; ++core) {
    Module& module = split.modules[core];
    module.core = core;
    module.functions.reserve(from.functions.size());
    for (size_t f = 0; f < from.functions.size(); ++f) {
      module.functions.push_back(
          FunctionCopier(from.functions[f], plans[f], core, cores).Copy());
    }
  }
  return split;
}

}  // namespace berth
