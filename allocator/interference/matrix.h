// The naive O(V^2) interference matrix (spec §4): an adjacency bitset, as a
// graph colourer would build it. Row i holds a bit for each stored interval, so
// the overlaps of a stored interval are its set bits.
//
// A matrix knows only what it stored: Overlaps and Count of an arbitrary
// [lo, hi] look at all intervals.
//
// Cost: build n^2 vectorised tests; OverlapsOf O(n / 64 + k); n / 8 bytes an
// interval, 1.25 GB for 10^5 of them: kMaxMatrixIntervals is where it stops.
#ifndef BERTH_ALLOCATOR_INTERFERENCE_MATRIX_H_
#define BERTH_ALLOCATOR_INTERFERENCE_MATRIX_H_

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "allocator/interference/oracle.h"

namespace berth {

// 2^16: 512 MiB of bits.
inline constexpr int32_t kMaxMatrixIntervals = 1 << 16;

class Matrix {
 public:
  // REQUIRES: at most kMaxMatrixIntervals intervals (BERTH_CHECK).
  explicit Matrix(absl::Span<const OwnedInterval> intervals);

  void Overlaps(int32_t lo, int32_t hi, IdList* out);
  absl::Status OverlapsOf(int32_t index, IdList* out);
  int64_t Count(int32_t lo, int32_t hi);
  // Interference of two stored intervals, O(1). REQUIRES: valid indices.
  bool Interfere(int32_t a, int32_t b) const {
    return bits_[static_cast<size_t>(a) * words_ +
                 static_cast<size_t>(b) / 64] >>
               (b % 64) &
           1;
  }

  int32_t size() const { return static_cast<int32_t>(id_.size()); }
  uint64_t bytes() const {
    return bits_.capacity() * sizeof(uint64_t) +
           id_.capacity() * sizeof(int32_t);
  }
  int64_t visits() const { return visits_; }

 private:
  absl::Span<const OwnedInterval> stored_;
  std::vector<int32_t> id_;
  size_t words_ = 0;  // of a row
  std::vector<uint64_t> bits_;
  int64_t visits_ = 0;
};

}  // namespace berth

#endif  // BERTH_ALLOCATOR_INTERFERENCE_MATRIX_H_
