#include "allocator/pipeline/shared_allocation.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "allocator/base/int_math.h"
#include "allocator/base/phase.h"
#include "allocator/base/status_macros.h"
#include "allocator/model/names.h"
#include "allocator/model/options.h"
#include "allocator/model/program.h"
#include "allocator/pipeline/events.h"
#include "allocator/pipeline/floor.h"
#include "allocator/pipeline/numbering.h"
#include "allocator/pipeline/overload.h"
#include "allocator/pipeline/run_step.h"
#include "allocator/pipeline/shared_numbering.h"
#include "allocator/pipeline/sharing.h"
#include "allocator/pipeline/state.h"
#include "allocator/placement/problem.h"

namespace berth {
namespace {

constexpr int32_t kCommonRun = -1;
constexpr uint64_t kMaxBytes = ~uint64_t{0};

// The one place that writes the mark (spec §10).
void MarkShared(PipelineState& state) {
  const Sharing& sharing = state.analysis.sharing;
  const std::vector<Module*> modules = state.ModulesByCore();
  std::vector<bool> has_copies(modules.size());
  for (int32_t tensor = 0; tensor < sharing.size(); ++tensor) {
    LocationAt(modules, sharing.owner(tensor)).shared_post_dram_alloc = true;
    for (const LocationPlace& copy : sharing.copies(tensor)) {
      LocationAt(modules, copy).shared_post_dram_alloc = true;
      has_copies[copy.core] = true;
    }
  }
  for (size_t core = 0; core < modules.size(); ++core) {
    if (!has_copies[core]) continue;
    Event event;
    event.kind = EventKind::kSkippingShared;
    event.core = static_cast<int32_t>(core);
    event.value = core;
    state.report.events.push_back(std::move(event));
  }
}

class SharedRuns {
 public:
  explicit SharedRuns(PipelineState& state)
      : state_(state),
        sharing_(state.analysis.sharing),
        modules_(state.ModulesByCore()),
        floor_(ProgramHighWater(*state.program)),
        numbering_(*state.program, state.analysis,
                   state.options.size_rounding) {}

  absl::Status Run() {
    state_.report.shared_floor = floor_.end;
    if (state_.options.shared_mb_per_core == 0) {
      return RunOne(kCommonRun, 0, sharing_.size(), CommonSpace());
    }
    // Tensors are ordered by owner core: each slab's are neighbours.
    for (int32_t begin = 0, end = 0; begin < sharing_.size(); begin = end) {
      const int32_t core = sharing_.owner(begin).core;
      while (end < sharing_.size() && sharing_.owner(end).core == core) ++end;
      BERTH_RETURN_IF_ERROR(RunOne(core, begin, end, SlabSpace(core)));
    }
    return absl::OkStatus();
  }

 private:
  RunSpace CommonSpace() const {
    return {floor_.end, floor_.reason, state_.options.hbm_per_core_bytes};
  }

  // [floor + core * M, floor + (core + 1) * M), cut by the window. A slab past
  // the window, or past 2^64, has no room at all.
  RunSpace SlabSpace(int32_t core) const {
    const uint128 width =
        static_cast<uint128>(state_.options.shared_mb_per_core) << 20;
    const auto saturated = [](uint128 value) {
      return static_cast<uint64_t>(std::min<uint128>(value, kMaxBytes));
    };
    RunSpace space;
    space.floor = saturated(floor_.end + width * static_cast<uint32_t>(core));
    space.floor_reason = absl::StrCat(
        "slab ", core, " of ", state_.options.shared_mb_per_core, " MiB above ",
        floor_.end, floor_.reason.empty() ? "" : ", where ", floor_.reason);
    space.ceiling =
        std::min(state_.options.hbm_per_core_bytes,
                 saturated(floor_.end + width * (uint128{1} + core)));
    return space;
  }

  absl::Status RunOne(int32_t slab, int32_t begin, int32_t end,
                      const RunSpace& space) {
    EventLog log(slab == kCommonRun ? kAllCores : slab, "",
                 state_.report.events);
    log.SayName(EventKind::kAllocating, Name(state_.options.link_mode), 0,
                Name(Space::kShared));
    Enter(state_.seam, Phase::kBuild);
    BERTH_ASSIGN_OR_RETURN(Numbering numbering, numbering_.Number(begin, end));
    for (const int32_t tensor : numbering.unreferenced_locations) {
      const Location& owner = LocationAt(modules_, sharing_.owner(tensor));
      if (!owner.nki) log.SayName(EventKind::kUnreferenced, owner.name);
    }
    RunReport report;
    report.core = slab;
    report.record =
        StartRecord(Space::kShared, slab, state_.options, numbering);
    absl::Status status;
    if (numbering.any_candidate) {
      status = Place(space, numbering, log, report);
    } else {
      ExitEarly(space, log, report.record);
    }
    WriteRecord(begin, end, report.record);
    state_.report.runs.push_back(std::move(report));
    if (status.ok()) return status;
    const std::string where = slab == kCommonRun
                                  ? "shared space"
                                  : absl::StrCat("shared space, slab ", slab);
    if (absl::IsResourceExhausted(status)) {
      state_.overload = FindOverload(numbering.problem, where, "phase");
    }
    return absl::Status(status.code(),
                        absl::StrCat(where, ": ", status.message()));
  }

  absl::Status Place(const RunSpace& space, Numbering& numbering, EventLog& log,
                     RunReport& report) {
    BERTH_ASSIGN_OR_RETURN(const Placement placement,
                           PlaceNumbered(space, numbering.location_of.size(),
                                         numbering, state_, log, report));
    for (size_t id = 0; id < numbering.location_of.size(); ++id) {
      Location& owner =
          LocationAt(modules_, sharing_.owner(numbering.location_of[id]));
      owner.address = placement.address[id];
      owner.placed_by = PlacedBy::kBerth;
    }
    return absl::OkStatus();
  }

  // Into every function that owns one of the tensors.
  void WriteRecord(int32_t begin, int32_t end, const RunRecord& record) {
    const Function* last = nullptr;
    for (int32_t tensor = begin; tensor < end; ++tensor) {
      const LocationPlace& owner = sharing_.owner(tensor);
      Function& function = modules_[owner.core]->functions[owner.function];
      if (&function == last) continue;
      function.runs.push_back(record);
      last = &function;
    }
  }

  PipelineState& state_;
  const Sharing& sharing_;
  const std::vector<Module*> modules_;
  const HighWater floor_;  // taken once, before any owner
  const SharedNumbering numbering_;
};

}  // namespace

absl::Status AllocateShared(PipelineState& state) {
  if (state.analysis.sharing.size() == 0) return absl::OkStatus();
  MarkShared(state);
  SharedRuns runs(state);
  return runs.Run();
}

}  // namespace berth
