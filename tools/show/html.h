// A memory map as a page to look around in.
#ifndef BERTH_TOOLS_SHOW_HTML_H_
#define BERTH_TOOLS_SHOW_HTML_H_

#include <string>

#include "tools/show/memory_map.h"

namespace berth::show {

// One HTML file that stands alone: the drawing of RenderSvg, the wheel zooms,
// dragging moves, a double click goes back, and a field marks the live ranges
// whose name holds what is typed. A click shows what hovering shows.
// Cost: as RenderSvg.
std::string RenderHtml(const MemoryMap& map, const RenderOptions& options);

}  // namespace berth::show

#endif  // BERTH_TOOLS_SHOW_HTML_H_
