// TimeWindows: flat time cut into windows, and a tree over the windows.
//
// Windows are cut so that each holds about `events` first and last times of
// live ranges; a time with more has a window of its own. Window 0 begins at
// time 0. Levels of nodes stand over them: level 0 are the windows, node i of
// level k + 1 stands for nodes i * kFanout .. of level k. Nodes of all levels
// are numbered in one row, level by level, so that node ids index plain arrays.
//
//   level 2                20
//   level 1      16                 17 ...        (drawn with fan-out 4)
//   level 0   0  1  2  3         4  5  6  7 ...
//
// A live range [lo, hi] covers some windows whole; the others that it touches,
// at most two, are partial. The run of whole windows splits into the fewest
// nodes (canonical nodes), at most 2 (kFanout - 1) a level.
//
// Thread-safety: immutable after construction. Memory: O(windows). Cost:
// construction O(intervals + num_times), WindowOf O(log) small.
#ifndef BERTH_ALLOCATOR_PLACEMENT_TIME_WINDOWS_H_
#define BERTH_ALLOCATOR_PLACEMENT_TIME_WINDOWS_H_

#include <algorithm>
#include <cstdint>
#include <vector>

#include "allocator/model/intervals.h"
#include "allocator/placement/problem.h"
#include "allocator/placement/timed_list.h"

namespace berth {

class TimeWindows {
 public:
  static constexpr int32_t kFanout = 8;

  // Cuts by the nodes and pins of `problem`.
  TimeWindows(const Problem& problem, int64_t events);

  int32_t num_windows() const {
    return static_cast<int32_t>(begin_.size()) - 1;
  }
  int32_t num_nodes() const { return levels_.back() + 1; }

  // First and last time of a window.
  int32_t First(int32_t window) const { return begin_[window]; }
  int32_t Last(int32_t window) const { return begin_[window + 1] - 1; }

  // The window of a time.
  int32_t WindowOf(int32_t time) const {
    int32_t window = hint_[time >> hint_shift_];
    while (begin_[window + 1] <= time) ++window;
    return window;
  }

  // The windows that a live range touches: [first, last]; it covers the run
  // [whole_first, whole_last] (empty if whole_first > whole_last).
  struct Span {
    int32_t first, last;
    int32_t whole_first, whole_last;
  };
  Span SpanOf(const Interval& interval) const {
    Span span;
    span.first = WindowOf(interval.lo);
    span.last = WindowOf(interval.hi);
    span.whole_first = span.first + (First(span.first) != interval.lo);
    span.whole_last = span.last - (Last(span.last) != interval.hi);
    return span;
  }

  // Calls visit(node) for the canonical nodes of a span, lowest level first.
  template <typename Visit>
  void ForEachCanonical(const Span& span, Visit visit) const {
    int32_t lo = span.whole_first;
    int32_t hi = span.whole_last;
    for (size_t level = 0; lo <= hi; ++level) {
      const int32_t base = levels_[level];
      while (lo <= hi && lo % kFanout != 0) visit(base + lo++);
      while (lo <= hi && hi % kFanout != kFanout - 1) visit(base + hi--);
      if (lo > hi) return;  // at the root's level at the latest
      lo /= kFanout;
      hi /= kFanout;
    }
  }

  // Calls visit(node) for the nodes that the live range touches without
  // covering them, lowest level first: its partial windows (node <
  // num_windows()), and their ancestors as far as it does not cover those.
  template <typename Visit>
  void ForEachTouched(const Span& span, Visit visit) const {
    int32_t lo = span.first;
    int32_t hi = span.last;
    int32_t whole_lo = span.whole_first;
    int32_t whole_hi = span.whole_last;
    for (size_t level = 0; level < levels_.size(); ++level) {
      const int32_t base = levels_[level];
      if (lo < whole_lo || lo > whole_hi) visit(base + lo);
      if (hi != lo && (hi > whole_hi || hi < whole_lo)) visit(base + hi);
      lo /= kFanout;
      hi /= kFanout;
      whole_lo = (whole_lo + kFanout - 1) / kFanout;
      whole_hi = (whole_hi + 1) / kFanout - 1;
    }
  }

 private:
  std::vector<int32_t> begin_;   // first time of each window, then num_times
  std::vector<int32_t> levels_;  // id of node 0 of each level, the root last
  std::vector<int32_t> hint_;    // by time >> hint_shift_: a window not after
  int32_t hint_shift_ = 0;
};

}  // namespace berth

#endif  // BERTH_ALLOCATOR_PLACEMENT_TIME_WINDOWS_H_
