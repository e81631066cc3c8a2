// PlainFirstFit: spec §7 to the letter, the reference of the first fits.
//
// For every question it walks all placed nodes and pins, keeps those that
// interfere (each once), clips, sorts and scans. It shares no code with
// WindowFirstFit but PlaceInGap's contract.
//
// Thread-safety: none. Cost of a question: O(P log P) with P placed nodes and
// pins, times the intervals of the two nodes compared. Memory: 4 bytes a node
// placed and 8 bytes a node.
#ifndef BERTH_ALLOCATOR_PLACEMENT_PLAIN_FIRST_FIT_H_
#define BERTH_ALLOCATOR_PLACEMENT_PLAIN_FIRST_FIT_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "allocator/placement/first_fit.h"
#include "allocator/placement/problem.h"

namespace berth {

// True if some interval of `a` overlaps some interval of `b`. Both are sorted
// and disjoint. Cost: O(|a| + |b|).
bool Interfere(absl::Span<const Interval> a, absl::Span<const Interval> b);

class PlainFirstFit {
 public:
  // `problem` must outlive this. `order` is not needed here: questions may come
  // in any order, also for nodes that are placed (they avoid the others only).
  PlainFirstFit(const Problem& problem, absl::Span<const int32_t> order);

  // See first_fit.h.
  std::optional<uint64_t> Find(int32_t node, uint64_t start, uint64_t ceiling);
  void Place(int32_t node, uint64_t address);
  uint64_t visits() const { return visits_; }

  // Longest run of bytes in [start, ceiling) that no placed neighbour of `node`
  // occupies, for the error of spec §7 step 3. Alignment and pages do not
  // count.
  uint64_t LargestGap(int32_t node, uint64_t start, uint64_t ceiling);

 private:
  struct Range {
    uint64_t lo = 0;
    uint64_t hi = 0;
  };
  // The free gaps of step 1, from the lowest.
  std::vector<Range> Gaps(int32_t node, uint64_t start, uint64_t ceiling);
  // Find() where there are windows: step 2 over the addresses at which no part
  // of the node meets a part of a neighbour.
  std::optional<uint64_t> FindAmongWindows(int32_t node, uint64_t start,
                                           uint64_t ceiling);

  const Problem& problem_;
  std::vector<int32_t> placed_;    // nodes with w > 0, in order of Place()
  std::vector<uint64_t> address_;  // per node
  uint64_t visits_ = 0;
};

// The error of spec §7 step 3 for order[place], which no region holds beside
// the nodes before it, at `address` (per node). Cost: that of one question.
absl::Status Exhausted(const Problem& problem, absl::Span<const int32_t> order,
                       size_t place, absl::Span<const uint64_t> address);

}  // namespace berth

#endif  // BERTH_ALLOCATOR_PLACEMENT_PLAIN_FIRST_FIT_H_
