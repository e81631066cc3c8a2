#include "allocator/pipeline/address_rotation.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "allocator/base/int_math.h"
#include "allocator/base/status_macros.h"
#include "allocator/dependence/dependence.h"
#include "allocator/model/check_program.h"
#include "allocator/model/program.h"
#include "allocator/pipeline/events.h"
#include "allocator/pipeline/floor.h"
#include "allocator/pipeline/local_allocation.h"
#include "allocator/pipeline/numbering.h"
#include "allocator/pipeline/place_run.h"
#include "allocator/pipeline/run_step.h"
#include "allocator/pipeline/state.h"
#include "allocator/placement/window_first_fit.h"

namespace berth {
namespace {

bool PlacedByRun(const Location& location) {
  return location.candidate(Space::kLocal) &&
         location.placed_by == PlacedBy::kBerth;
}

void TakeAddressesBack(Function& function) {
  for (Location& location : function.locations) {
    if (!PlacedByRun(location)) continue;
    location.address.reset();
    location.placed_by = PlacedBy::kNone;
  }
}

bool IsLocalRunOf(const RunReport& run, const Module& module,
                  const Function& function) {
  return run.core == module.core && run.function == function.name &&
         run.record.space == Space::kLocal;
}

// The functions of one module, one after another.
class ModuleRotation {
 public:
  ModuleRotation(Module& module, const HighWater& shared, PipelineState& state)
      : module_(module),
        state_(state),
        floor_(module, shared, state.options.link_mode) {}

  absl::Status Run() {
    BERTH_ASSIGN_OR_RETURN(const std::vector<int32_t> order,
                           CalleesFirst(module_));
    const std::vector<Function> before = module_.functions;
    const std::vector<RunReport> reports = state_.report.runs;
    for (const int32_t f : order) {
      Function& function = module_.functions[f];
      if (any_moved_ && !PlaceAnew(f)) {
        // What follows the ones that moved has no room above them.
        module_.functions = before;
        state_.report.runs = reports;
        EventLog(module_.core, function.name, state_.report.events)
            .SayName(EventKind::kRotationFailed, function.name);
        return absl::OkStatus();
      }
      RotateFunction(f);
      floor_.Done(function);
    }
    return absl::OkStatus();
  }

 private:
  RunReport* ReportOf(const Function& function) {
    for (RunReport& run : state_.report.runs) {
      if (IsLocalRunOf(run, module_, function)) return &run;
    }
    return nullptr;
  }

  // Places function `f` above what has moved; false if it does not fit.
  bool PlaceAnew(int32_t f) {
    Function& function = module_.functions[f];
    RunReport* const old = ReportOf(function);
    if (old == nullptr) return true;
    TakeAddressesBack(function);
    std::erase_if(function.runs, [](const RunRecord& run) {
      return run.space == Space::kLocal;
    });
    // Events of this run have been told.
    PipelineState scratch;
    scratch.program = state_.program;
    scratch.options = state_.options;
    scratch.stop = state_.stop;
    scratch.seam = state_.seam;
    const absl::Status status = AllocateFunction(
        module_.core, function, state_.analysis.liveness[module_.core][f],
        floor_.Of(f), scratch);
    if (!status.ok()) return false;
    *old = std::move(scratch.report.runs.front());
    return true;
  }

  void RotateFunction(int32_t f) {
    Function& function = module_.functions[f];
    RunReport* const report = ReportOf(function);
    if (report == nullptr || !report->record.dram_allocation_result) return;
    const Function before = function;
    TakeAddressesBack(function);
    Numbering numbering =
        NumberLocations(function, state_.analysis.liveness[module_.core][f],
                        Space::kLocal, report->record.size_rounding);
    if (numbering.location_of.empty()) {
      function = before;
      return;
    }
    Problem& problem = numbering.problem;
    problem.floor = report->record.floor;
    problem.cc_end = report->record.cc_end;
    problem.ceiling = report->record.ceiling;
    Placement placement;
    for (const int32_t l : numbering.location_of) {
      placement.address.push_back(*before.locations[l].address);
    }
    const uint64_t cap =
        CheckedAdd(problem.floor, state_.options.dram_rotation_cap_bytes)
            .value_or(std::numeric_limits<uint64_t>::max());
    int32_t failed = -1;
    const auto rotated = RotatePlacement(
        problem, placement, std::min(cap, problem.ceiling), failed);
    EventLog log(module_.core, function.name, state_.report.events);
    if (!rotated) {
      log.SayName(EventKind::kRotationFailed,
                  function.locations[numbering.location_of[failed]].name);
      function = before;
      return;
    }
    for (size_t id = 0; id < numbering.location_of.size(); ++id) {
      Location& location = function.locations[numbering.location_of[id]];
      location.address = rotated->address[id];
      location.placed_by = PlacedBy::kBerth;
    }
    const uint64_t edges = PlacementDependences(before, Space::kLocal).size();
    const uint64_t fewer = PlacementDependences(function, Space::kLocal).size();
    if (fewer >= edges) {
      if (edges > 0) log.Say(EventKind::kRotationKept, edges, fewer);
      function = before;
      return;
    }
    log.Say(EventKind::kRotated, edges, fewer);
    MeasurePlacement(problem, *rotated, report->record);
    report->record.rotated = true;
    report->proved_optimal = false;
    for (RunRecord& run : function.runs) {
      if (run.space == Space::kLocal) run = report->record;
    }
    any_moved_ = true;
  }

  Module& module_;
  PipelineState& state_;
  ModuleFloor floor_;
  bool any_moved_ = false;
};

}  // namespace

std::optional<Placement> RotatePlacement(const Problem& problem,
                                         const Placement& placement,
                                         uint64_t ceiling, int32_t& failed) {
  // CC nodes stay where they are; they are there first.
  std::vector<int32_t> order;
  std::vector<int32_t> moving;
  for (int32_t id = 0; id < problem.num_nodes(); ++id) {
    if (problem.size_bytes[id] == 0) continue;
    (problem.cc[id] ? order : moving).push_back(id);
  }
  std::sort(moving.begin(), moving.end(), [&](int32_t a, int32_t b) {
    return std::make_tuple(problem.live.of(a).front().lo, a) <
           std::make_tuple(problem.live.of(b).front().lo, b);
  });
  const size_t num_cc = order.size();
  order.insert(order.end(), moving.begin(), moving.end());
  WindowFirstFit first_fit(problem, order);
  for (size_t i = 0; i < num_cc; ++i) {
    first_fit.Place(order[i], placement.address[order[i]]);
  }
  Placement rotated = placement;
  rotated.proved_optimal = false;
  uint64_t cursor = problem.cc_end;
  for (const int32_t id : moving) {
    std::optional<uint64_t> address;
    if (cursor < ceiling) address = first_fit.Find(id, cursor, ceiling);
    if (!address && problem.cc_end < ceiling) {
      address = first_fit.Find(id, problem.cc_end, ceiling);
    }
    if (!address) {
      failed = id;
      return std::nullopt;
    }
    first_fit.Place(id, *address);
    rotated.address[id] = *address;
    cursor = *address + problem.size_bytes[id];
  }
  return rotated;
}

absl::Status RotateAddresses(PipelineState& state) {
  const HighWater shared = SharedHighWater(*state.program);
  for (Module* module : state.ModulesByCore()) {
    BERTH_RETURN_IF_ERROR(ModuleRotation(*module, shared, state).Run());
  }
  return absl::OkStatus();
}

}  // namespace berth
