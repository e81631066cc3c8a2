// A memory map as SVG.
#ifndef BERTH_TOOLS_SHOW_SVG_H_
#define BERTH_TOOLS_SHOW_SVG_H_

#include <string>

#include "tools/show/memory_map.h"

namespace berth::show {

// A whole SVG 1.1 document, standing alone. Every live range drawn is one
// <rect class="range"> (class "range pinned" where it is pinned) with a <title>
// that browsers show on hover: name, bytes, address, live range. The same map
// gives the same bytes. Names may hold any bytes; what XML cannot hold is
// replaced by U+FFFD.
// Cost: as Layout, plus the length of the result: some 200 bytes a range.
std::string RenderSvg(const MemoryMap& map, const RenderOptions& options);

}  // namespace berth::show

#endif  // BERTH_TOOLS_SHOW_SVG_H_
