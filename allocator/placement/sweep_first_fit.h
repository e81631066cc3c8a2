// SweepFirstFit: first fit (spec §7, concept in first_fit.h) in order of first
// times, where one set of ranges serves: what is placed and still live when a
// node begins is all that the node can meet, whatever its length. Answers equal
// PlainFirstFit's.
//
// Only for problems and orders of that kind: see Serves(). WindowFirstFit takes
// all others.
//
// Thread-safety: none. Cost of a question: the free gaps of what is live then.
// Memory: 4 bytes a time, and 40 or so for each node that is live at once.
#ifndef BERTH_ALLOCATOR_PLACEMENT_SWEEP_FIRST_FIT_H_
#define BERTH_ALLOCATOR_PLACEMENT_SWEEP_FIRST_FIT_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "absl/types/span.h"
#include "allocator/placement/first_fit.h"
#include "allocator/placement/problem.h"
#include "allocator/placement/range_set.h"

namespace berth {

class SweepFirstFit {
 public:
  // True if each node has one run and all its bytes, no pin is there, and first
  // times never fall in `order`: a pin or a second run could begin after a node
  // that it meets. Cost: O(V).
  static bool Serves(const Problem& problem, absl::Span<const int32_t> order);

  // `problem` and `order` must outlive this. REQUIRES: Serves(problem, order).
  SweepFirstFit(const Problem& problem, absl::Span<const int32_t> order);

  // See first_fit.h.
  std::optional<uint64_t> Find(int32_t node, uint64_t start, uint64_t ceiling);
  void Place(int32_t node, uint64_t address);
  uint64_t visits() const { return visits_; }

 private:
  static constexpr int32_t kNone = -1;

  // Bytes that become free together with those of `next`.
  struct Ending {
    uint64_t lo = 0;
    uint64_t hi = 0;
    int32_t next = kNone;
  };

  // Frees what ended before `time`.
  void AdvanceTo(int32_t time);
  // What the next questions will look at.
  void PrefetchAhead();

  const Problem& problem_;
  absl::Span<const int32_t> order_;
  size_t next_ = 0;                   // place in order_ of the last node placed
  RangeSet<uint64_t> taken_;          // by what is live at time_
  int32_t time_ = 0;                  // what ended before it is free
  std::vector<int32_t> last_ending_;  // by last time: the first of a chain
  std::vector<Ending> endings_;
  int32_t unused_ = kNone;  // a chain of endings_
  uint64_t visits_ = 0;
};

}  // namespace berth

#endif  // BERTH_ALLOCATOR_PLACEMENT_SWEEP_FIRST_FIT_H_
