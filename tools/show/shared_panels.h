// The shared space of a placed program as panels. Internal to tools/show.
#ifndef BERTH_TOOLS_SHOW_SHARED_PANELS_H_
#define BERTH_TOOLS_SHOW_SHARED_PANELS_H_

#include <vector>

#include "allocator/model/program.h"
#include "tools/show/memory_map.h"

namespace berth::show {

inline bool IsShared(const Location& location) {
  return location.type == MemoryType::kDram && location.space == Space::kShared;
}

// One panel for the common run, or one for each slab, owner cores ascending;
// time is phases (spec §10), and an owner stands for its copies. Empty where
// nothing is shared, and where phases or owners cannot be told: then each
// function shows what it has. Cost: that of the order across cores.
std::vector<MapPanel> SharedPanels(const Program& program);

}  // namespace berth::show

#endif  // BERTH_TOOLS_SHOW_SHARED_PANELS_H_
