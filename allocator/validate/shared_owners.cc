#include "allocator/validate/shared_owners.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "allocator/base/int_math.h"
#include "allocator/model/program.h"
#include "allocator/validate/findings.h"
#include "allocator/validate/program_facts.h"
#include "allocator/validate/validate.h"

namespace berth::validation {
namespace {

bool IsShared(const Location& location) {
  return location.type == MemoryType::kDram && location.space == Space::kShared;
}

// Finds what a remote target names: the location of that name in the function
// of the same name on that core.
class TargetLookup {
 public:
  explicit TargetLookup(const ProgramFacts& facts) : facts_(facts) {
    for (size_t f = 0; f < facts.functions.size(); ++f) {
      const Where& where = facts.functions[f].where;
      functions_.emplace(std::make_pair(where.core, where.function),
                         static_cast<int32_t>(f));
    }
  }

  std::optional<LocationRef> Find(LocationRef from) {
    const FunctionFacts& facts = facts_.functions[from.function];
    const RemoteTarget& target =
        *facts.function->locations[from.location].remote_target;
    const auto function =
        functions_.find(std::make_pair(target.core, facts.where.function));
    if (function == functions_.end()) return std::nullopt;
    const LocationIndex& names = NamesOf(function->second);
    const auto location = names.find(target.name);
    if (location == names.end()) return std::nullopt;
    return LocationRef{function->second, location->second};
  }

 private:
  using LocationIndex = absl::flat_hash_map<absl::string_view, int32_t>;

  // Built for a function when first asked.
  const LocationIndex& NamesOf(int32_t function) {
    const auto [it, added] = names_.try_emplace(function);
    if (added) {
      const auto& locations = facts_.functions[function].function->locations;
      for (size_t l = 0; l < locations.size(); ++l) {
        if (!IsShared(locations[l])) continue;
        it->second.try_emplace(locations[l].name, static_cast<int32_t>(l));
      }
    }
    return it->second;
  }

  const ProgramFacts& facts_;
  absl::flat_hash_map<std::pair<int32_t, absl::string_view>, int32_t>
      functions_;
  absl::flat_hash_map<int32_t, LocationIndex> names_;
};

const Location& At(const ProgramFacts& facts, LocationRef ref) {
  return facts.functions[ref.function].function->locations[ref.location];
}

// The end of the chain that starts at `ref`, if it has one. A chain meets each
// core at most once, so a longer one is a circle.
std::optional<LocationRef> FollowTargets(const ProgramFacts& facts,
                                         LocationRef ref,
                                         TargetLookup* lookup) {
  for (size_t step = 0; step <= facts.modules.size(); ++step) {
    if (!At(facts, ref).remote_target) return ref;
    const auto next = lookup->Find(ref);
    if (!next) return std::nullopt;
    ref = *next;
  }
  return std::nullopt;
}

std::string Number(const std::optional<uint64_t>& address) {
  return address ? absl::StrCat(*address) : "no address";
}

// In what `copy` differs from its owner; empty if in nothing.
std::string Disagreement(const Location& copy, const Location& owner) {
  if (copy.address != owner.address) {
    return absl::StrCat("has ", Number(copy.address), ", its owner ",
                        Number(owner.address));
  }
  // Where nothing is placed, partition and bank say nothing yet: they are the
  // owner's to give.
  const bool placed = owner.address.has_value();
  if (placed && copy.partition.value_or(0) != owner.partition.value_or(0)) {
    return absl::StrCat("is in partition ", copy.partition.value_or(0),
                        ", its owner in ", owner.partition.value_or(0));
  }
  if (placed && copy.bank.value_or(0) != owner.bank.value_or(0)) {
    return absl::StrCat("is in bank ", copy.bank.value_or(0), ", its owner in ",
                        owner.bank.value_or(0));
  }
  const uint128 bytes = uint128{copy.elem_count} * copy.elem_size;
  const uint128 owner_bytes = uint128{owner.elem_count} * owner.elem_size;
  if (bytes == owner_bytes) return "";
  return absl::StrCat("has ", ToString(bytes), " bytes, its owner ",
                      ToString(owner_bytes));
}

}  // namespace

SharedOwners FindSharedOwners(const ProgramFacts& facts, Findings* findings) {
  SharedOwners shared;
  shared.owner_of.resize(facts.functions.size());
  std::vector<LocationRef> copies;
  for (size_t f = 0; f < facts.functions.size(); ++f) {
    const auto& locations = facts.functions[f].function->locations;
    std::vector<int32_t>& row = shared.owner_of[f];
    for (size_t l = 0; l < locations.size(); ++l) {
      if (!IsShared(locations[l])) continue;
      row.resize(locations.size(), -1);
      const LocationRef ref = {static_cast<int32_t>(f),
                               static_cast<int32_t>(l)};
      if (locations[l].remote_target) {
        copies.push_back(ref);
      } else {
        row[l] = static_cast<int32_t>(shared.owners.size());
        shared.owners.push_back(ref);
      }
    }
  }
  TargetLookup lookup(facts);
  for (const LocationRef copy : copies) {
    const auto owner = FollowTargets(facts, copy, &lookup);
    if (owner) {
      shared.owner_of[copy.function][copy.location] =
          shared.OwnerOf(owner->function, owner->location);
      continue;
    }
    const absl::string_view name = At(facts, copy).name;
    findings->Add(facts.functions[copy.function].where, Invariant::kI4,
                  absl::StrCat("the remote targets of '", name,
                               "' lead to no shared location"),
                  name);
  }
  return shared;
}

void CheckCopies(const ProgramFacts& facts, const SharedOwners& shared,
                 Findings* findings) {
  for (size_t f = 0; f < facts.functions.size(); ++f) {
    const auto function = static_cast<int32_t>(f);
    const auto count = static_cast<int32_t>(shared.owner_of[f].size());
    std::string message;
    absl::string_view first, second;
    int64_t offenders = 0;
    for (int32_t l = 0; l < count; ++l) {
      const int32_t owner = shared.OwnerOf(function, l);
      if (owner < 0) continue;
      const Location& copy = At(facts, {function, l});
      const LocationRef owner_ref = shared.owners[owner];
      const Location& owned = At(facts, owner_ref);
      std::string difference = Disagreement(copy, owned);
      if (difference.empty() && facts.shared_planned && copy.address &&
          !copy.shared_post_dram_alloc) {
        difference = "is not marked shared_post_dram_alloc";
      }
      if (difference.empty() || offenders++ > 0) continue;
      first = copy.name;
      second = owned.name;
      message = absl::StrCat(
          "copy '", first, "' ", difference, " ('", second, "' of core ",
          facts.functions[owner_ref.function].where.core, ")");
    }
    if (offenders == 0) continue;
    findings->Add(facts.functions[f].where, Invariant::kI4, std::move(message),
                  first, second, offenders);
  }
}

}  // namespace berth::validation
