// One run inside the pipeline, whatever its space: from a numbered problem to
// addresses, record, report and events (spec §9). Local allocation and every
// slab of shared allocation go through here.
//
// Thread-safety: none for one PipelineState.
#ifndef BERTH_ALLOCATOR_PIPELINE_RUN_STEP_H_
#define BERTH_ALLOCATOR_PIPELINE_RUN_STEP_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "allocator/model/options.h"
#include "allocator/model/program.h"
#include "allocator/pipeline/events.h"
#include "allocator/pipeline/numbering.h"
#include "allocator/pipeline/state.h"
#include "allocator/placement/problem.h"

namespace berth {

// Appends the events of one run.
class EventLog {
 public:
  // `events` must outlive it. `core`: kAllCores for the common shared run.
  EventLog(int32_t core, std::string function, std::vector<Event>& events)
      : core_(core), function_(std::move(function)), events_(events) {}

  void Say(EventKind kind, uint64_t value = 0, uint64_t second = 0) {
    events_.push_back({kind, core_, function_, "", "", value, second});
  }
  void SayName(EventKind kind, absl::string_view name, uint64_t value = 0,
               absl::string_view detail = "") {
    events_.push_back({kind, core_, function_, std::string(name),
                       std::string(detail), value, 0});
  }

 private:
  const int32_t core_;
  const std::string function_;
  std::vector<Event>& events_;
};

// Where a run may place: [floor, ceiling), and what set the floor.
struct RunSpace {
  uint64_t floor = 0;
  std::string floor_reason;
  uint64_t ceiling = 0;
};

// Pinned bytes are exempt from pages and alignment, with a warning (spec §6).
void WarnOfPinsOffPage(const Function& function, Space space, EventLog& log);

// A record with what options and numbering alone say.
RunRecord StartRecord(Space space, int32_t slab, const PlanOptions& options,
                      const Numbering& numbering);

// Nothing to place is success (spec §9, early exit).
void ExitEarly(const RunSpace& space, EventLog& log, RunRecord& record);

// Sets the regions of numbering.problem and plans it; `report` and its record
// are filled in, on failure as well. Writes no address. Errors: the planner's.
absl::StatusOr<Placement> PlaceNumbered(const RunSpace& space,
                                        uint64_t num_intervals,
                                        Numbering& numbering,
                                        PipelineState& state, EventLog& log,
                                        RunReport& report);

}  // namespace berth

#endif  // BERTH_ALLOCATOR_PIPELINE_RUN_STEP_H_
