// The checks that go along time: I1 and the lower bound.
#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include "absl/container/btree_map.h"
#include "absl/strings/str_cat.h"
#include "allocator/base/int_math.h"
#include "allocator/validate/checks.h"
#include "allocator/validate/placed_set.h"

namespace berth::validation {
namespace {

// Positions 0..count-1 by (key(position), position). Counts where the keys are
// dense, as flat indices are; sorts where they are not, as a CSV's times may
// be.
template <typename Key>
std::vector<int32_t> SortByTime(size_t count, const Key& key) {
  std::vector<int32_t> order(count);
  if (count == 0) return order;
  int64_t low = key(0);
  int64_t high = low;
  for (size_t i = 1; i < count; ++i) {
    low = std::min(low, key(i));
    high = std::max(high, key(i));
  }
  const uint64_t span =
      static_cast<uint64_t>(high) - static_cast<uint64_t>(low);
  if (span > 8 * count) {
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(),
                     [&](int32_t a, int32_t b) { return key(a) < key(b); });
    return order;
  }
  std::vector<int32_t> next(span + 2, 0);
  for (size_t i = 0; i < count; ++i) ++next[key(i) - low + 1];
  std::partial_sum(next.begin(), next.end(), next.begin());
  for (size_t i = 0; i < count; ++i) {
    order[next[key(i) - low]++] = static_cast<int32_t>(i);
  }
  return order;
}

// The live bytes of one moment: address -> who holds them. Disjoint.
struct Holder {
  uint64_t end = 0;
  int32_t range = 0;
};
using LiveBytes = absl::btree_map<uint64_t, Holder>;

// The range in `live` that meets [address, end), -1 if none: as they are
// disjoint, only the neighbours in address order can.
int32_t FindMeeting(const LiveBytes& live, uint64_t address, uint64_t end) {
  const auto above = live.lower_bound(address);
  if (above != live.begin()) {
    const auto below = std::prev(above);
    if (below->second.end > address) return below->second.range;
  }
  if (above != live.end() && above->first < end) return above->second.range;
  return -1;
}

}  // namespace

Timeline MakeTimeline(const PlacedSet& set) {
  const auto& ranges = set.ranges;
  return {.by_lo =
              SortByTime(ranges.size(), [&](size_t i) { return ranges[i].lo; }),
          .by_hi = SortByTime(ranges.size(),
                              [&](size_t i) { return ranges[i].hi; })};
}

Offence FindOverlap(const PlacedSet& set, const Timeline& timeline) {
  Offence offence;
  LiveBytes live;
  std::vector<bool> held(set.ranges.size());  // the range stands in `live`
  std::vector<bool> counted(set.nodes.size());
  size_t ended = 0;
  for (const int32_t position : timeline.by_lo) {
    const LiveRange& range = set.ranges[position];
    const Node& node = set.nodes[range.node];
    if (!node.holds_bytes()) continue;
    for (; set.ranges[timeline.by_hi[ended]].hi < range.lo; ++ended) {
      const int32_t over = timeline.by_hi[ended];
      if (held[over]) live.erase(set.RangeBegin(over));
    }
    const uint64_t begin = set.RangeBegin(position);
    const uint64_t end = set.RangeEnd(position);
    const int32_t other = FindMeeting(live, begin, end);
    if (other < 0) {
      live.emplace(begin, Holder{end, position});
      held[position] = true;
      continue;
    }
    if (counted[range.node]) continue;
    counted[range.node] = true;
    if (offence.count++ > 0) continue;
    const LiveRange& met = set.ranges[other];
    offence.first = met.node;
    offence.second = range.node;
    offence.message =
        absl::StrCat(set.Label(met.node), " ", set.Times(met), " at ",
                     set.RangeBytes(other), " meets ", set.Label(range.node),
                     " ", set.Times(range), " at ", set.RangeBytes(position));
  }
  return offence;
}

uint128 MaxLoad(const PlacedSet& set, const Timeline& timeline) {
  const auto size = [&](int32_t position) -> uint64_t {
    const Node& node = set.nodes[set.ranges[position].node];
    if (node.pinned || node.absurd) return 0;
    return set.windows.empty()
               ? node.size_bytes
               : set.windows[position].upper - set.windows[position].lower;
  };
  uint128 load = 0;
  uint128 most = 0;
  size_t ended = 0;
  for (const int32_t position : timeline.by_lo) {
    for (; set.ranges[timeline.by_hi[ended]].hi < set.ranges[position].lo;
         ++ended) {
      load -= size(timeline.by_hi[ended]);
    }
    load += size(position);
    most = std::max(most, load);
  }
  return most;
}

}  // namespace berth::validation
