// Mends what a change of a program leaves behind (program_changes.h). Private
// to this folder. Cost: O(function), DropUndefinedUses that of liveness.
#ifndef BERTH_FUZZ_INPUTS_PROGRAM_REPAIR_H_
#define BERTH_FUZZ_INPUTS_PROGRAM_REPAIR_H_

#include "allocator/model/program.h"

namespace berth::fuzz {

// A DMA_COPY with other than one use and one def of equal extents becomes a
// COMPUTE; a BARRIER has no accesses.
void RepairKinds(Function& function);

// Accesses past the end of a location that has shrunk become accesses to all.
void RepairAccesses(Function& function);

// Takes out uses of LOCAL placeable locations that no def reaches. One pass:
// without a use nothing becomes less defined. REQUIRES: a checked program.
void DropUndefinedUses(Function& function);

}  // namespace berth::fuzz

#endif  // BERTH_FUZZ_INPUTS_PROGRAM_REPAIR_H_
