// The indices that one location occupies, as maximal runs, from its events and
// its dataflow.
//
// Thread-safety: none; one per thread.
#ifndef BERTH_ALLOCATOR_LIVENESS_OCCUPIED_RUNS_H_
#define BERTH_ALLOCATOR_LIVENESS_OCCUPIED_RUNS_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "allocator/liveness/access_events.h"
#include "allocator/liveness/dataflow.h"
#include "allocator/liveness/segments.h"
#include "allocator/model/intervals.h"

namespace berth {

class OccupiedRuns {
 public:
  // Keeps a reference to `segments`. Cost: O(segments).
  explicit OccupiedRuns(const Segments& segments);

  // Works on a location with these events, which may be none; forgets the one
  // before. Cost: that of Dataflow::Solve, and O(events + runs).
  void Compute(absl::Span<const AccessEvent> events, Boundary boundary);

  // Sorted, disjoint, not adjacent. The hull that a CALL asks for is not taken.
  const std::vector<Interval>& runs() const { return runs_; }
  // Flat indices of listed uses that no def reaches, ascending.
  const std::vector<int32_t>& undefined_uses() const { return undefined_uses_; }
  // The location is live and reached at the start or end of some segment.
  bool crosses_segments() const { return crosses_segments_; }

 private:
  // The events of segment accesses_[k] are events[event_begins_[k]] ..
  // events[event_begins_[k + 1] - 1].
  void Group(absl::Span<const AccessEvent> events);
  void AddThrough(int32_t segment);
  void AddAccessed(int32_t segment, absl::Span<const AccessEvent> events);
  void AddRun(int32_t lo, int32_t hi);

  const Segments& segments_;
  Dataflow dataflow_;
  std::vector<SegmentAccess> accesses_;
  std::vector<size_t> event_begins_;
  std::vector<Interval> runs_;
  std::vector<int32_t> undefined_uses_;
  bool crosses_segments_ = false;
};

}  // namespace berth

#endif  // BERTH_ALLOCATOR_LIVENESS_OCCUPIED_RUNS_H_
