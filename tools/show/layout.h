// From a memory map to a drawing: where everything goes. Internal to
// tools/show.
//
// Cost: O(ranges log ranges + merged ranges' heights in cells + picture area).
#ifndef BERTH_TOOLS_SHOW_LAYOUT_H_
#define BERTH_TOOLS_SHOW_LAYOUT_H_

#include "tools/show/memory_map.h"
#include "tools/show/scene.h"

namespace berth::show {

Scene Layout(const MemoryMap& map, const RenderOptions& options);

}  // namespace berth::show

#endif  // BERTH_TOOLS_SHOW_LAYOUT_H_
