// A memory map as a page to look around in.
#ifndef BERTH_TOOLS_SHOW_HTML_H_
#define BERTH_TOOLS_SHOW_HTML_H_

#include <string>
#include <vector>

#include "absl/types/span.h"
#include "tools/show/memory_map.h"

namespace berth::show {

// One placement of a page, and what it is called beside another: "briggs".
struct PageSide {
  const MemoryMap* map = nullptr;
  std::string title;
};

// One HTML file that stands alone, for any number of live ranges: the wheel
// zooms (shift: time only, alt: addresses only), dragging moves, hovering and
// clicking tell a live range, a field finds names; colours by usage, size or
// age; each panel is a lane. Two sides of the same input stand side by side and
// move together. Title and note are those of the first side.
// REQUIRES: one side or more. Cost: O(live ranges); about 60 bytes each.
std::string RenderHtml(absl::Span<const PageSide> sides);

// The map as the page's script reads it: JSON that can stand in a <script>.
std::string PageData(absl::Span<const PageSide> sides);

}  // namespace berth::show

#endif  // BERTH_TOOLS_SHOW_HTML_H_
