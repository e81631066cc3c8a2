// CSV problems (spec §14): one run, start 0, own pins avoided by liveness.
#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "allocator/base/int_math.h"
#include "allocator/model/instance.h"
#include "allocator/model/options.h"
#include "allocator/validate/findings.h"
#include "allocator/validate/placed_set.h"
#include "allocator/validate/run_check.h"
#include "allocator/validate/validate.h"

namespace berth {
namespace validation {
namespace {

// What placement must not touch.
bool SameBuffer(const Buffer& a, const Buffer& b) {
  return a.lower == b.lower && a.upper == b.upper && a.size == b.size &&
         a.alignment == b.alignment && a.gaps == b.gaps;
}

std::string OffsetText(const Buffer& buffer) {
  return buffer.offset ? absl::StrCat("at ", *buffer.offset) : "unplaced";
}

// I5. Returns, by placed buffer, its input or null.
std::vector<const Buffer*> MatchInput(const Instance& placed,
                                      const Instance& input,
                                      Findings* findings) {
  absl::flat_hash_map<absl::string_view, const Buffer*> by_id;
  for (const Buffer& buffer : input.buffers) by_id.emplace(buffer.id, &buffer);
  std::vector<const Buffer*> inputs;
  absl::string_view first;
  std::string message;
  int64_t count = 0;
  const auto report = [&](const Buffer& buffer, absl::string_view what) {
    if (count++ > 0) return;
    first = buffer.id;
    message = absl::StrCat("'", first, "' ", what);
  };
  for (const Buffer& buffer : placed.buffers) {
    const auto it = by_id.find(buffer.id);
    inputs.push_back(it == by_id.end() ? nullptr : it->second);
    if (it == by_id.end()) {
      report(buffer, "is not in the input, or is there twice");
      continue;
    }
    const Buffer& before = *it->second;
    by_id.erase(it);
    if (!SameBuffer(buffer, before)) {
      report(buffer, "has another lifetime, size or alignment than its input");
    } else if (before.offset && buffer.offset != before.offset) {
      report(buffer, absl::StrCat("is pinned ", OffsetText(before),
                                  " and is now ", OffsetText(buffer)));
    }
  }
  for (const Buffer& buffer : input.buffers) {
    if (by_id.contains(buffer.id)) report(buffer, "of the input is missing");
  }
  if (count > 0) {
    findings->Add({}, Invariant::kI5, std::move(message), first, "", count);
  }
  return inputs;
}

// Closed ranges of [lower, upper) less its gaps; gaps that keep a window are
// ranges of that window. `windows`: whether some buffer has one.
void AddRanges(const Buffer& buffer, bool windows, PlacedSet* set) {
  const auto node = static_cast<int32_t>(set->nodes.size()) - 1;
  const auto add = [&](int64_t lower, int64_t upper, ByteWindow window) {
    if (lower >= upper) return;
    set->ranges.push_back({.lo = lower, .hi = upper - 1, .node = node});
    if (windows) set->windows.push_back(window);
  };
  const ByteWindow whole = {0, set->nodes.back().size_bytes};
  int64_t from = buffer.lower;
  for (const Gap& gap : buffer.gaps) {
    add(from, std::min(gap.lower, buffer.upper), whole);
    if (gap.window.has_value()) {
      const uint64_t end = std::min(gap.window->upper, whole.upper);
      add(std::max(from, gap.lower), std::min(gap.upper, buffer.upper),
          {std::min(gap.window->lower, end), end});
    }
    from = std::max(from, gap.upper);
  }
  add(from, buffer.upper, whole);
  set->EndNode();
}

bool HasWindows(const Instance& instance) {
  for (const Buffer& buffer : instance.buffers) {
    for (const Gap& gap : buffer.gaps) {
      if (gap.window.has_value()) return true;
    }
  }
  return false;
}

Node MakeNode(const Buffer& buffer, bool pinned, uint64_t page_bytes,
              SizeRounding rounding) {
  Node node;
  node.name = buffer.id;
  node.pinned = pinned;
  node.placed = buffer.offset.has_value();
  node.address = buffer.offset.value_or(0);
  node.alignment = buffer.alignment;
  const auto size = pinned || rounding == SizeRounding::kNone
                        ? std::optional<uint64_t>(buffer.size)
                        : CheckedRoundUp(buffer.size, page_bytes);
  node.size_bytes = size.value_or(0);
  node.absurd = !size || !CheckedAdd(node.address, node.size_bytes);
  return node;
}

}  // namespace
}  // namespace validation

Report ValidateInstance(const Instance& placed, const Instance* input,
                        const ValidateOptions& options) {
  using namespace validation;  // NOLINT: the rooms of this one room
  Findings findings;
  std::vector<const Buffer*> inputs(placed.buffers.size(), nullptr);
  if (input != nullptr) inputs = MatchInput(placed, *input, &findings);
  RunRules rules;
  rules.page_bytes =
      options.plan.csv_memory == CsvMemory::kDram ? kDramPageBytes : 1;
  rules.regions.ceiling = options.plan.capacity_bytes;
  rules.full = options.full;
  PlacedSet set;
  set.half_open_times = true;
  const bool windows = HasWindows(placed);
  for (size_t i = 0; i < placed.buffers.size(); ++i) {
    const Buffer& buffer = placed.buffers[i];
    // A pin that lost its offset is I5's affair alone.
    const bool pinned = inputs[i] != nullptr && inputs[i]->offset;
    set.nodes.push_back(validation::MakeNode(buffer, pinned, rules.page_bytes,
                                             options.plan.size_rounding));
    AddRanges(buffer, windows, &set);
  }
  CheckRun(set, rules, {}, &findings);
  return std::move(findings).Finish();
}

}  // namespace berth
