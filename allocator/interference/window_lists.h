// Window lists: what the planner asks. Hits are two runs of memory and a short
// filter between, so a query costs little more than copying its answer.
//
// Intervals stand by lo; an interval's place there is its position. rank(t) is
// #(lo <= t), dead(t) is #(hi < t), alive(t) = rank(t) - dead(t). A query
// [q.lo, q.hi] is those that start in (q.lo, q.hi], the positions rank(q.lo) ..
// rank(q.hi) - 1, and those alive at q.lo. For these, time is cut into windows:
//
//   W1 window w covers the times [time_w, time_{w+1}); first_w = rank(time_w)
//   W2 list_w holds the positions < first_w with hi >= time_w, by hi descending
//   W3 for each t in window w: rank(t) - first_w <= alive(t) + kScan
//
// By W2 the part of list_w alive at q.lo is a prefix. The others alive at q.lo
// are among the positions first_w .. rank(q.lo) - 1, and a vector filter on hi
// finds them. The length of the prefix needs no search: it is alive(q.lo) less
// what the filter found.
//
// By W3 the filter looks at no more than about as many as are reported: a
// window is closed when its starters outnumber the living, so on starts and, as
// deaths lower alive(t), on deaths too (a deep nest dies away without any
// start). Each window's list, alive(time_w) entries, is paid for by the
// starters of the window before: the lists hold at most n entries together.
// This is filtering search (Chazelle 1986) with lists ordered so that hits are
// copied, not tested.
//
//   example    [0,9] [1,3] [2,2] [6,8], kScan = 0: windows at 0 (list empty,
//              first 0), 1 (list 0; first 2) ...
//   query 7,8: window with time <= 7, its list by hi descending, a prefix of
//   it,
//              and the starter [6,8]
//
// Times are looked up in a table over buckets of time: O(1) where they are
// spread, O(log n) at worst.
//
// Cost: build O(n) per 11 bits of time (two radix sorts); query O(1 + k) with
// spread times, Count O(1); at most 24 bytes an interval and a constant.
#ifndef BERTH_ALLOCATOR_INTERFERENCE_WINDOW_LISTS_H_
#define BERTH_ALLOCATOR_INTERFERENCE_WINDOW_LISTS_H_

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "allocator/interference/lo_order.h"
#include "allocator/interference/oracle.h"

namespace berth {

// An answer without a copy: three runs of ids, disjoint.
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
  // Overlaps without copying all but the filtered ones. The runs are valid
  // until `scratch` changes.
  OverlapRuns Runs(int32_t lo, int32_t hi, IdList* scratch);

  int32_t size() const { return static_cast<int32_t>(hi_.size()); }
  uint64_t bytes() const;
  int64_t visits() const { return visits_; }
  // Entries of all lists.
  int64_t list_entries() const { return static_cast<int64_t>(list_.size()); }

 private:
  struct Window {
    int32_t time;   // W1
    int32_t first;  // W1
    int32_t list;   // where list_w begins in list_
  };
  // State at the first time of a bucket.
  struct Bucket {
    int32_t rank;    // #(lo < that time)
    int32_t dead;    // #(hi < that time)
    int32_t window;  // last window with time <= that time
  };
  // What a stab at t needs.
  struct Moment {
    int32_t rank;
    int32_t dead;
    const Window* window;
  };

  void CutWindows();
  void FillLists(absl::Span<const TimeAt> ends);
  void FillBuckets();
  int32_t RankAt(int32_t t) const;
  int32_t DeadAt(int32_t t) const;
  Moment At(int32_t t) const;
  uint32_t BucketOf(int32_t t) const {
    return (static_cast<uint32_t>(t) - static_cast<uint32_t>(first_time_)) >>
           shift_;
  }

  absl::Span<const OwnedInterval> stored_;
  int32_t first_time_ = 0;  // least lo
  int32_t last_time_ = 0;   // greatest hi
  int shift_ = 0;
  std::vector<int32_t> lo_;      // by position; ascending
  std::vector<int32_t> hi_;      // by position
  std::vector<int32_t> id_;      // by position, padded
  std::vector<int32_t> end_;     // all hi, ascending
  std::vector<Window> windows_;  // and a sentinel
  std::vector<int32_t> list_;    // all lists of ids, padded
  std::vector<Bucket> buckets_;  // and a sentinel
  int64_t visits_ = 0;
};

}  // namespace berth

#endif  // BERTH_ALLOCATOR_INTERFERENCE_WINDOW_LISTS_H_
