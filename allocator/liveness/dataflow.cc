#include "allocator/liveness/dataflow.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "absl/types/span.h"
#include "allocator/liveness/segments.h"

namespace berth {

Dataflow::Dataflow(const Segments& segments)
    : segments_(segments), states_(segments.size()) {}

void Dataflow::Solve(absl::Span<const SegmentAccess> accesses,
                     Boundary boundary) {
  ++solve_;
  edges_.clear();
  pending_.clear();
  through_.clear();
  int32_t least_rank = std::numeric_limits<int32_t>::max();
  for (const SegmentAccess& access : accesses) {
    Fresh(access.segment).facts = kAccessed;
    if (access.defines) {
      least_rank = std::min(least_rank, segments_.rank(access.segment));
    }
  }
  if (boundary.defined_at_entry && segments_.size() > 0) {
    least_rank = std::min(least_rank, segments_.rank(0));
  }

  for (const SegmentAccess& access : accesses) {
    if (access.reads_first && segments_.rank(access.segment) >= least_rank) {
      states_[access.segment].facts |= kLiveIn;
      pending_.push_back(access.segment);
    }
  }
  if (boundary.used_at_exit) {
    for (const int32_t exit : segments_.exits()) {
      if (segments_.rank(exit) >= least_rank) MarkLiveOut(exit);
    }
  }
  FollowLive(least_rank);

  for (const SegmentAccess& access : accesses) {
    if (access.defines) MarkReachOut(access.segment);
  }
  if (boundary.defined_at_entry && Has(0, kLiveIn)) MarkReachIn(0);
  FollowReach();
  SortThrough();
}

// Layout mostly follows control flow, so a value passes segments that lie close
// together: looking through all of them is cheaper than a sort, by far.
void Dataflow::SortThrough() {
  if (through_.size() < 2) return;
  const auto [lo, hi] = std::minmax_element(through_.begin(), through_.end());
  const int32_t first = *lo;
  const int32_t last = *hi;
  if (static_cast<size_t>(last - first) / 16 > through_.size()) {
    std::sort(through_.begin(), through_.end());
    return;
  }
  through_.clear();
  for (int32_t segment = first; segment <= last; ++segment) {
    if (Has(segment, kReachIn) && !Has(segment, kAccessed)) {
      through_.push_back(segment);
    }
  }
}

Dataflow::State& Dataflow::Fresh(int32_t segment) {
  State& state = states_[segment];
  if (state.solve != solve_) state = {.solve = solve_};
  return state;
}

void Dataflow::MarkLiveOut(int32_t segment) {
  State& state = Fresh(segment);
  if (state.facts & kLiveOut) return;
  state.facts |= kLiveOut;
  if (state.facts & kAccessed) return;
  state.facts |= kLiveIn;
  pending_.push_back(segment);
}

void Dataflow::FollowLive(int32_t least_rank) {
  while (!pending_.empty()) {
    const int32_t segment = pending_.back();
    pending_.pop_back();
    for (const int32_t predecessor : segments_.predecessors(segment)) {
      if (segments_.rank(predecessor) < least_rank) continue;
      MarkLiveOut(predecessor);
      int32_t& first_edge = states_[predecessor].first_edge;
      edges_.push_back({segment, first_edge});
      first_edge = static_cast<int32_t>(edges_.size()) - 1;
    }
  }
}

void Dataflow::MarkReachIn(int32_t segment) {
  State& state = states_[segment];
  if (state.facts & kReachIn) return;
  state.facts |= kReachIn;
  if (!(state.facts & kAccessed)) through_.push_back(segment);
  MarkReachOut(segment);
}

void Dataflow::MarkReachOut(int32_t segment) {
  State& state = states_[segment];
  if (state.facts & kReachOut) return;
  state.facts |= kReachOut;
  if (state.facts & kLiveOut) pending_.push_back(segment);
}

void Dataflow::FollowReach() {
  while (!pending_.empty()) {
    const int32_t segment = pending_.back();
    pending_.pop_back();
    for (int32_t e = states_[segment].first_edge; e >= 0; e = edges_[e].next) {
      MarkReachIn(edges_[e].target);
    }
  }
}

}  // namespace berth
