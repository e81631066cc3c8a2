#include "allocator/pipeline/local_allocation.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "allocator/base/phase.h"
#include "allocator/base/status_macros.h"
#include "allocator/liveness/liveness.h"
#include "allocator/model/check_program.h"
#include "allocator/model/names.h"
#include "allocator/model/options.h"
#include "allocator/model/program.h"
#include "allocator/pipeline/events.h"
#include "allocator/pipeline/floor.h"
#include "allocator/pipeline/numbering.h"
#include "allocator/pipeline/overload.h"
#include "allocator/pipeline/run_step.h"
#include "allocator/pipeline/state.h"
#include "allocator/placement/problem.h"

namespace berth {
namespace {

// One function of one core, while it is placed.
struct Site {
  int32_t core;
  Function* function;
  const Liveness* liveness;

  std::string Where() const {
    return absl::StrCat("core ", core, " ", function->name);
  }
};

// Places what `numbering` holds above `floor`, into `report`.
absl::Status Place(const Site& site, const HighWater& floor,
                   Numbering& numbering, PipelineState& state, EventLog& log,
                   RunReport& report) {
  BERTH_ASSIGN_OR_RETURN(
      const std::vector<OwnedInterval> intervals,
      EmitIntervals(*site.function, *site.liveness, state.options.emission,
                    numbering.location_of));
  const RunSpace space{floor.end, floor.reason,
                       state.options.hbm_per_core_bytes};
  BERTH_ASSIGN_OR_RETURN(
      const Placement placement,
      PlaceNumbered(space, intervals.size(), numbering, state, log, report));
  for (int32_t id = 0; id < numbering.problem.num_nodes(); ++id) {
    Location& location = site.function->locations[numbering.location_of[id]];
    location.address = placement.address[id];
    location.placed_by = PlacedBy::kBerth;
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status AllocateFunction(int32_t core, Function& function,
                              const Liveness& liveness, const HighWater& floor,
                              PipelineState& state) {
  const Site site{core, &function, &liveness};
  EventLog log(site.core, site.function->name, state.report.events);
  log.SayName(EventKind::kAllocating, Name(state.options.link_mode), 0,
              Name(Space::kLocal));
  WarnOfPinsOffPage(*site.function, Space::kLocal, log);
  Enter(state.seam, Phase::kBuild);
  Numbering numbering =
      NumberLocations(*site.function, *site.liveness, Space::kLocal,
                      state.options.size_rounding);
  for (const int32_t i : numbering.unreferenced_locations) {
    const Location& location = site.function->locations[i];
    if (!location.nki) log.SayName(EventKind::kUnreferenced, location.name);
  }
  RunReport report;
  report.core = site.core;
  report.function = site.function->name;
  report.record = StartRecord(Space::kLocal, -1, state.options, numbering);
  absl::Status status;
  if (numbering.any_candidate) {
    status = Place(site, floor, numbering, state, log, report);
  } else {
    ExitEarly({floor.end, floor.reason, state.options.hbm_per_core_bytes}, log,
              report.record);
  }
  site.function->runs.push_back(report.record);
  state.report.runs.push_back(std::move(report));
  if (!status.ok()) {
    if (absl::IsResourceExhausted(status)) {
      state.overload =
          FindOverload(numbering.problem, site.Where(), "instruction");
    }
    return absl::Status(status.code(),
                        absl::StrCat(site.Where(), ": ", status.message()));
  }
  return absl::OkStatus();
}

absl::Status AllocateLocal(PipelineState& state) {
  const HighWater shared = SharedHighWater(*state.program);
  for (Module* module : state.ModulesByCore()) {
    BERTH_ASSIGN_OR_RETURN(const std::vector<int32_t> order,
                           CalleesFirst(*module));
    ModuleFloor floor(*module, shared, state.options.link_mode);
    for (const int32_t f : order) {
      BERTH_RETURN_IF_ERROR(AllocateFunction(
          module->core, module->functions[f],
          state.analysis.liveness[module->core][f], floor.Of(f), state));
      floor.Done(module->functions[f]);
    }
  }
  return absl::OkStatus();
}

}  // namespace berth
