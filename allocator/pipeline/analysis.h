// What the passes know of a program before anything is placed, and every error
// of the input that needs such knowledge (spec §3, §5).
//
// Thread-safety: pure functions of their arguments.
#ifndef BERTH_ALLOCATOR_PIPELINE_ANALYSIS_H_
#define BERTH_ALLOCATOR_PIPELINE_ANALYSIS_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "allocator/liveness/liveness.h"
#include "allocator/model/intervals.h"
#include "allocator/model/program.h"
#include "allocator/pipeline/sharing.h"
#include "allocator/rendezvous/core_order.h"

namespace berth {

// Of the program as it came in: a pass that changes instructions does not
// change this, so flat indices here are those of the input.
struct ProgramAnalysis {
  // By core, then by index of the function in its module.
  std::vector<std::vector<Liveness>> liveness;

  // Owners and copies of the shared space (spec §10).
  Sharing sharing;
  // Where cores meet; unset for one core without SHARED DRAM, which has nobody
  // to meet and nothing that needs phases.
  std::optional<CoreOrder> order;
  int32_t num_phases = 1;
  // By tensor of `sharing`: the hull of its phases, none if nothing accesses
  // it; whether a COLLECTIVE accesses one of its copies.
  IntervalTable shared_phases;
  std::vector<bool> shared_collective;
};

// kInvalidArgument, the first that is found, naming what is at fault:
//  - per function, cores ascending: a use of a placeable LOCAL location that no
//    def reaches; LOCAL pins that interfere and share bytes;
//  - remote targets (Sharing::Of), the order across cores (CoreOrder::Of);
//  - uses, order and pins of the shared space (shared_times.h).
//
// REQUIRES: a checked program. Cost: liveness.h per function, sharing.h,
// core_order.h and shared_times.h once.
absl::StatusOr<ProgramAnalysis> AnalyzeProgram(const Program& program);

}  // namespace berth

#endif  // BERTH_ALLOCATOR_PIPELINE_ANALYSIS_H_
