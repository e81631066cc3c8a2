#include "allocator/validate/placed_set.h"

#include <string>

#include "absl/strings/str_cat.h"

namespace berth::validation {

std::string PlacedSet::Label(int32_t node) const {
  const Node& n = nodes[node];
  return absl::StrCat("'", n.name, "'", n.home < 0 ? "" : homes[n.home]);
}

std::string PlacedSet::Bytes(int32_t node) const {
  return absl::StrCat(nodes[node].address, "..", nodes[node].end());
}

std::string PlacedSet::RangeBytes(int32_t range) const {
  return absl::StrCat(RangeBegin(range), "..", RangeEnd(range));
}

std::string PlacedSet::Times(const LiveRange& range) const {
  // hi + 1 may be 2^63, which unsigned addition still holds.
  return half_open_times && range.hi < INT64_MAX
             ? absl::StrCat("[", range.lo, ", ", range.hi + 1, ")")
             : absl::StrCat("[", range.lo, "..", range.hi, "]");
}

}  // namespace berth::validation
