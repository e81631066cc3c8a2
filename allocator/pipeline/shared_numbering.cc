#include "allocator/pipeline/shared_numbering.h"

#include <cstdint>
#include <numeric>
#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "allocator/base/int_math.h"
#include "allocator/base/status_macros.h"
#include "allocator/model/check_program.h"
#include "allocator/model/options.h"
#include "allocator/model/program.h"
#include "allocator/pipeline/analysis.h"
#include "allocator/pipeline/numbering.h"
#include "allocator/pipeline/sharing.h"
#include "allocator/placement/problem.h"

namespace berth {
namespace {

void AddSaturating(uint64_t& total, uint64_t bytes) {
  total = CheckedAdd(total, bytes).value_or(~uint64_t{0});
}

}  // namespace

SharedNumbering::SharedNumbering(const Program& program,
                                 const ProgramAnalysis& analysis,
                                 SizeRounding rounding)
    : modules_(ModulesByCore(program)),
      analysis_(analysis),
      rounding_(rounding) {
  collective_bytes_.resize(analysis_.sharing.size());
  for (const Module* module : modules_) {
    for (size_t f = 0; f < module->functions.size(); ++f) {
      const auto function = static_cast<int32_t>(f);
      if (!analysis_.sharing.Any(module->core, function)) continue;
      for (const Block& block : module->functions[f].blocks) {
        for (const Instruction& instruction : block.instructions) {
          if (instruction.kind != InstructionKind::kCollective) continue;
          for (const auto* accesses : {&instruction.uses, &instruction.defs}) {
            CountCollective(module->core, function, *accesses);
          }
        }
      }
    }
  }
}

void SharedNumbering::CountCollective(int32_t core, int32_t function,
                                      const std::vector<Access>& accesses) {
  for (const Access& access : accesses) {
    const LocationPlace place{core, function, access.location};
    const int32_t tensor = analysis_.sharing.TensorOf(place);
    if (tensor < 0) continue;
    const Location& location = LocationAt(modules_, place);
    collective_bytes_[tensor] += location.aligned_size();
    collective_bytes_[tensor] += AccessBytes(access, location);
  }
}

absl::StatusOr<Numbering> SharedNumbering::Number(int32_t begin,
                                                  int32_t end) const {
  Numbering out;
  Problem& problem = out.problem;
  problem.num_times = analysis_.num_phases;
  problem.page_bytes = PageBytes(MemoryType::kDram);
  for (int32_t tensor = begin; tensor < end; ++tensor) {
    const Location& owner =
        LocationAt(modules_, analysis_.sharing.owner(tensor));
    if (!owner.placeable()) {
      AddSaturating(out.dram_bytes, owner.byte_size());
    }
    if (owner.address.has_value()) continue;
    if (!owner.placeable()) {
      ++out.external;
      continue;
    }
    out.any_candidate = true;
    AddSaturating(out.spill_bytes, owner.byte_size());
    AddSaturating(out.aligned_spill_bytes, owner.aligned_size());
    const auto phases = analysis_.shared_phases.of(tensor);
    if (phases.empty()) {
      ++out.unreferenced;
      out.unreferenced_locations.push_back(tensor);
      continue;
    }
    BERTH_ASSIGN_OR_RETURN(const uint64_t alignment, AlignmentOf(tensor));
    out.location_of.push_back(tensor);
    problem.size_bytes.push_back(SearchSize(owner, rounding_));
    problem.alignment.push_back(alignment);
    problem.occupied_length.push_back(phases[0].hi - phases[0].lo + 1);
    problem.cc.push_back(analysis_.shared_collective[tensor]);
    problem.live.Append(phases);
    problem.names.push_back(owner.name);
    out.any_cc |= analysis_.shared_collective[tensor];
    out.auto_cc_bytes += collective_bytes_[tensor];
  }
  const uint128 page = kDramPageBytes;
  out.auto_cc_bytes = (out.auto_cc_bytes + page - 1) / page * page;
  return out;
}

absl::StatusOr<uint64_t> SharedNumbering::AlignmentOf(int32_t tensor) const {
  uint64_t alignment =
      LocationAt(modules_, analysis_.sharing.owner(tensor)).alignment;
  for (const LocationPlace& copy : analysis_.sharing.copies(tensor)) {
    const uint64_t other = LocationAt(modules_, copy).alignment;
    const std::optional<uint64_t> common =
        CheckedMul(alignment / std::gcd(alignment, other), other);
    if (!common.has_value()) {
      return absl::InvalidArgumentError(absl::StrCat(
          "the alignments of the copies of '",
          LocationAt(modules_, analysis_.sharing.owner(tensor)).name,
          "' of core ", analysis_.sharing.owner(tensor).core,
          " have no common multiple below 2^64"));
    }
    alignment = *common;
  }
  return alignment;
}

}  // namespace berth
