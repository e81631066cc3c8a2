// What a picture of a placement shows, apart from where it came from: time
// across, addresses up, one rectangle per live range. Builders make it from a
// program or a CSV problem (from_model.h); renderers turn it into SVG (svg.h),
// PNG (png.h) or a page (html.h).
//
// Plain values. Thread-safety: const use from several threads is safe.
#ifndef BERTH_TOOLS_SHOW_MEMORY_MAP_H_
#define BERTH_TOOLS_SHOW_MEMORY_MAP_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "allocator/model/program.h"

namespace berth::show {

// One live range of one location: bytes [address, address + size_bytes) during
// the closed times [lo, hi]. Any values are survived: size zero, an end past
// 2^64, lo > hi (not drawn, counted in the note).
struct MapRange {
  int64_t lo = 0;
  int64_t hi = 0;
  uint64_t address = 0;
  uint64_t size_bytes = 0;
  std::string label;
  Usage usage = Usage::kIntermediate;
  bool cc = false;      // accessed by a COLLECTIVE
  bool pinned = false;  // its address came with the input
  // Position in the order in which locations were placed; -1: not known.
  int64_t placed_at = -1;
};

enum class MarkKind : uint8_t {
  kFloor = 0,
  kLowerBound = 1,
  kPeak = 2,
  kCeiling = 3,
  kOther = 4,
};

// A line across the picture at an address.
struct MapMark {
  MarkKind kind = MarkKind::kOther;
  uint64_t address = 0;
  std::string label;  // "peak 12.5 MiB"
};

// Bytes [lo, hi) that are kept for collectives.
struct MapRegion {
  uint64_t lo = 0;
  uint64_t hi = 0;
};

// One function, core or run.
struct MapPanel {
  std::string title;
  std::string time_label = "flat time";
  std::vector<MapRange> ranges;
  std::vector<MapMark> marks;
  std::optional<MapRegion> cc_region;
  // Live ranges that have no address, and so no place in the picture.
  int64_t num_unplaced = 0;
};

struct MemoryMap {
  std::string title;
  std::vector<MapPanel> panels;
  std::string note;  // shown under the title; empty: none
};

struct RenderOptions {
  int32_t width_px = 1240;
  // Live ranges drawn one by one in a panel. Of more, those of at least
  // three by three pixels are, the largest first; the others are merged into a
  // raster of two-pixel cells, and the picture says how many.
  int32_t max_drawn = 5000;
  // Panels drawn; of more, those with the most bytes, and the picture says so.
  int32_t max_panels = 16;
  // PNG only: pixels per unit of width_px.
  int32_t png_scale = 2;
};

}  // namespace berth::show

#endif  // BERTH_TOOLS_SHOW_MEMORY_MAP_H_
