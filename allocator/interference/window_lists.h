// Window lists: what the planner asks. Most hits stand in two runs of memory,
// so that a query costs little more than copying its answer.
//
// Intervals stand by lo; an interval's place there is its position, rank(t) is
// #(lo <= t), alive(t) is how many contain t. A query [q.lo, q.hi] is those
// that start in (q.lo, q.hi], the positions rank(q.lo) .. rank(q.hi) - 1, and
// those alive at q.lo. For these, time is cut into windows:
//
//   W1 window w covers the times [time_w, time_{w+1}); first_w = rank(time_w)
//   W2 list_w holds the positions < first_w with hi >= time_w, by hi descending
//   W3 for each t in window w: 4 (rank(t) - first_w) <= 3 alive(t) + 4 kScan
//
// By W2 the part of list_w that is alive at q.lo is a prefix: a run. The others
// alive at q.lo are among the positions first_w .. rank(q.lo) - 1, and a vector
// filter on hi finds them.
//
// By W3 the filter looks at no more than about as many as are reported. A
// window is closed when its starters outgrow the living: on starts and, as
// deaths lower alive(t), on deaths too (a deep nest dies away without any
// start). A list, alive(time_w) entries, is paid for by the starters of the
// window before it, so that all lists together hold at most 4/3 n entries. This
// is filtering search (Chazelle 1986) with lists so ordered that hits are
// copied, not tested.
//
//   positions   0 [0,9]   1 [1,3]   2 [2,2]   3 [6,8]      kScan = 0
//   windows     w     0    1    2
//               time  0    0    3        at 3: [2,2] is dead
//               first 0    1    3
//               list  -    0    0, 1     by hi: 9, 3
//   query [7,8] window 2: of its list the prefix that reaches 7, which is 0; of
//               its starters, 3
//
// Short windows are filtered as a whole; in long ones, ranks and the prefix are
// found by binary search. Windows are looked up in a table over buckets of
// time.
//
// Cost: build O(n) per 11 bits of time (two radix sorts); query O(k + kScan)
// and a search among windows, O(1) where times are spread, O(log n) at worst;
// at most 24 bytes an interval and a constant.
#ifndef BERTH_ALLOCATOR_INTERFERENCE_WINDOW_LISTS_H_
#define BERTH_ALLOCATOR_INTERFERENCE_WINDOW_LISTS_H_

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "allocator/interference/lo_order.h"
#include "allocator/interference/oracle.h"

namespace berth {

// An answer without a copy of its long parts: three disjoint runs of ids.
struct OverlapRuns {
  absl::Span<const int32_t> alive;    // in the oracle's memory
  absl::Span<const int32_t> started;  // in the oracle's memory
  absl::Span<const int32_t> recent;   // in the caller's scratch
};

class WindowLists {
 public:
  explicit WindowLists(absl::Span<const OwnedInterval> intervals);

  void Overlaps(int32_t lo, int32_t hi, IdList* out);
  absl::Status OverlapsOf(int32_t index, IdList* out);
  int64_t Count(int32_t lo, int32_t hi);
  // Overlaps, copying only what was filtered. The runs are valid until
  // `scratch` changes.
  OverlapRuns Runs(int32_t lo, int32_t hi, IdList* scratch);

  int32_t size() const { return static_cast<int32_t>(lo_.size()); }
  uint64_t bytes() const;
  int64_t visits() const { return visits_; }
  // Entries of all lists, and windows.
  int64_t list_entries() const { return static_cast<int64_t>(list_.size()); }
  int32_t windows() const { return static_cast<int32_t>(time_.size()); }

 private:
  struct Window {
    int32_t first;  // W1
    int32_t list;   // where list_w begins in list_
  };

  // `by_end`: all (hi, position), by hi descending, then position.
  void CutWindows(absl::Span<const TimeAt> by_end);
  void FillLists(absl::Span<const TimeAt> by_end);
  // Nothing overlaps, or the query is empty.
  bool Misses(int32_t lo, int32_t hi) const {
    return lo > hi || lo_.empty() || hi < time_[0] || lo > last_time_;
  }
  // The last window with time <= t. REQUIRES: t >= time_[0].
  int32_t WindowOf(int32_t t) const {
    return window_rank_.Rank(time_.data(), t) - 1;
  }
  // #(lo <= t), t in window w.
  int32_t RankIn(int32_t w, int32_t t) const;
  // How many of list_w have hi >= t.
  int32_t PrefixOf(int32_t w, int32_t t) const;

  absl::Span<const OwnedInterval> stored_;
  int32_t last_time_ = 0;        // greatest hi
  IdList lo_;                    // by position; ascending
  IdList hi_;                    // by position
  IdList id_;                    // by position, padded
  std::vector<int32_t> time_;    // of windows; ascending
  std::vector<Window> windows_;  // and a sentinel
  IdList list_;                  // ids of all lists, padded
  IdList list_hi_;               // and their hi
  RankTable window_rank_;
  int64_t visits_ = 0;
};

}  // namespace berth

#endif  // BERTH_ALLOCATOR_INTERFERENCE_WINDOW_LISTS_H_
