// The runs of a fixed set of owners, asked for those that meet an interval,
// while owners are taken away. Private to this folder; for sets of many owners
// use allocator/interference.
//
// Runs stand sorted by lo: those that begin in [lo, hi] are contiguous; those
// that begin before lo and reach it are found under a max tree over hi.
// Cost: O(log n + k log n) per query, O(log n) per removed run.
#ifndef BERTH_ALLOCATOR_PLACEMENT_RUN_INDEX_H_
#define BERTH_ALLOCATOR_PLACEMENT_RUN_INDEX_H_

#include <algorithm>
#include <cstdint>
#include <tuple>
#include <utility>
#include <vector>

#include "allocator/model/intervals.h"

namespace berth {

class RunIndex {
 public:
  explicit RunIndex(std::vector<OwnedInterval> runs) : runs_(std::move(runs)) {
    std::sort(runs_.begin(), runs_.end(),
              [](const OwnedInterval& a, const OwnedInterval& b) {
                return std::tie(a.lo, a.hi, a.id) < std::tie(b.lo, b.hi, b.id);
              });
    while (leaves_ < runs_.size()) leaves_ *= 2;
    max_hi_.assign(2 * leaves_, -1);
    int32_t owners = 0;
    for (size_t i = 0; i < runs_.size(); ++i) {
      max_hi_[leaves_ + i] = runs_[i].hi;
      owners = std::max(owners, runs_[i].id + 1);
    }
    for (size_t n = leaves_ - 1; n > 0; --n) Pull(n);
    positions_.resize(owners);
    for (size_t i = 0; i < runs_.size(); ++i) {
      positions_[runs_[i].id].push_back(static_cast<int32_t>(i));
    }
  }

  // Calls visit(owner) once for each run that meets `query`: an owner of
  // several runs may come several times.
  template <typename Visit>
  void ForEachOverlap(const Interval& query, Visit visit) const {
    size_t i = std::lower_bound(runs_.begin(), runs_.end(), query.lo,
                                [](const OwnedInterval& run, int32_t lo) {
                                  return run.lo < lo;
                                }) -
               runs_.begin();
    Stab(1, 0, leaves_, i, query.lo, visit);
    for (; i < runs_.size() && runs_[i].lo <= query.hi; ++i) {
      if (max_hi_[leaves_ + i] >= 0) visit(runs_[i].id);
    }
  }

  void RemoveOwner(int32_t owner) {
    for (const int32_t i : positions_[owner]) {
      size_t n = leaves_ + i;
      max_hi_[n] = -1;
      while (n /= 2) Pull(n);
    }
  }

 private:
  void Pull(size_t n) {
    max_hi_[n] = std::max(max_hi_[2 * n], max_hi_[2 * n + 1]);
  }

  // Runs before place `end` that reach `time`.
  template <typename Visit>
  void Stab(size_t n, size_t lo, size_t hi, size_t end, int32_t time,
            Visit& visit) const {
    if (lo >= end || max_hi_[n] < time) return;
    if (n >= leaves_) return visit(runs_[lo].id);
    const size_t middle = (lo + hi) / 2;
    Stab(2 * n, lo, middle, end, time, visit);
    Stab(2 * n + 1, middle, hi, end, time, visit);
  }

  std::vector<OwnedInterval> runs_;
  std::vector<int32_t> max_hi_;                  // leaf: hi, -1 once removed
  std::vector<std::vector<int32_t>> positions_;  // owner -> places of its runs
  size_t leaves_ = 1;
};

}  // namespace berth

#endif  // BERTH_ALLOCATOR_PLACEMENT_RUN_INDEX_H_
