// I9: would first fit, with all others fixed, have gone lower? (spec §7, §9)
#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "allocator/base/int_math.h"
#include "allocator/validate/checks.h"
#include "allocator/validate/placed_set.h"

namespace berth::validation {
namespace {

// Ranges by lo, under a binary tree of the greatest hi: which ranges meet
// [lo, hi]? Cost of a visit: O((1 + hits) log r).
class RangeIndex {
 public:
  RangeIndex(const PlacedSet& set, const Timeline& timeline) {
    for (const int32_t position : timeline.by_lo) {
      const LiveRange& range = set.ranges[position];
      if (set.nodes[range.node].holds_bytes()) sorted_.push_back(range);
    }
    while (leaves_ < sorted_.size()) leaves_ *= 2;
    max_hi_.assign(2 * leaves_, std::numeric_limits<int64_t>::min());
    for (size_t i = 0; i < sorted_.size(); ++i) {
      max_hi_[leaves_ + i] = sorted_[i].hi;
    }
    for (size_t i = leaves_ - 1; i > 0; --i) {
      max_hi_[i] = std::max(max_hi_[2 * i], max_hi_[2 * i + 1]);
    }
  }

  template <typename Visitor>
  void Visit(const LiveRange& query, const Visitor& visitor) const {
    const auto end = std::upper_bound(
        sorted_.begin(), sorted_.end(), query.hi,
        [](int64_t hi, const LiveRange& range) { return hi < range.lo; });
    Descend(1, 0, leaves_, end - sorted_.begin(), query.lo, visitor);
  }

 private:
  // Tree node `at` covers the positions [first, first + width).
  template <typename Visitor>
  void Descend(size_t at, size_t first, size_t width, size_t end, int64_t lo,
               const Visitor& visitor) const {
    if (first >= end || max_hi_[at] < lo) return;
    if (width == 1) return visitor(sorted_[first].node);
    Descend(2 * at, first, width / 2, end, lo, visitor);
    Descend(2 * at + 1, first + width / 2, width / 2, end, lo, visitor);
  }

  std::vector<LiveRange> sorted_;
  size_t leaves_ = 1;
  std::vector<int64_t> max_hi_;
};

struct Bytes {
  uint64_t begin = 0;
  uint64_t end = 0;
};

// Spec §7 step 2: the lowest fit of `node` in the gap, if any.
std::optional<uint64_t> FitInGap(Bytes gap, const Node& node, uint64_t page) {
  uint64_t x = gap.begin;
  while (true) {
    const auto aligned =
        CheckedRoundUp(x, std::max<uint64_t>(node.alignment, 1));
    if (!aligned || *aligned > gap.end ||
        gap.end - *aligned < node.size_bytes) {
      return std::nullopt;
    }
    x = *aligned;
    const uint64_t room_in_page = page - x % page;
    if (node.size_bytes > page || node.size_bytes <= room_in_page) return x;
    x += room_in_page;  // below gap.end: the object reaches past it
  }
}

// Spec §7: the lowest fit in `region` beside `taken`, which is sorted by begin.
std::optional<uint64_t> FirstFit(absl::Span<const Bytes> taken, Bytes region,
                                 const Node& node, uint64_t page) {
  uint64_t free_from = region.begin;
  for (const Bytes& bytes : taken) {
    if (bytes.end <= free_from) continue;
    if (bytes.begin >= region.end) break;
    if (bytes.begin > free_from) {
      const auto x = FitInGap({free_from, bytes.begin}, node, page);
      if (x) return x;
    }
    free_from = bytes.end;
  }
  if (free_from >= region.end) return std::nullopt;
  return FitInGap({free_from, region.end}, node, page);
}

// A fit that first fit would have preferred to where `node` is.
std::optional<uint64_t> PreferredFit(absl::Span<const Bytes> taken,
                                     const Regions& regions, const Node& node,
                                     uint64_t page) {
  Bytes tried[3] = {{regions.cc_end, regions.ceiling},
                    {regions.floor, regions.cc_end},
                    {regions.floor, regions.ceiling}};
  if (node.cc) std::swap(tried[0], tried[1]);
  const auto holds = [&](const Bytes& region) {
    return node.address >= region.begin && node.end() <= region.end;
  };
  if (!holds(tried[2])) return std::nullopt;  // I3's affair
  for (const Bytes& region : tried) {
    const auto x = FirstFit(taken, region, node, page);
    if (holds(region)) {
      return x && *x < node.address ? x : std::nullopt;
    }
    if (x) return x;
  }
  return std::nullopt;
}

}  // namespace

Offence FindLowerFit(const PlacedSet& set, const Timeline& timeline,
                     const Regions& regions, uint64_t page_bytes) {
  Offence offence;
  const RangeIndex index(set, timeline);
  std::vector<int32_t> seen_by(set.nodes.size(), -1);
  std::vector<Bytes> taken;
  for (size_t i = 0; i < set.nodes.size(); ++i) {
    const auto id = static_cast<int32_t>(i);
    const Node& node = set.nodes[i];
    if (node.pinned || !node.holds_bytes() || set.HasWindow(id)) continue;
    taken.clear();
    seen_by[id] = id;  // not its own neighbour
    for (const LiveRange& range : set.ranges_of(id)) {
      index.Visit(range, [&](int32_t other) {
        if (seen_by[other] == id) return;
        seen_by[other] = id;
        taken.push_back({set.nodes[other].address, set.nodes[other].end()});
      });
    }
    std::sort(taken.begin(), taken.end(),
              [](const Bytes& a, const Bytes& b) { return a.begin < b.begin; });
    const auto x = PreferredFit(taken, regions, node, page_bytes);
    if (!x || offence.count++ > 0) continue;
    offence.first = id;
    offence.message = absl::StrCat(set.Label(id), " at ", set.Bytes(id),
                                   " would also fit at ", *x);
  }
  return offence;
}

}  // namespace berth::validation
