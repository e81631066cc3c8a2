// Memory maps of placed programs and CSV problems.
#ifndef BERTH_TOOLS_SHOW_FROM_MODEL_H_
#define BERTH_TOOLS_SHOW_FROM_MODEL_H_

#include <string>

#include "absl/status/statusor.h"
#include "allocator/model/instance.h"
#include "allocator/model/program.h"
#include "tools/show/memory_map.h"

namespace berth::show {

// One panel per core and function that has a DRAM location with live ranges,
// then one for the shared space, or one for each slab, with phases as time.
// Lines come from the run records where there are any, else the peak and the
// lower bound (greatest load of what is drawn) are derived. A location is drawn
// once per live range; those without an address are counted.
// REQUIRES: a checked program. The error is that of ComputeLiveness.
// Cost: as ComputeLiveness of every function.
absl::StatusOr<MemoryMap> FromProgram(const Program& program,
                                      std::string title);

// One panel. A buffer with gaps is drawn once per live piece.
// Cost: O(buffers log buffers).
MemoryMap FromInstance(const Instance& instance, std::string title);

}  // namespace berth::show

#endif  // BERTH_TOOLS_SHOW_FROM_MODEL_H_
