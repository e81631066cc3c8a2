// The neighbours of a location with several intervals, each reported once.
//
// An oracle reports stored intervals, so a neighbour is found once for each
// pair of intervals that meet. A stamp per id drops the repetitions: one load
// and one well-predicted compare an id, against a sort of the answer.
//
// Cost: Of is the oracle's queries plus O(reported intervals); 4 bytes an id.
// Thread-safety: none.
#ifndef BERTH_ALLOCATOR_INTERFERENCE_NEIGHBOURS_H_
#define BERTH_ALLOCATOR_INTERFERENCE_NEIGHBOURS_H_

#include <algorithm>
#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "allocator/interference/oracle.h"
#include "allocator/model/intervals.h"

namespace berth {

class Neighbours {
 public:
  // Ids are 0..num_ids - 1.
  explicit Neighbours(int32_t num_ids)
      : stamp_(static_cast<size_t>(num_ids), 0) {}

  // Appends the ids, `self` left out, that own an interval overlapping one of
  // `intervals`, each once, in the order in which the oracle first reports
  // them. REQUIRES: the oracle's ids are in range (BERTH_CHECK by the vector in
  // debug builds only).
  template <InterferenceOracle Oracle>
  void Of(absl::Span<const Interval> intervals, int32_t self, Oracle* oracle,
          IdList* out) {
    NextRound();
    if (self >= 0 && static_cast<size_t>(self) < stamp_.size()) {
      stamp_[self] = round_;
    }
    for (const Interval& interval : intervals) {
      found_.clear();
      oracle->Overlaps(interval.lo, interval.hi, &found_);
      AppendNew(found_, out);
    }
  }

 private:
  void NextRound() {
    if (++round_ != 0) return;
    std::fill(stamp_.begin(), stamp_.end(), 0);
    round_ = 1;
  }
  void AppendNew(absl::Span<const int32_t> ids, IdList* out) {
    const size_t before = out->size();
    out->resize(before + ids.size());
    int32_t* end = out->data() + before;
    for (int32_t id : ids) {
      *end = id;
      end += stamp_[id] != round_;
      stamp_[id] = round_;
    }
    out->resize(static_cast<size_t>(end - out->data()));
  }

  std::vector<uint32_t> stamp_;  // id -> last round that reported it
  uint32_t round_ = 0;
  IdList found_;
};

}  // namespace berth

#endif  // BERTH_ALLOCATOR_INTERFERENCE_NEIGHBOURS_H_
