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

absl::Status AllocateFunction(const Site& site, const HighWater& floor,
                              PipelineState& state) {
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

// What is counted below the LOCAL run of each function of a module.
class ModuleFloor {
 public:
  ModuleFloor(const Module& module, const HighWater& shared, LinkMode mode)
      : core_(module.core), mode_(mode), shared_(shared) {
    for (const Function& function : module.functions) {
      pinned_.push_back(PinnedHighWater(function, module.core));
      // The two highest: a function asks for the highest of the others.
      if (first_ < 0 || pinned_.back().end > pinned_[first_].end) {
        second_ = first_;
        first_ = static_cast<int32_t>(pinned_.size()) - 1;
      } else if (second_ < 0 || pinned_.back().end > pinned_[second_].end) {
        second_ = static_cast<int32_t>(pinned_.size()) - 1;
      }
    }
  }

  HighWater Of(int32_t function) const {
    HighWater floor = shared_;
    floor.Count(earlier_);
    const int32_t pinned =
        mode_ == LinkMode::kPost && function == first_ ? second_ : first_;
    if (pinned >= 0) floor.Count(pinned_[pinned]);
    return floor;
  }

  // `function` has been placed; later functions start above it.
  void Done(const Function& function) {
    for (const Location& location : function.locations) {
      if (location.candidate(Space::kLocal) && !location.pinned()) {
        earlier_.Count(location, function.name, core_);
      }
    }
  }

 private:
  const int32_t core_;
  const LinkMode mode_;
  const HighWater& shared_;
  std::vector<HighWater> pinned_;  // per function
  int32_t first_ = -1;
  int32_t second_ = -1;
  HighWater earlier_;
};

}  // namespace

absl::Status AllocateLocal(PipelineState& state) {
  const HighWater shared = SharedHighWater(*state.program);
  for (Module* module : state.ModulesByCore()) {
    BERTH_ASSIGN_OR_RETURN(const std::vector<int32_t> order,
                           CalleesFirst(*module));
    ModuleFloor floor(*module, shared, state.options.link_mode);
    for (const int32_t f : order) {
      const Site site{module->core, &module->functions[f],
                      &state.analysis.liveness[module->core][f]};
      BERTH_RETURN_IF_ERROR(AllocateFunction(site, floor.Of(f), state));
      floor.Done(module->functions[f]);
    }
  }
  return absl::OkStatus();
}

}  // namespace berth
