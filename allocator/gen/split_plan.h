// What becomes of each location of a split program, and where its cores wait:
// decided once, the same on every core. Part of split.h.
#ifndef BERTH_ALLOCATOR_GEN_SPLIT_PLAN_H_
#define BERTH_ALLOCATOR_GEN_SPLIT_PLAN_H_

#include <cstdint>
#include <vector>

#include "allocator/gen/spine.h"
#include "allocator/model/program.h"

namespace berth::gen {

enum class SplitRole : uint8_t {
  kPart,      // private, an N-th of the elements (DRAM), or as it is
  kStaged,    // shared; each core writes its slice
  kHandOver,  // shared; `owner` writes it
};

struct LocationSplit {
  SplitRole role = SplitRole::kPart;
  int32_t owner = 0;     // core
  bool chained = false;  // copies point at the next core towards the owner
};

struct FunctionSplit {
  std::vector<LocationSplit> locations;
  // Rendezvous, and what shared tensors take part in, stand only there.
  Spine spine;
  // By block, ascending: instructions before which all cores wait; as many as
  // the block has: at its end.
  std::vector<std::vector<int32_t>> waits;
};

// By function of `module`. Cost: O(size of the module).
std::vector<FunctionSplit> PlanSplit(const Module& module, int32_t cores);

}  // namespace berth::gen

#endif  // BERTH_ALLOCATOR_GEN_SPLIT_PLAN_H_
