// Where the cores of a split program may meet: what every path through a
// function passes, and, of a loop on it, what every iteration passes (spec
// §10). Found by layout alone. Part of split.h.
//
//   0 entry -> 1        on the spine
//   1 head  -> 2, 4     on the spine of the loop 1..3, which begins here
//   2 body  -> 3        the same
//   3 latch -> 1        the same
//   4 exit              on the spine
#ifndef BERTH_ALLOCATOR_GEN_SPINE_H_
#define BERTH_ALLOCATOR_GEN_SPINE_H_

#include <cstdint>
#include <vector>

#include "allocator/model/program.h"

namespace berth::gen {

// Loops nested deeper than this are not looked into.
inline constexpr int kMaxSpineLoops = 4;

struct Spine {
  // By block: every path from the entry to an end passes it once, or, in a
  // loop that begins on the spine, every path from its first block back to it.
  std::vector<bool> holds;
  // By block: the last block of the loop on the spine that begins here, -1 if
  // none does. Nothing enters such a loop but there.
  std::vector<int32_t> loop_end;
  // By block: it is in such a loop.
  std::vector<bool> in_loop;
};

// Cost: O(blocks + edges) times the depth of loops on the spine.
Spine FindSpine(const Function& function);

}  // namespace berth::gen

#endif  // BERTH_ALLOCATOR_GEN_SPINE_H_
