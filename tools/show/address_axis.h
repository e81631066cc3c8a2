// The address axis: linear, but for breaks where a long stretch of addresses
// holds nothing (between a small CC region and its reserve, below a high
// floor). Internal to tools/show.
#ifndef BERTH_TOOLS_SHOW_ADDRESS_AXIS_H_
#define BERTH_TOOLS_SHOW_ADDRESS_AXIS_H_

#include <cstdint>
#include <vector>

#include "tools/show/scene.h"

namespace berth::show {

// Bytes [lo, hi).
struct ByteSpan {
  uint64_t lo = 0;
  uint64_t hi = 0;
};

struct AxisSegment {
  ByteSpan bytes;
  Px100 bottom = 0;  // heights above the bottom of the axis
  Px100 top = 0;
  bool broken = false;  // shown in kBreakHeight, whatever its length
};

inline constexpr Px100 kBreakHeight = 18 * kPixel;

class AddressAxis {
 public:
  // From 0 to the higher of `top` and the highest span. Empty stretches longer
  // than a third of all that is occupied are broken, at most eight, the longest
  // first. Cost: O(spans log spans).
  AddressAxis(std::vector<ByteSpan> occupied, uint64_t top, Px100 height);

  // Height of `address` above the bottom; beyond the top, the top. Monotone.
  Px100 HeightOf(uint64_t address) const;

  uint64_t top() const { return segments_.back().bytes.hi; }
  // From the bottom; they touch and cover the axis.
  const std::vector<AxisSegment>& segments() const { return segments_; }
  // Bytes of the segments that are not broken.
  uint64_t linear_bytes() const { return linear_bytes_; }

 private:
  std::vector<AxisSegment> segments_;
  uint64_t linear_bytes_ = 0;
};

}  // namespace berth::show

#endif  // BERTH_TOOLS_SHOW_ADDRESS_AXIS_H_
