// I11: shared and private bytes are disjoint on every core.
#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "allocator/model/options.h"
#include "allocator/model/program.h"
#include "allocator/validate/findings.h"
#include "allocator/validate/placed_set.h"
#include "allocator/validate/program_facts.h"
#include "allocator/validate/shared_runs.h"
#include "allocator/validate/validate.h"

namespace berth::validation {
namespace {

struct SharedBytes {
  uint64_t begin = 0;
  uint64_t end = 0;
  const Location* location = nullptr;
  int32_t core = 0;
};

// Sorted by begin; each range that ends no later than an earlier one is left
// out, so that ends ascend too.
std::vector<SharedBytes> CollectShared(const ProgramFacts& facts) {
  std::vector<SharedBytes> all;
  for (const FunctionFacts& function : facts.functions) {
    for (size_t l = 0; l < function.roles.size(); ++l) {
      const Location& location = function.function->locations[l];
      if (location.space != Space::kShared) continue;
      const Node node = MakeNode(location, function.roles[l],
                                 facts.SharedRounding(function.where.core));
      if (function.roles[l] == Role::kNone || !node.holds_bytes()) continue;
      all.push_back({.begin = node.address,
                     .end = node.end(),
                     .location = &location,
                     .core = function.where.core});
    }
  }
  std::stable_sort(all.begin(), all.end(),
                   [](const SharedBytes& a, const SharedBytes& b) {
                     return a.begin < b.begin;
                   });
  std::vector<SharedBytes> outer;
  for (const SharedBytes& bytes : all) {
    if (outer.empty() || bytes.end > outer.back().end) outer.push_back(bytes);
  }
  return outer;
}

}  // namespace

void CheckSharedAgainstPrivate(const ProgramFacts& facts, Findings* findings) {
  const std::vector<SharedBytes> shared = CollectShared(facts);
  if (shared.empty()) return;
  for (size_t f = 0; f < facts.functions.size(); ++f) {
    const FunctionFacts& function = facts.functions[f];
    const SizeRounding rounding = facts.LocalRounding(static_cast<int32_t>(f));
    std::string message;
    absl::string_view first, second;
    int64_t count = 0;
    for (size_t l = 0; l < function.roles.size(); ++l) {
      const Location& location = function.function->locations[l];
      if (location.space != Space::kLocal) continue;
      if (function.roles[l] == Role::kNone) continue;
      const Node node = MakeNode(location, function.roles[l], rounding);
      if (!node.holds_bytes()) continue;
      // The first that ends past the node's begin is the only one to ask.
      const auto it = std::upper_bound(
          shared.begin(), shared.end(), node.address,
          [](uint64_t at, const SharedBytes& s) { return at < s.end; });
      if (it == shared.end() || it->begin >= node.end()) continue;
      if (count++ > 0) continue;
      first = location.name;
      second = it->location->name;
      message = absl::StrCat("private '", first, "' at ", node.address, "..",
                             node.end(), " meets shared '", second, "' at ",
                             it->begin, "..", it->end, " of core ", it->core);
    }
    if (count == 0) continue;
    findings->Add(function.where, Invariant::kI11, std::move(message), first,
                  second, count);
  }
}

}  // namespace berth::validation
