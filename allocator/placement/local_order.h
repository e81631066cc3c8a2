// LocalOrder: an order of nodes rearranged so that those near in time come one
// after another, and first fit still gives every node the same address.
//
// First fit of a node looks at what is placed while the node is live. So two
// nodes that share no time may change places; by size, say, nodes come from all
// over time, and every one finds its windows gone from the cache. Rearranged, a
// stretch of time small enough for the cache is worked on for a while. The
// order is cut into batches, and each is rearranged in itself:
//
//   Time is cut into stretches. They are taken one after another; a stretch has
//   the nodes that begin in it, and those that were put off, in their order.
//   `edge` is the end of the stretch. A node that reaches it is put off, for
//   the next stretch, and `edge` moves down to where it begins; any other is
//   next in the local order.
//
// Why that is right: let b come after a in the order and share a time with it.
// If a is put off in some stretch, `edge` is at or below its beginning from
// then on, and b reaches it, so that b is put off too, if it is there at all.
// If b is next in a stretch that a has not come to, b ends below the end of
// that stretch, where a begins after it.
//
// Short batches put off little, long ones come back to a stretch less often.
//
// Thread-safety: immutable after construction. Cost: O(V), times a constant at
// worst: where much is put off, the rest of a batch stays in its order. Memory:
// 4 bytes a node, nothing where all fits the cache anyway.
#ifndef BERTH_ALLOCATOR_PLACEMENT_LOCAL_ORDER_H_
#define BERTH_ALLOCATOR_PLACEMENT_LOCAL_ORDER_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "allocator/placement/window_layout.h"

namespace berth {

// How fine LocalOrder cuts.
struct LocalOrderCut {
  // Bytes of 32-bit lists (timed_list.h) in a stretch; a part of the cache that
  // a core has for itself.
  size_t stretch_bytes = size_t{256} << 10;
  // With fewer in all, nothing is rearranged.
  size_t least_bytes = size_t{2} << 20;
  size_t least_batch = size_t{1} << 15;  // nodes, > 0
  size_t batches = 20;                   // fewer, where there are few nodes
};

class LocalOrder {
 public:
  // `order` names no node twice, and must outlive this.
  LocalOrder(const WindowLayout& layout, absl::Span<const int32_t> order,
             const LocalOrderCut& cut = {});

  // `order` as it is.
  static LocalOrder AsItIs(absl::Span<const int32_t> order) {
    return LocalOrder(order);
  }

  // All nodes, in the local order.
  absl::Span<const int32_t> nodes() const {
    return local_.empty() ? order_ : absl::MakeConstSpan(local_);
  }

  // Calls place(node), which says whether it was placed, in the local order;
  // expect(node) some nodes earlier, to load what place(node) will write to.
  // After one that was not, only nodes before it in the original order are
  // called. Returns where in the original order the first stands that was not
  // placed, order.size() if all were. All nodes before that place were called;
  // maybe some after it.
  template <typename Place, typename Expect>
  size_t PlaceAll(Place place, Expect expect) const;

 private:
  explicit LocalOrder(absl::Span<const int32_t> order)
      : order_(order), batch_(std::max<size_t>(order.size(), 1)) {}

  absl::Span<const int32_t> order_;
  std::vector<int32_t> local_;  // empty: order_
  size_t batch_;                // nodes that are rearranged in themselves
};

template <typename Place, typename Expect>
size_t LocalOrder::PlaceAll(Place place, Expect expect) const {
  constexpr size_t kAhead = 8;
  const absl::Span<const int32_t> local = nodes();
  size_t at = 0;
  while (at < local.size() && place(local[at])) {
    if (++at + kAhead < local.size()) expect(local[at + kAhead]);
  }
  if (at == local.size() || local_.empty()) return at;
  // The rest of this batch may hold nodes that stand before it.
  const size_t begin = at / batch_ * batch_;
  const size_t end = std::min(begin + batch_, local.size());
  std::vector<int32_t> before;  // what does, sorted
  for (;;) {
    const size_t stop =
        std::find(order_.begin() + begin, order_.end(), local[at]) -
        order_.begin();
    before.assign(order_.begin() + begin, order_.begin() + stop);
    std::sort(before.begin(), before.end());
    do {
      if (++at == end) return stop;
    } while (!std::binary_search(before.begin(), before.end(), local[at]) ||
             place(local[at]));
  }
}

}  // namespace berth

#endif  // BERTH_ALLOCATOR_PLACEMENT_LOCAL_ORDER_H_
