// Where the cores of a split program wait for each other. Part of split.h.
#ifndef BERTH_ALLOCATOR_GEN_SPLIT_WAITS_H_
#define BERTH_ALLOCATOR_GEN_SPLIT_WAITS_H_

#include "allocator/gen/split_plan.h"
#include "allocator/model/program.h"

namespace berth::gen {

// Fills in `plan.waits`, its locations and spine given, so that rendezvous
// order all that cores do to shared bytes.
//
// In a loop they order each iteration, and the next one after it (spec §10
// counts the rendezvous of one iteration alone; they do not reach round the
// back edge): a loop that accesses shared tensors begins every iteration with a
// wait. What is accessed behind it waits again, since the loop may have been
// left anywhere.
//
// `root`: nothing has run before. Cost: O(size of the function).
void PlaceWaits(const Function& function, bool root, FunctionSplit& plan);

}  // namespace berth::gen

#endif  // BERTH_ALLOCATOR_GEN_SPLIT_WAITS_H_
