#include "allocator/validate/shared_lifetimes.h"

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/string_view.h"
#include "allocator/model/intervals.h"
#include "allocator/model/program.h"
#include "allocator/validate/program_facts.h"
#include "allocator/validate/shared_owners.h"

namespace berth::validation {
namespace {

using NameSet = absl::flat_hash_set<absl::string_view>;

// Names of what may meet other cores, over all functions of one module.
NameSet MeetingNames(const ProgramFacts& facts,
                     const std::vector<int32_t>& module) {
  NameSet names;
  for (const int32_t f : module) {
    for (const Block& block : facts.functions[f].function->blocks) {
      for (const Instruction& instruction : block.instructions) {
        if (instruction.kind == InstructionKind::kBarrier ||
            instruction.kind == InstructionKind::kCollective) {
          names.insert(instruction.name);
        }
      }
    }
  }
  return names;
}

// No rendezvous of all cores can exist: nothing cuts the program.
bool OnePhase(const ProgramFacts& facts) {
  if (facts.modules.empty()) return true;
  NameSet common = MeetingNames(facts, facts.modules.front());
  for (size_t m = 1; m < facts.modules.size() && !common.empty(); ++m) {
    const NameSet names = MeetingNames(facts, facts.modules[m]);
    NameSet both;
    for (const absl::string_view name : common) {
      if (names.contains(name)) both.insert(name);
    }
    common = std::move(both);
  }
  return common.empty();
}

}  // namespace

std::vector<bool> AccessedOwners(
    const ProgramFacts& facts, const SharedOwners& shared,
    const std::vector<std::vector<bool>>& accessed) {
  std::vector<bool> result(shared.owners.size());
  for (size_t f = 0; f < facts.functions.size(); ++f) {
    for (size_t l = 0; l < shared.owner_of[f].size(); ++l) {
      const int32_t owner = shared.owner_of[f][l];
      if (owner >= 0 && accessed[f][l]) result[owner] = true;
    }
  }
  return result;
}

std::optional<IntervalTable> SharedLifetimes(
    const ProgramFacts& facts, const SharedOwners& shared,
    const std::vector<std::vector<bool>>& accessed) {
  if (!OnePhase(facts)) return std::nullopt;
  IntervalTable lifetimes;
  for (const bool used : AccessedOwners(facts, shared, accessed)) {
    if (used) {
      lifetimes.Append({Interval{0, 0}});
    } else {
      lifetimes.Append({});
    }
  }
  return lifetimes;
}

}  // namespace berth::validation
