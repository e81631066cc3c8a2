// The machine of spec §13: runs a placed program on byte-accurate memories, in
// many orders, and tells whether every use sees the bytes it should (I12, I13).
//
// N cores, each with memory of its own, and one memory that all share. A path
// of every core through the program is drawn at random (trace.h); what each use
// on it must see comes from running that path on memories where every location
// has bytes of its own (expectation.h); then the placed program runs the same
// path in the program's order (I12) and in others (I13, schedule.h).
//
// Thread-safety: pure functions.
#ifndef BERTH_ALLOCATOR_SIMULATE_SIMULATE_H_
#define BERTH_ALLOCATOR_SIMULATE_SIMULATE_H_

#include <cstdint>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "allocator/dependence/program_dependences.h"
#include "allocator/model/program.h"

namespace berth {

struct SimulateOptions {
  // Orders to run, over all paths. Of a path that is short enough (two cores of
  // eight instructions) every order is run, and counts as one.
  int64_t schedules = 64;
  uint64_t seed = 1;
  // States (what has run, what the memories hold) that running every order of
  // one path may come to; where there are more, orders are drawn instead.
  int64_t max_states = int64_t{1} << 20;
  // Events of one core's path, after which it is cut.
  int64_t max_events = 1'000'000;
  // A fault for the machine to find: cores that meet at this rendezvous
  // (CoreOrder::rendezvous()) do not wait for each other. -1: none.
  int32_t dropped_rendezvous = -1;
};

// What a use saw that it should not have.
struct SimulateFault {
  int invariant = 12;  // 12: in program order; 13: in another
  int64_t schedule = 0;
  // "core 0, function 'f', instruction 'out' reads bytes [0, 4096) of 'a'
  // (address 512): must see what instruction 'up' wrote to 'a', sees what ...
  // wrote to 'b'; schedule 3 of seed 1 (rush), after 'x', 'y', 'out'".
  std::string message;
};

struct SimulateReport {
  int64_t schedules = 0;               // that were run
  int64_t paths = 0;                   // of all cores, that were run
  int64_t exhausted = 0;               // paths of which every order was run
  int64_t cut_paths = 0;               // that did not come to their end
  int64_t events = 0;                  // instructions and other steps executed
  int64_t uses = 0;                    // reads that were checked
  std::optional<SimulateFault> fault;  // the first

  bool ok() const { return !fault.has_value(); }
};

// `dependences`: those of `program` as it is placed (FindDependences).
// Locations without address are not looked at. Stops at the first fault.
//
// kInvalidArgument: what CoreOrder::Of refuses, or a chain of remote targets
// that leads nowhere. REQUIRES: a checked program. Cost: per schedule near
// linear in the events and edges of its path.
absl::StatusOr<SimulateReport> Simulate(const Program& program,
                                        const ProgramDependences& dependences,
                                        const SimulateOptions& options);

}  // namespace berth

#endif  // BERTH_ALLOCATOR_SIMULATE_SIMULATE_H_
