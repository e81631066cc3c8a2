// Live ranges too many or too small to draw one by one, merged into a raster.
// Internal to tools/show.
#ifndef BERTH_TOOLS_SHOW_CELLS_H_
#define BERTH_TOOLS_SHOW_CELLS_H_

#include <vector>

#include "tools/show/palette.h"
#include "tools/show/scene.h"

namespace berth::show {

inline constexpr Px100 kCellSize = 2 * kPixel;

struct CellItem {
  Box box;
  Category category = Category::kIntermediate;
};

// The plot area in cells: each takes the colour of the category that covers
// most of it (the first in legend order among equals), in one of four shades by
// how much of it is covered at all; runs of equal cells become boxes. REQUIRES:
// the boxes lie in `plot`. Cost: O(sum of the boxes' heights in cells + cells).
std::vector<SceneCells> MergeIntoCells(const std::vector<CellItem>& items,
                                       const Box& plot);

}  // namespace berth::show

#endif  // BERTH_TOOLS_SHOW_CELLS_H_
