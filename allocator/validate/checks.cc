#include "allocator/validate/checks.h"

#include <algorithm>
#include <cstdint>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "allocator/base/int_math.h"
#include "allocator/validate/placed_set.h"

namespace berth::validation {
namespace {

// Counts `node`; true if it is the first and wants its message.
bool Count(int32_t node, Offence* offence) {
  if (offence->count++ > 0) return false;
  offence->first = node;
  return true;
}

// Movable and with bytes to look at.
bool Placed(const Node& node) { return !node.pinned && node.holds_bytes(); }

bool Straddles(const Node& node, uint64_t page_bytes) {
  return node.size_bytes <= page_bytes &&
         node.address / page_bytes != (node.end() - 1) / page_bytes;
}

bool Misaligned(const Node& node) {
  return node.alignment > 1 && node.address % node.alignment != 0;
}

}  // namespace

Offence FindUnplaced(const PlacedSet& set) {
  Offence offence;
  for (size_t i = 0; i < set.nodes.size(); ++i) {
    if (set.nodes[i].placed || set.nodes[i].pinned) continue;
    if (Count(static_cast<int32_t>(i), &offence)) {
      offence.message = absl::StrCat(set.Label(offence.first),
                                     " is accessed but has no address");
    }
  }
  return offence;
}

Offence FindAbsurd(const PlacedSet& set) {
  Offence offence;
  for (size_t i = 0; i < set.nodes.size(); ++i) {
    const Node& node = set.nodes[i];
    if (!node.absurd || !Count(static_cast<int32_t>(i), &offence)) continue;
    offence.message =
        absl::StrCat(set.Label(offence.first),
                     node.placed ? absl::StrCat(" at ", node.address) : "",
                     " has an end that passes 2^64 - 1");
  }
  return offence;
}

Offence FindMisplaced(const PlacedSet& set, uint64_t page_bytes) {
  Offence offence;
  for (size_t i = 0; i < set.nodes.size(); ++i) {
    const Node& node = set.nodes[i];
    if (!Placed(node)) continue;
    const bool straddles = Straddles(node, page_bytes);
    if (!straddles && !Misaligned(node)) continue;
    if (!Count(static_cast<int32_t>(i), &offence)) continue;
    offence.message = absl::StrCat(
        set.Label(offence.first), " at ", set.Bytes(offence.first),
        straddles
            ? absl::StrCat(" crosses a boundary of ", page_bytes, "-byte pages")
            : absl::StrCat(" is not at a multiple of its alignment ",
                           node.alignment));
  }
  return offence;
}

Offence FindOutside(const PlacedSet& set, const Regions& regions,
                    absl::string_view floor_reason) {
  Offence offence;
  for (size_t i = 0; i < set.nodes.size(); ++i) {
    const Node& node = set.nodes[i];
    if (!Placed(node)) continue;
    const bool low = node.address < regions.floor;
    if (!low && node.end() <= regions.ceiling) continue;
    if (!Count(static_cast<int32_t>(i), &offence)) continue;
    offence.message = absl::StrCat(
        set.Label(offence.first), " at ", set.Bytes(offence.first),
        low ? absl::StrCat(" lies below the floor ", regions.floor,
                           floor_reason)
            : absl::StrCat(" ends past the ceiling ", regions.ceiling));
  }
  return offence;
}

Extent MeasureExtent(const PlacedSet& set, const Regions& regions) {
  Extent extent;
  extent.peak = extent.cc_high = regions.floor;
  for (size_t i = 0; i < set.nodes.size(); ++i) {
    const Node& node = set.nodes[i];
    if (!Placed(node)) continue;
    extent.peak = std::max(extent.peak, node.end());
    const bool inside =
        node.address >= regions.floor && node.end() <= regions.cc_end;
    if (!node.cc) {
      const bool touches = regions.floor < regions.cc_end &&
                           node.address < regions.cc_end &&
                           node.end() > regions.floor;
      if (touches) extent.cc_intruder_bytes += node.size_bytes;
    } else if (inside) {
      extent.cc_high = std::max(extent.cc_high, node.end());
    } else {
      extent.cc_overflow_bytes += node.size_bytes;
      Offence& outside = extent.cc_outside;
      if (!Count(static_cast<int32_t>(i), &outside)) continue;
      outside.message = absl::StrCat(
          set.Label(outside.first), " at ", set.Bytes(outside.first),
          " is not in the CC region ", regions.floor, "..", regions.cc_end);
    }
  }
  return extent;
}

}  // namespace berth::validation
