#include "allocator/pipeline/shared_sync.h"

#include <cstdint>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "allocator/model/program.h"
#include "allocator/pipeline/events.h"
#include "allocator/pipeline/sharing.h"
#include "allocator/pipeline/state.h"

namespace berth {

absl::Status SyncSharedAllocations(PipelineState& state) {
  const Sharing& sharing = state.analysis.sharing;
  const std::vector<Module*> modules = state.ModulesByCore();
  for (int32_t tensor = 0; tensor < sharing.size(); ++tensor) {
    const Location& owner = LocationAt(modules, sharing.owner(tensor));
    if (!owner.shared_post_dram_alloc || !owner.address.has_value()) continue;
    for (const LocationPlace& place : sharing.copies(tensor)) {
      Location& copy = LocationAt(modules, place);
      copy.partition = owner.partition.value_or(0);
      copy.bank = owner.bank.value_or(0);
      if (copy.address.has_value()) continue;  // pre-placed, and checked equal
      copy.address = owner.address;
      copy.placed_by = PlacedBy::kSync;
      Event event;
      event.kind = EventKind::kAssignedRemote;
      event.core = place.core;
      event.function = modules[place.core]->functions[place.function].name;
      event.name = copy.name;
      event.value = *copy.address;
      state.report.events.push_back(std::move(event));
    }
  }
  return absl::OkStatus();
}

}  // namespace berth
