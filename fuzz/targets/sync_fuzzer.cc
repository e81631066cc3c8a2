// Shared tensors over several cores (spec §10): remote targets that do not hold
// together are refused, whatever is wrong with them; those that do end with one
// address, partition and bank on every copy (I4), in the slab of the owner.
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "allocator/base/rng.h"
#include "allocator/model/options.h"
#include "allocator/model/program.h"
#include "allocator/pipeline/plan_program.h"
#include "allocator/pipeline/state.h"
#include "allocator/validate/validate.h"
#include "fuzz/engine/oracle.h"
#include "fuzz/engine/target.h"
#include "fuzz/inputs/byte_reader.h"
#include "fuzz/inputs/program_input.h"
#include "fuzz/inputs/program_mutator.h"

namespace berth::fuzz {
namespace {

constexpr uint64_t kMiB = uint64_t{1} << 20;

// A location by core, function and name.
using Key = std::tuple<int32_t, std::string, std::string>;
using Table = std::map<Key, const Location*>;

bool SharedDram(const Location& location) {
  return location.type == MemoryType::kDram && location.space == Space::kShared;
}

Table TableOf(const Program& program) {
  Table table;
  for (const Module& module : program.modules) {
    for (const Function& function : module.functions) {
      for (const Location& location : function.locations) {
        table[{module.core, function.name, location.name}] = &location;
      }
    }
  }
  return table;
}

// The owner at the end of the chain; nullopt if the chain leads nowhere.
std::optional<Key> OwnerOf(const Table& table, Key key) {
  std::set<Key> passed;
  for (;;) {
    const auto found = table.find(key);
    if (found == table.end() || !SharedDram(*found->second)) {
      return std::nullopt;
    }
    const Location& location = *found->second;
    if (!location.remote_target.has_value()) return key;
    if (!passed.insert(key).second) return std::nullopt;
    key = {location.remote_target->core, std::get<1>(key),
           location.remote_target->name};
  }
}

using Group = std::vector<std::pair<Key, const Location*>>;

// What spec §10 asks of one tensor, copy by copy, beside its owner.
bool CopiesAgree(const Group& group, const Location& owner) {
  std::set<int32_t> cores;
  for (const auto& [key, copy] : group) {
    if (!cores.insert(std::get<0>(key)).second) return false;
    if (copy->byte_size() != owner.byte_size()) return false;
    if (copy->placeable() != owner.placeable()) return false;
    if (copy->address != owner.address) return false;
    // Without an address they are the owner's to say.
    if (!owner.address.has_value()) continue;
    if (copy->partition.value_or(0) != owner.partition.value_or(0)) {
      return false;
    }
    if (copy->bank.value_or(0) != owner.bank.value_or(0)) return false;
  }
  return true;
}

// Tensors by owner; nullopt if something is wrong with the links.
std::optional<std::map<Key, Group>> GroupsOf(const Table& table) {
  std::map<Key, Group> groups;
  for (const auto& [key, location] : table) {
    if (!SharedDram(*location)) {
      if (location->remote_target.has_value()) return std::nullopt;
      continue;
    }
    const std::optional<Key> owner = OwnerOf(table, key);
    if (!owner.has_value()) return std::nullopt;
    groups[*owner].push_back({key, location});
  }
  return groups;
}

bool LinksHold(const std::optional<std::map<Key, Group>>& groups,
               const Table& table) {
  if (!groups.has_value()) return false;
  for (const auto& [owner, group] : *groups) {
    if (!CopiesAgree(group, *table.at(owner))) return false;
  }
  return true;
}

void CheckPlaced(const Program& placed, const PlanOptions& options) {
  const Table table = TableOf(placed);
  const auto groups = GroupsOf(table);
  ORACLE(groups.has_value(), "planning broke a remote target");
  for (const auto& [owner_key, group] : *groups) {
    const Location& owner = *table.at(owner_key);
    for (const auto& [key, copy] : group) {
      ORACLE(copy->address == owner.address, "addresses of '", copy->name,
             "' differ");
      if (owner.address.has_value()) {
        ORACLE(copy->partition.value_or(0) == owner.partition.value_or(0), "'",
               copy->name, "'");
        ORACLE(copy->bank.value_or(0) == owner.bank.value_or(0), "'",
               copy->name, "'");
      }
      ORACLE(copy->shared_post_dram_alloc == owner.shared_post_dram_alloc,
             "shared_post_dram_alloc of '", copy->name, "'");
      if (placed.modules.size() > 1 && owner.placeable() &&
          owner.placed_by == PlacedBy::kBerth && copy != &owner) {
        ORACLE(copy->placed_by == PlacedBy::kSync, "'", copy->name, "'");
      }
    }
  }
  if (options.shared_mb_per_core == 0) return;
  for (const Module& module : placed.modules) {
    for (const Function& function : module.functions) {
      for (const RunRecord& run : function.runs) {
        if (run.space != Space::kShared) continue;
        ORACLE(run.slab == module.core, "slab ", run.slab, " on core ",
               module.core);
        // Less where the window ends before the slab does.
        ORACLE(run.ceiling <= run.floor ||
                   run.ceiling - run.floor <= options.shared_mb_per_core * kMiB,
               "a slab of ", run.ceiling - run.floor, " bytes");
      }
    }
  }
}

// A copy that no longer agrees with its owner, or a private location on shared
// bytes: the validator says so.
void CheckTampered(Rng& rng, const Program& placed, const Program& handed_out,
                   const PlanOptions& options) {
  std::vector<std::pair<size_t, size_t>> copies;  // module, location; main only
  for (size_t m = 0; m < placed.modules.size(); ++m) {
    if (placed.modules[m].functions.empty()) continue;
    const auto& locations = placed.modules[m].functions[0].locations;
    for (size_t l = 0; l < locations.size(); ++l) {
      if (SharedDram(locations[l]) && locations[l].remote_target.has_value() &&
          locations[l].address.has_value() && locations[l].byte_size() > 0) {
        copies.push_back({m, l});
      }
    }
  }
  if (copies.empty()) return;
  const auto [m, l] = copies[rng.Below(copies.size())];
  Program wrong = placed;
  Function& function = wrong.modules[m].functions[0];
  Location& copy = function.locations[l];
  const uint64_t choice = rng.Below(6);
  switch (choice) {
    case 0:
      copy.address = *copy.address ^ 4096;
      break;
    case 1:
      copy.partition = copy.partition.value_or(0) + 1;
      break;
    case 2:
      copy.bank = copy.bank.value_or(0) + 1;
      break;
    case 3:
      copy.shared_post_dram_alloc = !copy.shared_post_dram_alloc;
      break;
    case 4:
      copy.address.reset();
      break;
    default: {
      // A private one that is live all the time, on the shared bytes.
      Location intruder;
      intruder.name = "intruder";
      intruder.usage = Usage::kWeight;
      intruder.elem_count = 1;
      intruder.address = copy.address;
      intruder.placed_by = PlacedBy::kInput;
      function.locations.push_back(intruder);
    }
  }
  ValidateOptions validate;
  validate.plan = options;
  const Report found =
      ValidateProgram(wrong, choice == 5 ? nullptr : &handed_out, validate);
  ORACLE(!found.ok(), "a copy is changed, and nobody says so: ", choice);
  ORACLE(!found.ToString().empty());
}

void Run(absl::string_view bytes) {
  const std::optional<ProgramInput> input = DecodeProgramInput(bytes);
  if (!input.has_value()) return;
  Program handed_out = input->program;
  ClearOrPin(false, handed_out);
  const Table table = TableOf(handed_out);
  const bool hold = LinksHold(GroupsOf(table), table);
  Program placed = input->program;
  PlanReport report;
  const absl::Status status =
      PlanProgram(input->options, nullptr, nullptr, placed, report);
  if (!hold) {
    ORACLE(absl::IsInvalidArgument(status),
           "links that do not hold: ", status.ToString());
    return;
  }
  if (!status.ok()) {
    ORACLE(absl::IsInvalidArgument(status) || absl::IsResourceExhausted(status),
           status.ToString());
    return;
  }
  CheckPlaced(placed, input->options);
  ValidateOptions validate;
  validate.plan = input->options;
  const Report found = ValidateProgram(placed, &handed_out, validate);
  ORACLE(found.ok(), found.ToString());
  Rng rng(SeedOf(bytes));
  CheckTampered(rng, placed, handed_out, input->options);
}

// --- malformed and well-formed links ---

Location* SomeShared(Rng& rng, Program& program) {
  std::vector<Location*> shared;
  for (Module& module : program.modules) {
    for (Function& function : module.functions) {
      for (Location& location : function.locations) {
        if (SharedDram(location)) shared.push_back(&location);
      }
    }
  }
  return shared.empty() ? nullptr : shared[rng.Below(shared.size())];
}

void ChangeLink(Rng& rng, Program& program) {
  Location* location = SomeShared(rng, program);
  const Location* other = SomeShared(rng, program);
  if (location == nullptr) return;
  switch (rng.Below(8)) {
    case 0:
      location->remote_target.reset();
      break;
    case 1:
      location->remote_target =
          RemoteTarget{static_cast<int32_t>(rng.Between(-1, kMaxProgramCores)),
                       location->name};
      break;
    case 2:
      location->remote_target =
          RemoteTarget{static_cast<int32_t>(rng.Below(program.modules.size())),
                       rng.OneIn(8) ? "nobody" : other->name};
      break;
    case 3:
      location->elem_count += rng.Below(2);
      break;
    case 4:
      location->address = 4096 * rng.Below(4);
      location->placed_by = PlacedBy::kInput;
      break;
    case 5:
      location->partition = static_cast<uint32_t>(rng.Below(2));
      break;
    case 6:
      location->bank = static_cast<uint32_t>(rng.Below(2));
      break;
    default:
      location->usage = rng.OneIn(2) ? Usage::kIntermediate : Usage::kInput;
  }
}

std::string Fresh(Rng& rng) {
  Program program = SharedProgram(rng);
  PlanOptions options;
  options.shared_mb_per_core = rng.Below(3);
  for (uint64_t n = rng.Below(3); n > 0; --n) ChangeLink(rng, program);
  return EncodeProgramInput(program, options);
}

std::string Mutate(absl::string_view bytes, Rng& rng) {
  if (rng.OneIn(2)) return MutateProgramInput(bytes, rng);
  std::optional<ProgramInput> input = DecodeProgramInput(bytes);
  if (!input.has_value()) return Fresh(rng);
  ChangeLink(rng, input->program);
  return EncodeProgramInput(input->program, input->options);
}

const bool kRegistered = RegisterTarget({
    .name = "sync_fuzzer",
    .summary = "shared tensors: one address on every core, bad links refused",
    .max_bytes = 8192,
    .run = Run,
    .fresh = Fresh,
    .mutate = Mutate,
    .cross = CrossProgramInputs,
});

}  // namespace
}  // namespace berth::fuzz
