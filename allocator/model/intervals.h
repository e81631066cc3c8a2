// Closed intervals over flat time, and flat tables of them.
#ifndef BERTH_ALLOCATOR_MODEL_INTERVALS_H_
#define BERTH_ALLOCATOR_MODEL_INTERVALS_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"

namespace berth {

// Closed [lo, hi], lo <= hi. In programs, flat indices; in CSV problems, ranks
// of the compressed end points (spec §14).
struct Interval {
  int32_t lo = 0;
  int32_t hi = 0;

  friend bool operator==(const Interval&, const Interval&) = default;
};

// Spec §4's overlap test.
inline bool Overlap(const Interval& a, const Interval& b) {
  return a.lo <= b.hi && b.lo <= a.hi;
}

// For each owner 0..size()-1 its intervals, in one flat array (CSR): those of
// owner i are values[offsets[i]] .. values[offsets[i + 1] - 1].
struct IntervalTable {
  std::vector<int32_t> offsets = {0};  // size() + 1 entries
  std::vector<Interval> values;

  int32_t size() const { return static_cast<int32_t>(offsets.size()) - 1; }
  absl::Span<const Interval> of(int32_t owner) const {
    return absl::MakeConstSpan(values).subspan(
        offsets[owner], offsets[owner + 1] - offsets[owner]);
  }
  // Appends the next owner's intervals.
  void Append(absl::Span<const Interval> intervals) {
    values.insert(values.end(), intervals.begin(), intervals.end());
    offsets.push_back(static_cast<int32_t>(values.size()));
  }

  friend bool operator==(const IntervalTable&, const IntervalTable&) = default;
};

// An interval with the dense id of the location that it belongs to.
struct OwnedInterval {
  int32_t lo = 0;
  int32_t hi = 0;
  int32_t id = 0;

  friend bool operator==(const OwnedInterval&, const OwnedInterval&) = default;
};

}  // namespace berth

#endif  // BERTH_ALLOCATOR_MODEL_INTERVALS_H_
