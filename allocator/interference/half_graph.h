// The implicit half interference graph: all pairs in eight bytes an interval.
//
// Number the intervals by lo: positions 0..n-1. Those that start after position
// i and overlap it are exactly the positions
//
//   i + 1 .. rank(hi_i) - 1,   rank(t) = #(lo <= t)
//
// as they start within [lo_i, hi_i]. So the later partners of an interval are a
// run of the id array, and half the graph is one number an interval (four
// bytes, beside the four of the ids that any answer needs), with no term in k.
// The other half is not needed for all-pairs work: each pair is seen once, from
// its earlier member.
//
//   position   0      1      2      3           rank(hi): 3, 2, 4, 4
//   [lo,hi]  [0,4]  [1,2]  [3,9]  [5,6]         later:  0 -> 1, 2   1 -> none
//                                                       2 -> 3
//
// Cost: build O(n) per 11 bits of time (radix), Later O(1).
// Thread-safety: const calls may run concurrently.
#ifndef BERTH_ALLOCATOR_INTERFERENCE_HALF_GRAPH_H_
#define BERTH_ALLOCATOR_INTERFERENCE_HALF_GRAPH_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "allocator/interference/oracle.h"

namespace berth {

class HalfGraph {
 public:
  explicit HalfGraph(absl::Span<const OwnedInterval> intervals);

  int32_t size() const { return static_cast<int32_t>(id_.size()); }
  // The id at a position. REQUIRES: 0 <= position < size(), as below.
  int32_t id(int32_t position) const { return id_[position]; }
  // Ids of those after `position` by (lo, order given) that overlap it.
  absl::Span<const int32_t> Later(int32_t position) const {
    return absl::MakeConstSpan(id_).subspan(position + 1,
                                            last_[position] - position - 1);
  }
  // How many pairs overlap. O(n).
  int64_t pairs() const;

  // visit(int32_t id, absl::Span<const int32_t> ids): Later of each position in
  // turn; every pair of stored intervals that overlap once.
  template <typename Visit>
  void AllPairs(Visit visit) const {
    for (int32_t p = 0; p < size(); ++p) visit(id_[p], Later(p));
  }

  uint64_t bytes() const {
    return (id_.capacity() + last_.capacity()) * sizeof(int32_t);
  }

 private:
  IdList id_;    // by lo
  IdList last_;  // position -> rank(hi)
};

}  // namespace berth

#endif  // BERTH_ALLOCATOR_INTERFERENCE_HALF_GRAPH_H_
