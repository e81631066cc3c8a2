#include "tools/show/address_axis.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "allocator/base/int_math.h"

namespace berth::show {
namespace {

constexpr size_t kMaxBreaks = 8;

// Sorted, merged where they touch, empty ones left out.
std::vector<ByteSpan> Coalesce(std::vector<ByteSpan> spans) {
  std::sort(spans.begin(), spans.end(),
            [](const ByteSpan& a, const ByteSpan& b) {
              return std::tie(a.lo, a.hi) < std::tie(b.lo, b.hi);
            });
  std::vector<ByteSpan> merged;
  for (const ByteSpan& span : spans) {
    if (span.lo >= span.hi) continue;
    if (!merged.empty() && span.lo <= merged.back().hi) {
      merged.back().hi = std::max(merged.back().hi, span.hi);
    } else {
      merged.push_back(span);
    }
  }
  return merged;
}

// The empty stretches to break, from the bottom.
std::vector<ByteSpan> Breaks(const std::vector<ByteSpan>& covered,
                             uint64_t top) {
  uint64_t covered_bytes = 0;
  std::vector<ByteSpan> gaps;
  uint64_t end = 0;
  for (const ByteSpan& span : covered) {
    covered_bytes += span.hi - span.lo;
    gaps.push_back({end, span.lo});
    end = span.hi;
  }
  if (covered.empty()) return {};
  gaps.push_back({end, std::max(end, top)});
  std::erase_if(gaps, [&](const ByteSpan& gap) {
    return gap.hi - gap.lo <= covered_bytes / 3;
  });
  std::stable_sort(gaps.begin(), gaps.end(),
                   [](const ByteSpan& a, const ByteSpan& b) {
                     return a.hi - a.lo > b.hi - b.lo;
                   });
  if (gaps.size() > kMaxBreaks) gaps.resize(kMaxBreaks);
  std::sort(gaps.begin(), gaps.end(),
            [](const ByteSpan& a, const ByteSpan& b) { return a.lo < b.lo; });
  return gaps;
}

}  // namespace

AddressAxis::AddressAxis(std::vector<ByteSpan> occupied, uint64_t top,
                         Px100 height) {
  const std::vector<ByteSpan> covered = Coalesce(std::move(occupied));
  if (!covered.empty()) top = std::max(top, covered.back().hi);
  top = std::max<uint64_t>(top, 1);
  uint64_t end = 0;
  for (const ByteSpan& gap : Breaks(covered, top)) {
    if (gap.lo > end) segments_.push_back({.bytes = {end, gap.lo}});
    segments_.push_back({.bytes = gap, .broken = true});
    end = gap.hi;
  }
  if (end < top) segments_.push_back({.bytes = {end, top}});

  Px100 linear_height = height;
  for (const AxisSegment& segment : segments_) {
    if (segment.broken) {
      linear_height -= kBreakHeight;
    } else {
      linear_bytes_ += segment.bytes.hi - segment.bytes.lo;
    }
  }
  // Heights from running sums, so that rounding never adds up.
  uint64_t bytes_below = 0;
  Px100 breaks_below = 0;
  for (AxisSegment& segment : segments_) {
    const auto height_here = [&] {
      return breaks_below +
             static_cast<Px100>(uint128{bytes_below} *
                                static_cast<uint64_t>(linear_height) /
                                std::max<uint64_t>(1, linear_bytes_));
    };
    segment.bottom = height_here();
    if (segment.broken) {
      breaks_below += kBreakHeight;
    } else {
      bytes_below += segment.bytes.hi - segment.bytes.lo;
    }
    segment.top = height_here();
  }
}

Px100 AddressAxis::HeightOf(uint64_t address) const {
  for (const AxisSegment& segment : segments_) {
    if (address > segment.bytes.hi) continue;
    const uint64_t span = segment.bytes.hi - segment.bytes.lo;
    const auto pixels = static_cast<uint64_t>(segment.top - segment.bottom);
    return segment.bottom +
           static_cast<Px100>(uint128{address - segment.bytes.lo} * pixels /
                              span);
  }
  return segments_.back().top;
}

}  // namespace berth::show
