#include "allocator/pipeline/run_step.h"

#include <algorithm>
#include <cstdint>

#include "absl/status/statusor.h"
#include "allocator/base/int_math.h"
#include "allocator/base/phase.h"
#include "allocator/base/status_macros.h"
#include "allocator/model/options.h"
#include "allocator/model/program.h"
#include "allocator/pipeline/events.h"
#include "allocator/pipeline/numbering.h"
#include "allocator/pipeline/place_run.h"
#include "allocator/pipeline/state.h"
#include "allocator/placement/planners.h"
#include "allocator/placement/problem.h"

namespace berth {
namespace {

uint64_t Saturated(uint128 value) {
  return static_cast<uint64_t>(std::min<uint128>(value, ~uint64_t{0}));
}

void SetRegions(const RunSpace& space, const PlanOptions& options,
                Numbering& numbering, EventLog& log) {
  Problem& problem = numbering.problem;
  problem.floor = space.floor;
  problem.floor_reason = space.floor_reason;
  problem.ceiling = space.ceiling;
  const CcRegion cc =
      FindCcRegion(problem.floor, problem.ceiling, numbering.any_cc,
                   options.allreduce_buffer_mib, numbering.auto_cc_bytes);
  problem.cc_end = cc.end;
  if (problem.floor > 0) {
    log.Say(EventKind::kUsedHighWaterMark, problem.floor - 1);
  }
  log.Say(EventKind::kReservedSpace, problem.floor);
  if (!numbering.any_cc) return;
  log.Say(EventKind::kCcLimit, cc.end - problem.floor);
  if (cc.cut) {
    log.Say(EventKind::kCcCut, Saturated(cc.asked_bytes),
            cc.end - problem.floor);
  }
}

}  // namespace

void WarnOfPinsOffPage(const Function& function, Space space, EventLog& log) {
  for (const Location& location : function.locations) {
    if (location.type != MemoryType::kDram || location.space != space ||
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

RunRecord StartRecord(Space space, int32_t slab, const PlanOptions& options,
                      const Numbering& numbering) {
  RunRecord record;
  record.space = space;
  record.slab = slab;
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

void ExitEarly(const RunSpace& space, EventLog& log, RunRecord& record) {
  record.floor = space.floor;
  record.reserved_space = space.floor;
  record.ceiling = space.ceiling;
  record.cc_end = space.floor;
  record.peak = space.floor;
  record.allreduce_dram_hwm = space.floor;
  record.peak_without_cc_reserve = space.floor;
  record.dram_allocation_result = true;
  log.Say(EventKind::kNoCandidate);
}

absl::StatusOr<Placement> PlaceNumbered(const RunSpace& space,
                                        uint64_t num_intervals,
                                        Numbering& numbering,
                                        PipelineState& state, EventLog& log,
                                        RunReport& report) {
  const Problem& problem = numbering.problem;
  SetRegions(space, state.options, numbering, log);
  report.record.intervals = num_intervals;
  log.Say(EventKind::kNumIntervals, num_intervals,
          numbering.location_of.size());
  log.Say(EventKind::kIntervalTreeDone);
  log.Say(EventKind::kSimplify, Saturated(MaxLoad(problem)));

  PlannerOptions planner;
  planner.planner = state.options.planner;
  planner.budget_steps = state.options.budget_steps;
  planner.stop = state.stop;
  planner.seam = state.seam;
  BERTH_ASSIGN_OR_RETURN(Placement placement,
                         PlaceRun(problem, planner, report.record));
  Enter(state.seam, Phase::kOther);
  ReportPlacement(problem, placement, report);
  if (numbering.any_cc) {
    log.Say(EventKind::kAllreduceHwm, report.record.allreduce_dram_hwm);
    log.Say(EventKind::kRealCcBufferSize, report.record.real_cc_buffer_size);
  }
  log.Say(EventKind::kSuccess);
  return placement;
}

}  // namespace berth
