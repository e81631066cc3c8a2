// A function, or a loop of it without the edges back to its head, cut into
// strongly connected pieces. Part of phases.h.
#ifndef BERTH_ALLOCATOR_VALIDATE_REGIONS_H_
#define BERTH_ALLOCATOR_VALIDATE_REGIONS_H_

#include <cstdint>
#include <vector>

#include "allocator/model/program.h"

namespace berth::validation {

struct Piece {
  std::vector<int32_t> blocks;
  bool is_loop = false;
  // Every path through the region passes it.
  bool on_every_path = false;
  // Of a loop: its only entry, or -1 if it has several.
  int32_t head = -1;
};

// The pieces of what `head` leads to within `inside` (by block), in topological
// order. `is_loop`: edges to `head` end an iteration and are left out; else a
// path ends where no edge leads to another piece. REQUIRES: inside[head].
// Cost: O(blocks + edges of the function).
std::vector<Piece> CutRegion(const Function& function,
                             const std::vector<bool>& inside, int32_t head,
                             bool is_loop);

}  // namespace berth::validation

#endif  // BERTH_ALLOCATOR_VALIDATE_REGIONS_H_
