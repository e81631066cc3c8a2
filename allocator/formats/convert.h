// CSV problems as programs and back (spec §14).
//
// Thread-safety: pure functions.
#ifndef BERTH_ALLOCATOR_FORMATS_CONVERT_H_
#define BERTH_ALLOCATOR_FORMATS_CONVERT_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "allocator/model/instance.h"
#include "allocator/model/intervals.h"
#include "allocator/model/options.h"
#include "allocator/model/program.h"

namespace berth {

// `notes` say, one a line, what the target format cannot say or says otherwise;
// for the caller to print.
struct ConvertedProgram {
  Program program;
  std::vector<std::string> notes;
};
struct ConvertedInstance {
  Instance instance;
  std::vector<std::string> notes;
};

// One core, function "main", one block; each buffer an INTERMEDIATE location in
// LOCAL DRAM, its offset a pinned address. A buffer is live from its lower to
// its upper end but for its gaps: each maximal piece becomes a full def and, if
// it is longer than one instruction, a later use. Two buffers interfere in the
// program exactly if they overlap in the CSV.
//
// There is one instruction for each time at which some piece starts, in order
// of time: two half-open pieces overlap exactly if each starts before the other
// ends, so nothing but the order of starts and ends matters.
//
//   a,0,9  gap 3-5      t0: def a     t2: def b, use a    t5: def a, use b
//   b,2,6
//
// kInvalidArgument if the program would break a rule (CheckProgram).
// REQUIRES: a checked instance (instance.h). Cost: O(pieces log pieces).
absl::StatusOr<ConvertedProgram> ToProgram(const Instance& instance);

// The locations of `function` that take part in the placement of `space`
// (spec §5: candidates, and what has an address) as buffers: names as ids,
// closed [lo, hi] as half-open [lo, hi + 1), what lies between the runs as
// gaps, addresses as offsets. Sizes are w of spec §1: rounded up to the page
// unless `rounding` is kNone or the location is pinned.
//
// `occupied` is the liveness of all locations of the function: maximal runs,
// sorted. kInvalidArgument, naming the location, if an id, size or address does
// not fit a CSV. Cost: O(locations + runs).
absl::StatusOr<ConvertedInstance> ToInstance(const Function& function,
                                             const IntervalTable& occupied,
                                             Space space,
                                             SizeRounding rounding);

}  // namespace berth

#endif  // BERTH_ALLOCATOR_FORMATS_CONVERT_H_
