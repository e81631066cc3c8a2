#include "allocator/pipeline/local_allocation.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "allocator/base/int_math.h"
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
#include "allocator/pipeline/place_run.h"
#include "allocator/pipeline/state.h"
#include "allocator/placement/planners.h"
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

class EventLog {
 public:
  EventLog(const Site& site, std::vector<Event>& events)
      : site_(site), events_(events) {}

  void Say(EventKind kind, uint64_t value = 0, uint64_t second = 0) {
    events_.push_back(
        {kind, site_.core, site_.function->name, "", "", value, second});
  }
  void SayName(EventKind kind, absl::string_view name, uint64_t value = 0,
               absl::string_view detail = "") {
    events_.push_back({kind, site_.core, site_.function->name,
                       std::string(name), std::string(detail), value, 0});
  }

 private:
  const Site& site_;
  std::vector<Event>& events_;
};

// Pinned bytes are exempt from pages and alignment, with a warning (spec §6).
void WarnOfPinsOffPage(const Site& site, EventLog& log) {
  for (const Location& location : site.function->locations) {
    if (location.type != MemoryType::kDram || location.space != Space::kLocal ||
        !location.pinned() || location.byte_size() == 0) {
      continue;
    }
    const uint64_t address = *location.address;
    const uint64_t in_page = address % kDramPageBytes;
    const bool straddles = location.byte_size() <= kDramPageBytes &&
                           in_page + location.byte_size() > kDramPageBytes;
    if (straddles || address % location.alignment != 0) {
      log.SayName(EventKind::kPinnedOffPage, location.name, address);
    }
  }
}

RunRecord StartRecord(const PlanOptions& options, const Numbering& numbering) {
  RunRecord record;
  record.space = Space::kLocal;
  record.size_rounding = options.size_rounding;
  record.link_mode = options.link_mode;
  record.planner = options.planner;
  record.spill_bytes = numbering.spill_bytes;
  record.aligned_spill_bytes = numbering.aligned_spill_bytes;
  record.dram_bytes = numbering.dram_bytes;
  record.unreferenced = numbering.unreferenced;
  record.external = numbering.external;
  return record;
}

// Places what `numbering` holds above `floor`, into `report`.
absl::Status Place(const Site& site, const HighWater& floor,
                   Numbering& numbering, PipelineState& state, EventLog& log,
                   RunReport& report) {
  const PlanOptions& options = state.options;
  Problem& problem = numbering.problem;
  problem.floor = floor.end;
  problem.floor_reason = floor.reason;
  problem.ceiling = options.hbm_per_core_bytes;
  const CcRegion cc =
      FindCcRegion(problem.floor, problem.ceiling, numbering.any_cc,
                   options.allreduce_buffer_mib, numbering.auto_cc_bytes);
  problem.cc_end = cc.end;
  if (problem.floor > 0) {
    log.Say(EventKind::kUsedHighWaterMark, problem.floor - 1);
  }
  log.Say(EventKind::kReservedSpace, problem.floor);
  if (numbering.any_cc) {
    log.Say(EventKind::kCcLimit, cc.end - problem.floor);
    if (cc.cut) {
      const auto asked = static_cast<uint64_t>(
          std::min<uint128>(cc.asked_bytes, ~uint64_t{0}));
      log.Say(EventKind::kCcCut, asked, cc.end - problem.floor);
    }
  }
  Enter(state.seam, Phase::kBuild);
  BERTH_ASSIGN_OR_RETURN(
      const std::vector<OwnedInterval> intervals,
      EmitIntervals(*site.function, *site.liveness, options.emission,
                    numbering.location_of));
  report.record.intervals = intervals.size();
  log.Say(EventKind::kNumIntervals, intervals.size(),
          numbering.location_of.size());
  log.Say(EventKind::kIntervalTreeDone);
  log.Say(EventKind::kSimplify, static_cast<uint64_t>(std::min<uint128>(
                                    MaxLoad(problem), ~uint64_t{0})));

  PlannerOptions planner;
  planner.planner = options.planner;
  planner.budget_steps = options.budget_steps;
  planner.stop = state.stop;
  planner.seam = state.seam;
  BERTH_ASSIGN_OR_RETURN(const Placement placement,
                         PlaceRun(problem, planner, report.record));
  Enter(state.seam, Phase::kOther);
  report.visits = placement.visits;
  report.proved_optimal = placement.proved_optimal;
  for (int32_t id = 0; id < problem.num_nodes(); ++id) {
    Location& location = site.function->locations[numbering.location_of[id]];
    location.address = placement.address[id];
    location.placed_by = PlacedBy::kBerth;
  }
  if (numbering.any_cc) {
    log.Say(EventKind::kAllreduceHwm, report.record.allreduce_dram_hwm);
    log.Say(EventKind::kRealCcBufferSize, report.record.real_cc_buffer_size);
  }
  log.Say(EventKind::kSuccess);
  return absl::OkStatus();
}

absl::Status AllocateFunction(const Site& site, const HighWater& floor,
                              PipelineState& state) {
  EventLog log(site, state.report.events);
  log.SayName(EventKind::kAllocating, Name(state.options.link_mode), 0,
              Name(Space::kLocal));
  WarnOfPinsOffPage(site, log);
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
  report.record = StartRecord(state.options, numbering);
  absl::Status status;
  if (numbering.any_candidate) {
    status = Place(site, floor, numbering, state, log, report);
  } else {
    // Early exit (spec §9): nothing to place is success.
    report.record.floor = floor.end;
    report.record.reserved_space = floor.end;
    report.record.ceiling = state.options.hbm_per_core_bytes;
    report.record.cc_end = floor.end;
    report.record.peak = floor.end;
    report.record.allreduce_dram_hwm = floor.end;
    report.record.peak_without_cc_reserve = floor.end;
    report.record.dram_allocation_result = true;
    log.Say(EventKind::kNoCandidate);
  }
  site.function->runs.push_back(report.record);
  state.report.runs.push_back(std::move(report));
  if (!status.ok()) {
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
