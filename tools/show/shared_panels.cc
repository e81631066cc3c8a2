#include "tools/show/shared_panels.h"

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "allocator/model/intervals.h"
#include "allocator/model/program.h"
#include "allocator/pipeline/shared_times.h"
#include "allocator/pipeline/sharing.h"
#include "allocator/rendezvous/core_order.h"
#include "tools/show/panel_marks.h"

namespace berth::show {
namespace {

constexpr int32_t kCommon = -1;

struct SharedPanel {
  MapPanel panel;
  LoadSweep load;
  const RunRecord* run = nullptr;
};

// By slab, kCommon for the common run. A panel for each record there is.
std::map<int32_t, SharedPanel> PanelsOfRuns(
    const std::vector<const Module*>& modules) {
  std::map<int32_t, SharedPanel> panels;
  for (const Module* module : modules) {
    for (const Function& function : module->functions) {
      for (const RunRecord& run : function.runs) {
        if (run.space == Space::kShared) panels[run.slab].run = &run;
      }
    }
  }
  return panels;
}

void AddTensor(const Location& owner, const Interval& phases, bool collective,
               SharedPanel& to) {
  if (!owner.address.has_value()) {
    to.panel.num_unplaced += owner.placeable();
    return;
  }
  if (owner.placeable() && !owner.pinned()) {
    to.load.Add(phases.lo, phases.hi, owner.aligned_size());
  }
  to.panel.ranges.push_back({.lo = phases.lo,
                             .hi = phases.hi,
                             .address = *owner.address,
                             .size_bytes = owner.byte_size(),
                             .label = owner.name,
                             .usage = owner.usage,
                             .cc = collective,
                             .pinned = owner.pinned()});
}

}  // namespace

std::vector<MapPanel> SharedPanels(const Program& program) {
  const absl::StatusOr<Sharing> sharing = Sharing::Of(program);
  if (!sharing.ok() || sharing->size() == 0) return {};
  const absl::StatusOr<CoreOrder> order = CoreOrder::Of(program);
  if (!order.ok()) return {};
  const SharedTimes times = FindSharedTimes(program, *sharing, *order);
  std::vector<const Module*> modules(program.modules.size());
  for (const Module& module : program.modules) modules[module.core] = &module;

  std::map<int32_t, SharedPanel> panels = PanelsOfRuns(modules);
  const bool slabs = !panels.empty() && panels.rbegin()->first != kCommon;
  for (int32_t tensor = 0; tensor < sharing->size(); ++tensor) {
    const LocationPlace& place = sharing->owner(tensor);
    const Location& owner = LocationAt(modules, place);
    for (const Interval& phases : times.phases.of(tensor)) {
      AddTensor(owner, phases, times.collective[tensor],
                panels[slabs ? place.core : kCommon]);
    }
  }
  std::vector<MapPanel> out;
  for (auto& [slab, shared] : panels) {
    MapPanel& panel = shared.panel;
    if (panel.ranges.empty() && panel.num_unplaced == 0) continue;
    panel.title = slab == kCommon ? std::string("shared space")
                                  : absl::StrCat("shared, slab of core ", slab);
    panel.time_label = "phase";
    if (shared.run != nullptr) {
      AddRunMarks(*shared.run, panel);
    } else if (!panel.ranges.empty()) {
      AddDerivedMarks(shared.load.Max(), panel);
    }
    out.push_back(std::move(panel));
  }
  return out;
}

}  // namespace berth::show
