// Which points of different cores are one rendezvous, and which loops run their
// iterations together. Part of core_order.h; not for other layers.
#ifndef BERTH_ALLOCATOR_RENDEZVOUS_MATCHING_H_
#define BERTH_ALLOCATOR_RENDEZVOUS_MATCHING_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "allocator/model/program.h"
#include "allocator/rendezvous/core_path.h"

namespace berth {

struct PointRef {
  int32_t core = 0;
  int32_t point = 0;
};

// A loop on the path of one core that holds a rendezvous.
struct CoreLoop {
  int32_t core = 0;
  int32_t begin = 0;  // its points
  int32_t end = 0;
  int32_t parent = -1;  // the loop around it, -1: none
  int32_t depth = 1;    // 1: no loop is around it
  int32_t inside = 0;   // some rendezvous in it
  // Loops that hold the same rendezvous run together: the first of them.
  int32_t of_class = 0;
};

struct Matching {
  // By rendezvous, in order of their names' first appearance: its points, cores
  // ascending, and which of its name it is.
  std::vector<std::vector<PointRef>> points;
  std::vector<int32_t> ordinal;
  // Cores ascending, then by `begin`.
  std::vector<CoreLoop> loops;
  // By loop that stands for its class: all loops of it, cores ascending.
  std::vector<std::vector<int32_t>> of_class;

  bool InLoop(const std::vector<CorePath>& paths, int32_t rendezvous) const {
    const PointRef& ref = points[rendezvous].front();
    return paths[ref.core].loop[ref.point] >= 0;
  }
};

// Fills in `rendezvous` and `loop` of `paths`. `modules` and `paths` by core;
// `cores_of_name` by name id. kInvalidArgument: cores that have a name
// unequally often; rendezvous that stand in different loops. Cost: O(points *
// depth of loops around them).
absl::StatusOr<Matching> MatchPoints(
    const std::vector<const Module*>& modules,
    const std::vector<std::vector<int32_t>>& cores_of_name,
    std::vector<CorePath>& paths);

}  // namespace berth

#endif  // BERTH_ALLOCATOR_RENDEZVOUS_MATCHING_H_
