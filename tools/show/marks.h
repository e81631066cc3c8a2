// The lines of a panel: floor, bound, peak. Internal to tools/show.
#ifndef BERTH_TOOLS_SHOW_MARKS_H_
#define BERTH_TOOLS_SHOW_MARKS_H_

#include <vector>

#include "tools/show/address_axis.h"
#include "tools/show/memory_map.h"
#include "tools/show/scene.h"

namespace berth::show {

// Adds a line across `plot` for each mark, and its label on the right; labels
// that would overlap are moved apart. A mark above the axis has a label alone.
// Cost: O(marks log marks).
void AddMarks(const std::vector<MapMark>& marks, const Box& plot,
              const AddressAxis& axis, Scene& scene);

}  // namespace berth::show

#endif  // BERTH_TOOLS_SHOW_MARKS_H_
