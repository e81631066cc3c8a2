// Where the value of one location crosses from segment to segment: the facts
// *live* and *reach* of spec §3 at the two ends of each segment.
//
//  live: some use is reached without a full def before it (backward, may).
//  reach: some def, or the entry of the function for what is defined there, has
//    a path to here (forward, may). Nothing stops it.
//
// What makes it sparse, and why that is exact:
// 1. An event either reads or kills (access_events.h), so liveness passes only
//    through segments without an access; each other one decides by its first
//    event whether it is live at its start.
// 2. reach is followed only where the location is live. Let i be live and some
//    def reach it; let d be the last def on that path: behind d nothing kills,
//    so all of the path from d to i is live.
// 3. live is followed only into segments whose rank is at least that of some
//    def: no def reaches any other. So a tile-wise written tensor, live before
//    its first write, is not followed up to the entry.
// 4. reach walks the edges that live has walked, no others.
//
// Thread-safety: none; one per thread.
#ifndef BERTH_ALLOCATOR_LIVENESS_DATAFLOW_H_
#define BERTH_ALLOCATOR_LIVENESS_DATAFLOW_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "allocator/liveness/segments.h"

namespace berth {

// What a location's events in one segment amount to.
struct SegmentAccess {
  int32_t segment = 0;
  bool reads_first = false;  // its first event reads
  bool defines = false;      // any event is a def
};

struct Boundary {
  bool defined_at_entry = false;  // INPUT, WEIGHT, CONSTANT
  bool used_at_exit = false;      // OUTPUT, WEIGHT, CONSTANT
};

class Dataflow {
 public:
  // Keeps a reference to `segments`. Cost: O(segments).
  explicit Dataflow(const Segments& segments);

  // Solves for one location; forgets the one before. `accesses`: every segment
  // that accesses it, ascending, each once.
  // Cost: O(accesses + live segments and their incoming edges), exits included
  // if used_at_exit; where through() is scattered, one sort of it.
  void Solve(absl::Span<const SegmentAccess> accesses, Boundary boundary);

  // The location is live and reached at the start (end) of `segment`. Of the
  // segments that do not access it only those of through() have either.
  bool enters(int32_t segment) const {
    return Has(segment, kLiveIn | kReachIn);
  }
  bool leaves(int32_t segment) const {
    return Has(segment, kLiveOut | kReachOut);
  }
  // The segments that the value passes without an access, ascending.
  absl::Span<const int32_t> through() const { return through_; }

 private:
  static constexpr uint8_t kAccessed = 1;
  static constexpr uint8_t kLiveIn = 2;
  static constexpr uint8_t kLiveOut = 4;
  static constexpr uint8_t kReachIn = 8;
  static constexpr uint8_t kReachOut = 16;

  struct State {
    int32_t solve = 0;  // the Solve() that the rest belongs to
    int32_t first_edge = -1;
    uint8_t facts = 0;
  };
  // An edge of the CFG from the segment whose list holds it to `target`.
  struct Edge {
    int32_t target;
    int32_t next;  // in edges_; -1 at the end of the list
  };

  bool Has(int32_t segment, uint8_t facts) const {
    const State& state = states_[segment];
    return state.solve == solve_ && (state.facts & facts) == facts;
  }
  State& Fresh(int32_t segment);
  void MarkLiveOut(int32_t segment);
  void MarkReachIn(int32_t segment);
  void MarkReachOut(int32_t segment);
  void FollowLive(int32_t least_rank);
  void FollowReach();
  void SortThrough();

  const Segments& segments_;
  int32_t solve_ = 0;
  std::vector<State> states_;
  std::vector<Edge> edges_;
  std::vector<int32_t> pending_;
  std::vector<int32_t> through_;
};

}  // namespace berth

#endif  // BERTH_ALLOCATOR_LIVENESS_DATAFLOW_H_
