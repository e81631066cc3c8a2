#include "allocator/liveness/occupied_runs.h"

#include <cstddef>
#include <cstdint>

#include "absl/types/span.h"
#include "allocator/liveness/access_events.h"
#include "allocator/liveness/dataflow.h"
#include "allocator/liveness/segments.h"
#include "allocator/model/intervals.h"

namespace berth {

OccupiedRuns::OccupiedRuns(const Segments& segments)
    : segments_(segments), dataflow_(segments) {}

void OccupiedRuns::Compute(absl::Span<const AccessEvent> events,
                           Boundary boundary) {
  runs_.clear();
  undefined_uses_.clear();
  Group(events);
  dataflow_.Solve(accesses_, boundary);
  crosses_segments_ = !dataflow_.through().empty();
  // Both lists are ascending and disjoint: merge them in layout order.
  auto through = dataflow_.through().begin();
  const auto through_end = dataflow_.through().end();
  for (size_t k = 0; k < accesses_.size(); ++k) {
    const int32_t segment = accesses_[k].segment;
    while (through != through_end && *through < segment) AddThrough(*through++);
    const size_t begin = event_begins_[k];
    AddAccessed(segment, events.subspan(begin, event_begins_[k + 1] - begin));
  }
  while (through != through_end) AddThrough(*through++);
}

void OccupiedRuns::Group(absl::Span<const AccessEvent> events) {
  accesses_.clear();
  event_begins_.clear();
  for (size_t k = 0; k < events.size(); ++k) {
    const AccessEvent& event = events[k];
    const int32_t from = accesses_.empty() ? 0 : accesses_.back().segment;
    const int32_t segment = segments_.SegmentOf(event.flat, from);
    if (accesses_.empty() || segment != from) {
      accesses_.push_back({.segment = segment, .reads_first = event.reads()});
      event_begins_.push_back(k);
    }
    accesses_.back().defines |= event.def();
  }
  event_begins_.push_back(events.size());
}

void OccupiedRuns::AddThrough(int32_t segment) {
  AddRun(segments_.first(segment), segments_.first(segment + 1) - 1);
}

void OccupiedRuns::AddAccessed(int32_t segment,
                               absl::Span<const AccessEvent> events) {
  const bool enters = dataflow_.enters(segment);
  const bool leaves = dataflow_.leaves(segment);
  crosses_segments_ |= enters || leaves;
  bool reached = enters;
  int32_t gap_begin = segments_.first(segment);
  for (const AccessEvent& event : events) {
    // The indices before an event are live if it reads.
    if (event.reads() && reached) AddRun(gap_begin, event.flat - 1);
    AddRun(event.flat, event.flat);
    if (event.listed_use() && !reached) undefined_uses_.push_back(event.flat);
    reached |= event.def();
    gap_begin = event.flat + 1;
  }
  if (leaves) AddRun(gap_begin, segments_.first(segment + 1) - 1);
}

void OccupiedRuns::AddRun(int32_t lo, int32_t hi) {
  if (lo > hi) return;
  if (!runs_.empty() && runs_.back().hi + 1 == lo) {
    runs_.back().hi = hi;
  } else {
    runs_.push_back({lo, hi});
  }
}

}  // namespace berth
