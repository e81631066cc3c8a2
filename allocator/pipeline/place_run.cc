#include "allocator/pipeline/place_run.h"

#include <algorithm>
#include <cstdint>
#include <limits>

#include "absl/status/statusor.h"
#include "allocator/base/int_math.h"
#include "allocator/base/status_macros.h"
#include "allocator/model/options.h"
#include "allocator/model/program.h"
#include "allocator/placement/lower_bound.h"
#include "allocator/placement/planners.h"
#include "allocator/placement/problem.h"

namespace berth {
namespace {

uint64_t Saturated(uint128 value) {
  constexpr uint64_t kMost = std::numeric_limits<uint64_t>::max();
  return value > kMost ? kMost : static_cast<uint64_t>(value);
}

// Bytes that [lo, hi) and [a, b) share.
bool Meets(uint64_t lo, uint64_t hi, uint64_t a, uint64_t b) {
  return std::max(lo, a) < std::min(hi, b);
}

}  // namespace

CcRegion FindCcRegion(uint64_t floor, uint64_t ceiling, bool any_cc,
                      int64_t allreduce_buffer_mib, uint128 auto_bytes) {
  CcRegion region;
  region.end = floor;
  if (!any_cc || floor > ceiling) return region;
  region.asked_bytes = allreduce_buffer_mib < 0
                           ? auto_bytes
                           : static_cast<uint128>(allreduce_buffer_mib) << 20;
  const uint128 end = floor + region.asked_bytes;
  region.cut = end > ceiling;
  region.end = region.cut ? ceiling : static_cast<uint64_t>(end);
  return region;
}

void MeasurePlacement(const Problem& problem, const Placement& placement,
                      RunRecord& record) {
  const uint64_t floor = problem.floor;
  const uint64_t cc_end = problem.cc_end;
  uint64_t highest_cc = floor;     // end of a CC node that lies in CC
  uint64_t highest_in_cc = floor;  // end of any bytes in CC
  record.cc_overflow_bytes = 0;
  record.cc_intruder_bytes = 0;
  for (int32_t id = 0; id < problem.num_nodes(); ++id) {
    const uint64_t size = problem.size_bytes[id];
    if (size == 0) continue;
    const uint64_t address = placement.address[id];
    const uint64_t end = address + size;
    const bool touches = Meets(address, end, floor, cc_end);
    if (touches) highest_in_cc = std::max(highest_in_cc, std::min(end, cc_end));
    if (problem.cc[id] && touches && end <= cc_end) {
      highest_cc = std::max(highest_cc, end);
    } else if (problem.cc[id]) {
      record.cc_overflow_bytes += size;
    } else if (touches) {
      record.cc_intruder_bytes += size;
    }
  }
  record.peak = Peak(problem, placement);
  record.lower_bound = Saturated(MaxLoad(problem));
  record.real_cc_buffer_size = highest_cc - floor;
  record.allreduce_dram_hwm = highest_cc;
  record.peak_without_cc_reserve = record.peak <= cc_end
                                       ? record.peak
                                       : record.peak - (cc_end - highest_in_cc);
}

void ReportPlacement(const Problem& problem, const Placement& placement,
                     RunReport& report) {
  const LowerBound bound = BestLowerBound(problem);
  report.visits = placement.visits;
  report.peak_bound = Saturated(bound.peak_bytes);
  report.peak_bound_kind = Name(bound.kind);
  report.proved_optimal =
      placement.proved_optimal || report.record.peak <= report.peak_bound;
}

absl::StatusOr<Placement> PlaceRun(const Problem& problem,
                                   const PlannerOptions& options,
                                   RunRecord& record) {
  record.planner = options.planner;
  record.floor = problem.floor;
  record.ceiling = problem.ceiling;
  record.cc_end = problem.cc_end;
  record.reserved_space = problem.floor;
  record.locations = problem.num_nodes();
  record.dram_allocation_result = false;
  record.lower_bound = Saturated(MaxLoad(problem));
  BERTH_ASSIGN_OR_RETURN(Placement placement, Plan(problem, options));
  MeasurePlacement(problem, placement, record);
  record.dram_allocation_result = true;
  return placement;
}

}  // namespace berth
