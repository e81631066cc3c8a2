// What the passes of one planning of a program share (spec §11).
#ifndef BERTH_ALLOCATOR_PIPELINE_STATE_H_
#define BERTH_ALLOCATOR_PIPELINE_STATE_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "allocator/base/int_math.h"
#include "allocator/base/phase.h"
#include "allocator/dependence/program_dependences.h"
#include "allocator/model/options.h"
#include "allocator/model/program.h"
#include "allocator/pipeline/analysis.h"
#include "allocator/pipeline/events.h"

namespace berth {

// One run as it went: what the program keeps of it, and what only tables and
// --json show.
struct RunReport {
  // SHARED: the owner core of a slab, kAllCores for the common run; function is
  // empty then.
  int32_t core = 0;
  std::string function;
  RunRecord record;
  uint64_t visits = 0;
  bool proved_optimal = false;
  // The best bound that is cheap: no placement of this run has a lower peak.
  // At least floor + L; saturated. And why: Name(BoundKind), lower_bound.h.
  uint64_t peak_bound = 0;
  std::string peak_bound_kind;
};

struct PlanReport {
  std::vector<RunReport> runs;  // in the order in which they ran
  // What all SHARED runs stand on, taken once before any of them; 0 without.
  uint64_t shared_floor = 0;
  std::vector<Event> events;
  // Of the program as it is now; parts whose passes are left out are empty.
  ProgramDependences dependences;
  int64_t merged_copies = 0;  // DMA_COPYs that dynamic_dma_cleanup took away
};

// Where a run that does not fit is fullest.
struct Overload {
  std::string where;
  std::string time_word;  // what `time` counts
  int32_t time = 0;
  uint128 load_bytes = 0;
  int64_t live = 0;  // locations
  // The ten largest of them.
  std::vector<std::pair<std::string, uint64_t>> largest;
};

// Passes change `program` and append to `report`; they read nothing but these
// and `analysis`.
struct PipelineState {
  Program* program = nullptr;
  PlanOptions options;
  std::function<bool()> stop;  // see PlannerOptions
  PhaseSeam seam;
  ProgramAnalysis analysis;
  PlanReport report;
  // What dynamic_dma_cleanup changed, as it was: a plan that fails leaves the
  // program as it came.
  std::vector<std::pair<Function*, std::vector<Block>>> blocks_before_cleanup;
  std::optional<Overload> overload;  // of the run that failed

  // Modules of `program` by ascending core: nothing depends on file order.
  std::vector<Module*> ModulesByCore() const {
    return berth::ModulesByCore(*program);
  }
};

}  // namespace berth

#endif  // BERTH_ALLOCATOR_PIPELINE_STATE_H_
