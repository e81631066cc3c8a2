// All pairs by a sweep over time (spec §4): the active intervals stand in one
// array, an interval that ends is replaced by the last one. What each start
// then reports is a run of memory, so that the cost is that of copying the
// answer.
//
// A sweep answers single queries only by walking all starts up to q.hi: O(n).
// It does, for the conformance tests; ask a WindowLists instead.
//
// Cost: build O(n) per 11 bits of time (radix); AllPairs O(n + k); 20 bytes an
// interval, 12 more per interval while AllPairs runs.
#ifndef BERTH_ALLOCATOR_INTERFERENCE_SWEEP_H_
#define BERTH_ALLOCATOR_INTERFERENCE_SWEEP_H_

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "allocator/interference/lo_order.h"
#include "allocator/interference/oracle.h"

namespace berth {

class Sweep {
 public:
  explicit Sweep(absl::Span<const OwnedInterval> intervals);

  void Overlaps(int32_t lo, int32_t hi, IdList* out);
  absl::Status OverlapsOf(int32_t index, IdList* out);
  int64_t Count(int32_t lo, int32_t hi);

  // visit(int32_t id, absl::Span<const int32_t> ids): for each stored interval,
  // by lo, the ids of those that started before it (or with it, and stand
  // earlier) and overlap it. Every pair of stored intervals that overlap is
  // reported once, none with itself. The span is valid during the call.
  template <typename Visit>
  void AllPairs(Visit visit);

  int32_t size() const { return static_cast<int32_t>(lo_.size()); }
  uint64_t bytes() const {
    return (lo_.capacity() + hi_.capacity() + id_.capacity()) *
               sizeof(int32_t) +
           ends_.capacity() * sizeof(TimeAt);
  }
  int64_t visits() const { return visits_; }

 private:
  absl::Span<const OwnedInterval> stored_;
  IdList lo_;  // by lo; an interval's place here is its position
  IdList hi_;
  IdList id_;
  Uninitialized<TimeAt> ends_;  // (hi, position) by hi
  int64_t visits_ = 0;
};

template <typename Visit>
void Sweep::AllPairs(Visit visit) {
  const int32_t n = size();
  IdList active_id(static_cast<size_t>(n));
  IdList active_position(static_cast<size_t>(n));
  IdList place(static_cast<size_t>(n));  // position -> in active
  int32_t count = 0;
  int32_t ended = 0;
  for (int32_t p = 0; p < n; ++p) {
    for (; ends_[ended].time < lo_[p]; ++ended) {
      const int32_t hole = place[ends_[ended].position];
      --count;
      const int32_t moved = active_position[count];
      active_id[hole] = active_id[count];
      active_position[hole] = moved;
      place[moved] = hole;
    }
    visit(id_[p],
          absl::MakeConstSpan(active_id.data(), static_cast<size_t>(count)));
    active_id[count] = id_[p];
    active_position[count] = p;
    place[p] = count++;
  }
  visits_ += n;
}

}  // namespace berth

#endif  // BERTH_ALLOCATOR_INTERFERENCE_SWEEP_H_
