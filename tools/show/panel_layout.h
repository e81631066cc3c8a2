// One panel of a memory map: plot, axes, marks. Internal to tools/show.
#ifndef BERTH_TOOLS_SHOW_PANEL_LAYOUT_H_
#define BERTH_TOOLS_SHOW_PANEL_LAYOUT_H_

#include "tools/show/memory_map.h"
#include "tools/show/scene.h"

namespace berth::show {

// Heights that a panel needs beside its plot: title above, time axis below.
inline constexpr Px100 kPanelHeadHeight = 52 * kPixel;
inline constexpr Px100 kPanelFootHeight = 44 * kPixel;

// Adds the panel to `scene`, its plot in `plot`.
void AddPanel(const MapPanel& panel, const Box& plot,
              const RenderOptions& options, Scene& scene);

}  // namespace berth::show

#endif  // BERTH_TOOLS_SHOW_PANEL_LAYOUT_H_
