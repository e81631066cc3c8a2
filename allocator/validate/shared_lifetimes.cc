#include "allocator/validate/shared_lifetimes.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "allocator/model/intervals.h"
#include "allocator/model/program.h"
#include "allocator/validate/phases.h"
#include "allocator/validate/program_facts.h"
#include "allocator/validate/shared_owners.h"

namespace berth::validation {
namespace {

constexpr Interval kNever = {std::numeric_limits<int32_t>::max(), -1};

void Extend(const Interval& by, Interval& hull) {
  hull.lo = std::min(hull.lo, by.lo);
  hull.hi = std::max(hull.hi, by.hi);
}

std::optional<Phases> FindPhases(const ProgramFacts& facts,
                                 std::string* fault) {
  std::vector<PhaseModule> modules;
  for (size_t m = 0; m < facts.modules.size(); ++m) {
    PhaseModule& module = modules.emplace_back();
    module.module = facts.cores[m];
    for (const int32_t f : facts.modules[m]) {
      module.callees_first.push_back(f - facts.first_function[m]);
    }
  }
  return Phases::Of(modules, fault);
}

// Hulls of the phases of owners, from one function after another.
class Hulls {
 public:
  Hulls(const ProgramFacts& facts, const SharedOwners& shared,
        const Phases& phases)
      : facts_(facts),
        shared_(shared),
        phases_(phases),
        hulls_(shared.owners.size(), kNever) {}

  void Add(int32_t f, const std::vector<bool>& accessed) {
    const FunctionFacts& facts = facts_.functions[f];
    const auto index = facts.where.function_index;
    Interval whole = kNever;
    int32_t flat = 0;
    for (const Block& block : facts.function->blocks) {
      for (const Instruction& instruction : block.instructions) {
        const Interval phases = phases_.Of(facts.module, index, flat++);
        Extend(phases, whole);
        for (const auto* accesses : {&instruction.uses, &instruction.defs}) {
          for (const Access& access : *accesses) {
            const int32_t owner = shared_.OwnerOf(f, access.location);
            if (owner >= 0) Extend(phases, hulls_[owner]);
          }
        }
      }
    }
    if (whole.hi < 0) return;
    const auto& locations = facts.function->locations;
    for (size_t l = 0; l < locations.size(); ++l) {
      const int32_t owner = shared_.OwnerOf(f, static_cast<int32_t>(l));
      if (owner < 0) continue;
      AddBoundary(locations[l], accessed[l], whole, hulls_[owner]);
    }
  }

  IntervalTable Finish() && {
    IntervalTable table;
    for (const Interval& hull : hulls_) {
      if (hull.hi < 0) {
        table.Append({});
      } else {
        table.Append({hull});
      }
    }
    return table;
  }

 private:
  static void AddBoundary(const Location& location, bool accessed,
                          const Interval& whole, Interval& hull) {
    const bool constant =
        location.usage == Usage::kWeight || location.usage == Usage::kConstant;
    if (!accessed && !(constant && location.address)) return;
    if (constant || location.usage == Usage::kInput) {
      Extend({whole.lo, hull.hi}, hull);
    }
    if (constant || location.usage == Usage::kOutput) {
      Extend({hull.lo, whole.hi}, hull);
    }
  }

  const ProgramFacts& facts_;
  const SharedOwners& shared_;
  const Phases& phases_;
  std::vector<Interval> hulls_;
};

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
    const std::vector<std::vector<bool>>& accessed, std::string* fault) {
  const std::optional<Phases> phases = FindPhases(facts, fault);
  if (!phases) return std::nullopt;
  Hulls hulls(facts, shared, *phases);
  for (size_t f = 0; f < facts.functions.size(); ++f) {
    if (shared.owner_of[f].empty()) continue;
    hulls.Add(static_cast<int32_t>(f), accessed[f]);
  }
  return std::move(hulls).Finish();
}

}  // namespace berth::validation
