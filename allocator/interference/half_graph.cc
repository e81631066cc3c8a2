#include "allocator/interference/half_graph.h"

#include "allocator/interference/lo_order.h"

namespace berth {

HalfGraph::HalfGraph(absl::Span<const OwnedInterval> intervals) {
  CheckIntervals(intervals);
  const Uninitialized<OwnedInterval> sorted = SortedByLo(intervals);
  const size_t n = sorted.size();
  IdList lo(n);
  id_.resize(n);
  for (size_t p = 0; p < n; ++p) {
    lo[p] = sorted[p].lo;
    id_[p] = sorted[p].id;
  }
  const RankTable ranks(lo);
  last_.resize(n);
  for (size_t p = 0; p < n; ++p) {
    last_[p] = ranks.Rank(lo.data(), sorted[p].hi);
  }
}

int64_t HalfGraph::pairs() const {
  int64_t pairs = 0;
  for (int32_t p = 0; p < size(); ++p) pairs += last_[p] - p - 1;
  return pairs;
}

}  // namespace berth
