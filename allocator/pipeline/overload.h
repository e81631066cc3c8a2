// Where the run that does not fit is fullest, for the error of spec §12.
#ifndef BERTH_ALLOCATOR_PIPELINE_OVERLOAD_H_
#define BERTH_ALLOCATOR_PIPELINE_OVERLOAD_H_

#include <string>

#include "allocator/pipeline/state.h"
#include "allocator/placement/problem.h"

namespace berth {

// The first time of greatest load, and the ten largest nodes live then: by size
// descending, then id. Pins are in no load. `time_word`: "instruction",
// "phase". Cost: O(nodes log nodes + intervals + times).
Overload FindOverload(const Problem& problem, const std::string& where,
                      const std::string& time_word);

}  // namespace berth

#endif  // BERTH_ALLOCATOR_PIPELINE_OVERLOAD_H_
