// The plainest oracle: looks at every stored interval (spec §4). The reference
// of the conformance tests, and the fastest there is below some hundred
// intervals.
//
// Cost: build O(n); queries O(n), vectorised; 12 bytes an interval.
#ifndef BERTH_ALLOCATOR_INTERFERENCE_LINEAR_SCAN_H_
#define BERTH_ALLOCATOR_INTERFERENCE_LINEAR_SCAN_H_

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "allocator/interference/oracle.h"

namespace berth {

class LinearScan {
 public:
  explicit LinearScan(absl::Span<const OwnedInterval> intervals);

  void Overlaps(int32_t lo, int32_t hi, IdList* out);
  absl::Status OverlapsOf(int32_t index, IdList* out);
  int64_t Count(int32_t lo, int32_t hi);

  int32_t size() const { return static_cast<int32_t>(lo_.size()); }
  uint64_t bytes() const {
    return (lo_.capacity() + hi_.capacity() + id_.capacity()) * sizeof(int32_t);
  }
  int64_t visits() const { return visits_; }

 private:
  absl::Span<const OwnedInterval> stored_;
  std::vector<int32_t> lo_;
  std::vector<int32_t> hi_;
  std::vector<int32_t> id_;
  int64_t visits_ = 0;
};

}  // namespace berth

#endif  // BERTH_ALLOCATOR_INTERFERENCE_LINEAR_SCAN_H_
