#include "allocator/validate/findings.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <tuple>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "allocator/base/int_math.h"
#include "allocator/validate/placed_set.h"
#include "allocator/validate/validate.h"

namespace berth {

std::string Name(Invariant invariant) {
  return invariant == Invariant::kUnplaced
             ? "unplaced"
             : absl::StrCat("I", static_cast<int>(invariant));
}

std::string Report::ToString() const {
  std::string text;
  for (const Violation& violation : violations) {
    absl::StrAppend(&text, Name(violation.invariant));
    if (violation.core >= 0) absl::StrAppend(&text, " core ", violation.core);
    if (!violation.function.empty()) {
      absl::StrAppend(&text, " ", violation.function);
    }
    absl::StrAppend(&text, ": ", violation.message);
    if (violation.count > 1) {
      absl::StrAppend(&text, " (and ", violation.count - 1, " more)");
    }
    text += '\n';
  }
  return text;
}

namespace validation {

void Findings::Add(const Where& where, Invariant invariant, std::string message,
                   absl::string_view first, absl::string_view second,
                   int64_t count) {
  entries_.push_back({.function_index = where.function_index,
                      .violation = {.invariant = invariant,
                                    .core = where.core,
                                    .function = std::string(where.function),
                                    .first = std::string(first),
                                    .second = std::string(second),
                                    .message = std::move(message),
                                    .count = count}});
}

void Findings::Add(const Where& where, Invariant invariant,
                   const PlacedSet& set, Offence offence) {
  if (!offence) return;
  const auto name = [&set](int32_t node) {
    return node < 0 ? absl::string_view() : set.nodes[node].name;
  };
  Add(where, invariant, std::move(offence.message), name(offence.first),
      name(offence.second), offence.count);
}

void Findings::AddUnlessEqual(const Where& where, Invariant invariant,
                              absl::string_view field, uint64_t said,
                              uint128 is) {
  if (is == said) return;
  Add(where, invariant,
      absl::StrCat("the run record says ", field, " ", said, ", but it is ",
                   ToString(is)));
}

Report Findings::Finish() && {
  const auto key = [](const Entry& entry) {
    return std::make_tuple(entry.violation.core, entry.function_index,
                           entry.violation.invariant);
  };
  std::stable_sort(
      entries_.begin(), entries_.end(),
      [&](const Entry& a, const Entry& b) { return key(a) < key(b); });
  Report report;
  for (Entry& entry : entries_) {
    report.violations.push_back(std::move(entry.violation));
  }
  return report;
}

}  // namespace validation
}  // namespace berth
