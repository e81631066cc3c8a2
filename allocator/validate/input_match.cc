#include "allocator/validate/input_match.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "allocator/model/program.h"
#include "allocator/validate/code_match.h"
#include "allocator/validate/findings.h"
#include "allocator/validate/validate.h"

namespace berth::validation {
namespace {

// Per item of `placed` the item of `input` of the same name, or null. Items
// that stand at the same place are compared first; most do.
template <typename Item>
std::vector<const Item*> MatchByName(const std::vector<Item>& placed,
                                     const std::vector<Item>& input) {
  std::vector<const Item*> found(placed.size(), nullptr);
  absl::flat_hash_map<absl::string_view, const Item*> by_name;
  for (size_t i = 0; i < placed.size(); ++i) {
    if (i < input.size() && input[i].name == placed[i].name) {
      found[i] = &input[i];
      continue;
    }
    if (by_name.empty()) {
      for (const Item& item : input) by_name.try_emplace(item.name, &item);
    }
    const auto it = by_name.find(placed[i].name);
    if (it != by_name.end()) found[i] = it->second;
  }
  return found;
}

// The first item of `input` that no item of `placed` matches, or null.
template <typename Item>
const Item* FirstMissing(const std::vector<const Item*>& found,
                         const std::vector<Item>& input, int64_t* count) {
  std::vector<bool> seen(input.size());
  for (const Item* item : found) {
    if (item != nullptr) seen[item - input.data()] = true;
  }
  const Item* missing = nullptr;
  for (size_t i = 0; i < input.size(); ++i) {
    if (seen[i]) continue;
    ++*count;
    if (missing == nullptr) missing = &input[i];
  }
  return missing;
}

std::string AddressText(const Location& location) {
  return location.address ? absl::StrCat("at ", *location.address)
                          : "without address";
}

// What placement must not touch.
bool SameTensor(const Location& a, const Location& b) {
  return a.type == b.type && a.space == b.space && a.usage == b.usage &&
         a.elem_count == b.elem_count && a.elem_size == b.elem_size &&
         a.alignment == b.alignment;
}

// What is wrong with `placed` as the result of `input`; empty if nothing.
std::string Difference(const Location& placed, const Location* input,
                       bool keep) {
  if (input == nullptr) return "is not in the input";
  if (!SameTensor(placed, *input)) {
    return "is another tensor than in the input (type, space, usage, size or "
           "alignment)";
  }
  if (placed.type != MemoryType::kDram) return "";
  const bool pinned = input->address && (keep || input->pinned());
  if (pinned && placed.address != input->address) {
    return absl::StrCat("is pinned ", AddressText(*input), " and is now ",
                        AddressText(placed));
  }
  if (!pinned && !placed.placeable() && placed.address) {
    return absl::StrCat("is not placeable and is now ", AddressText(placed));
  }
  return "";
}

}  // namespace

InputMatch::InputMatch(const Program& placed, const Program* input, bool keep,
                       Findings* findings)
    : keep_(keep), findings_(findings) {
  if (input == nullptr) return;
  absl::flat_hash_map<int32_t, const Module*> input_modules;
  for (const Module& module : input->modules) {
    input_modules.emplace(module.core, &module);
  }
  for (const Module& module : placed.modules) {
    const auto it = input_modules.find(module.core);
    const bool known = it != input_modules.end();
    MatchModule(module, known ? it->second : nullptr);
    if (known) input_modules.erase(it);
  }
  for (const Module& module : input->modules) {
    if (!input_modules.contains(module.core)) continue;
    findings_->Add({.core = module.core}, Invariant::kI5,
                   "the core of the input is missing");
  }
}

void InputMatch::MatchModule(const Module& placed, const Module* input) {
  std::vector<const Function*> found(placed.functions.size(), nullptr);
  if (input != nullptr) {
    found = MatchByName(placed.functions, input->functions);
    int64_t count = 0;
    const Function* missing = FirstMissing(found, input->functions, &count);
    if (missing != nullptr) {
      findings_->Add({.core = placed.core}, Invariant::kI5,
                     absl::StrCat("function '", missing->name,
                                  "' of the input is missing"),
                     "", "", count);
    }
  }
  for (size_t f = 0; f < placed.functions.size(); ++f) {
    const Function& function = placed.functions[f];
    const Where where = {.core = placed.core,
                         .function_index = static_cast<int32_t>(f),
                         .function = function.name};
    const bool same = MatchFunction(where, function, found[f]);
    if (!same || found[f] == nullptr) continue;
    const std::string difference =
        CodeDifference(placed, function, *input, *found[f]);
    if (!difference.empty()) {
      findings_->Add(where, Invariant::kI5, difference);
    }
  }
}

bool InputMatch::MatchFunction(const Where& where, const Function& placed,
                               const Function* input) {
  std::vector<const Location*> found(placed.locations.size(), nullptr);
  std::string message, first;
  int64_t count = 0;
  if (input != nullptr) found = MatchByName(placed.locations, input->locations);
  for (size_t l = 0; l < placed.locations.size(); ++l) {
    const Location& location = placed.locations[l];
    const std::string difference = Difference(location, found[l], keep_);
    if (difference.empty() || count++ > 0) continue;
    first = location.name;
    message = absl::StrCat("'", first, "' ", difference);
  }
  if (input != nullptr) {
    const bool none_yet = count == 0;
    const Location* missing = FirstMissing(found, input->locations, &count);
    if (missing != nullptr && none_yet) {
      first = missing->name;
      message = absl::StrCat("'", first, "' of the input is missing");
    }
  }
  if (count > 0) {
    findings_->Add(where, Invariant::kI5, std::move(message), first, "", count);
  }
  inputs_.emplace(&placed, std::move(found));
  return count == 0;
}

absl::Span<const Location* const> InputMatch::Of(
    const Function& function) const {
  const auto it = inputs_.find(&function);
  return it == inputs_.end() ? absl::Span<const Location* const>()
                             : absl::MakeConstSpan(it->second);
}

}  // namespace berth::validation
