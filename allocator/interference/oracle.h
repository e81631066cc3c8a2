// The interference oracle (spec §4): which stored intervals overlap [lo, hi]?
//
// One concept, several implementations, equal sets. Which one to use:
//
//   PlannerOracle (planner_oracle.h)  what the planner asks: WindowLists
//   WindowLists      hits are two runs of memory; O(k) and a small constant
//   BlockTree        the static array interval tree, sorted, in blocks
//   HalfGraph        all pairs, implicit: four bytes an interval, no k
//   Sweep            all pairs, listed
//   SortedNodeTree   24-byte nodes sorted by lo: what sorting alone gives
//   EmissionTree     the source's tree, faithful; slow, see its header
//   RedBlackTree     the textbook structure: insert, erase, O(log n + k)
//   Matrix           the interference matrix of a graph colourer, O(V^2)
//   LinearScan       looks at all; the plain reference
//
// An interval is closed, an OwnedInterval {lo, hi, id}. Ids need not be unique:
// a location with several intervals owns them all, and each stored interval
// that overlaps is reported once (Neighbours, neighbours.h, reports a location
// once). The *stored index* of an interval is its place in the span given to
// build.
//
// An X that satisfies InterferenceOracle has
//
//   X(absl::Span<const OwnedInterval> intervals)
//     Builds. Keeps the view for OverlapsOf and does not copy it: the intervals
//     must outlive X. REQUIRES lo <= hi for each and fewer than 2^31 - 1 of
//     them (BERTH_CHECK: the model's checks have refused others by then).
//   void Overlaps(int32_t lo, int32_t hi, IdList* out)
//     Appends the ids of stored intervals that overlap [lo, hi], each stored
//     interval once, in an order that depends on the input only, never on the
//     machine. Nothing if lo > hi.
//   absl::Status OverlapsOf(int32_t index, IdList* out)
//     The same of a stored interval; itself included. kOutOfRange if there is
//     no such index.
//   int64_t Count(int32_t lo, int32_t hi)
//     How many Overlaps would append.
//   int32_t size() const     stored intervals
//   uint64_t bytes() const   memory held, the view not counted
//   int64_t visits() const   nodes or list entries looked at since build; ids
//                            copied from a run are counted as one visit a run
//
// Thread-safety: none, queries count visits; one oracle per thread.
#ifndef BERTH_ALLOCATOR_INTERFERENCE_ORACLE_H_
#define BERTH_ALLOCATOR_INTERFERENCE_ORACLE_H_

#include <concepts>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "allocator/model/intervals.h"

namespace berth {

// std::allocator, but resize() leaves new elements uninitialised: an answer of
// 20,000 ids would otherwise be written twice.
template <typename T>
class DefaultInitAllocator : public std::allocator<T> {
 public:
  template <typename U>
  struct rebind {
    using other = DefaultInitAllocator<U>;
  };
  DefaultInitAllocator() = default;
  template <typename U>
  // NOLINTNEXTLINE(google-explicit-constructor): as std::allocator does.
  DefaultInitAllocator(const DefaultInitAllocator<U>&) {}

  template <typename U>
  void construct(U* p) {
    ::new (static_cast<void*>(p)) U;
  }
  template <typename U, typename... Args>
  void construct(U* p, Args&&... args) {
    ::new (static_cast<void*>(p)) U(std::forward<Args>(args)...);
  }
};

template <typename T>
using Uninitialized = std::vector<T, DefaultInitAllocator<T>>;

// The answer of a query.
using IdList = Uninitialized<int32_t>;

template <typename T>
concept InterferenceOracle =
    std::constructible_from<T, absl::Span<const OwnedInterval>> &&
    requires(T oracle, const T& view, int32_t n, IdList* out) {
  { oracle.Overlaps(n, n, out) } -> std::same_as<void>;
  { oracle.OverlapsOf(n, out) } -> std::same_as<absl::Status>;
  { oracle.Count(n, n) } -> std::same_as<int64_t>;
  { view.size() } -> std::same_as<int32_t>;
  { view.bytes() } -> std::same_as<uint64_t>;
  { view.visits() } -> std::same_as<int64_t>;
};

// Checks what every build REQUIRES. O(n).
void CheckIntervals(absl::Span<const OwnedInterval> intervals);

// OK, or kOutOfRange that names `index` and how many intervals there are.
absl::Status CheckIndex(int32_t index, absl::Span<const OwnedInterval> stored);

}  // namespace berth

#endif  // BERTH_ALLOCATOR_INTERFERENCE_ORACLE_H_
