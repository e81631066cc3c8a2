// Lets the paths of all cores run side by side until each has met the others:
// in what order they meet, and what each knows of the others (vector clocks).
// Part of core_order.h; not for other layers.
//
// Loops take part: a core may enter a loop only when all cores that meet others
// in that loop are there, and likewise leave it. Nobody waits so at run time;
// but cores that could not run so would meet in a different order in each
// iteration.
#ifndef BERTH_ALLOCATOR_RENDEZVOUS_MEETING_H_
#define BERTH_ALLOCATOR_RENDEZVOUS_MEETING_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "allocator/model/program.h"
#include "allocator/rendezvous/core_path.h"
#include "allocator/rendezvous/matching.h"

namespace berth {

// The k-th of one name.
struct Rendezvous {
  std::string name;
  int32_t ordinal = 0;            // k, from 0
  bool cuts = false;              // all cores meet here, outside of loops
  bool in_loop = false;           // then it is so on every core that meets
  int32_t phase = 0;              // of what it accesses
  std::vector<CodePlace> places;  // one per core that meets, cores ascending
};

struct Meetings {
  std::vector<Rendezvous> rendezvous;  // in an order that all paths agree with
  // By rendezvous, then core: see CoreOrder.
  std::vector<int32_t> clocks;
  int32_t num_phases = 1;
};

// Fills in what rendezvous add to `paths`; those are then numbered as in
// Meetings. `modules` and `paths` by core. kInvalidArgument: an order that
// contradicts itself. Cost: O(points * cores).
absl::StatusOr<Meetings> Meet(const std::vector<const Module*>& modules,
                              const Matching& matching,
                              std::vector<CorePath>& paths);

}  // namespace berth

#endif  // BERTH_ALLOCATOR_RENDEZVOUS_MEETING_H_
