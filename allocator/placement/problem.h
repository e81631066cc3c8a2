// The placement problem: what remains of a function (one space, one run) or of
// a CSV once names, instructions and blocks are gone (spec §5-§9). Every
// planner takes one and gives a Placement.
//
// Nodes have dense ids 0..V-1 in file order. A node occupies closed intervals
// of time; two nodes interfere iff they share a time. Pinned neighbours have
// ids of their own, 0..P-1; they are avoided, never moved.
//
// Thread-safety: values; planners only read them.
#ifndef BERTH_ALLOCATOR_PLACEMENT_PROBLEM_H_
#define BERTH_ALLOCATOR_PLACEMENT_PROBLEM_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "allocator/base/int_math.h"
#include "allocator/model/instance.h"
#include "allocator/model/intervals.h"

namespace berth {

// Bytes [address, end) that are taken during some intervals.
struct Pin {
  uint64_t address = 0;
  uint64_t end = 0;
};

struct Problem {
  // --- nodes, arrays of length V ---
  std::vector<uint64_t>
      size_bytes;  // w: what search places (spec §1); may be 0
  std::vector<uint64_t> alignment;  // A > 0
  // Number of indices occupied; CSV: original lengths less gaps (for hi_ratio).
  std::vector<uint64_t> occupied_length;
  std::vector<bool> cc;  // accessed by a COLLECTIVE: tries CC first
  // Maximal runs: sorted, disjoint, not adjacent, never empty.
  IntervalTable live;
  // Per run of `live` the bytes that the node takes then, from its address;
  // empty where all nodes take all of theirs always. Where it is not empty,
  // runs of one node may be adjacent.
  std::vector<ByteWindow> windows;
  // For messages only; may be empty (then nodes are "#id"). Not owned.
  std::vector<absl::string_view> names;

  // --- pinned neighbours, arrays of length P ---
  std::vector<Pin> pins;
  IntervalTable pin_live;

  // Times are 0 .. num_times - 1.
  int32_t num_times = 0;
  // Page of the straddle rule: 4096 for DRAM, 1 for any other memory.
  uint64_t page_bytes = 1;
  // Regions (spec §9): CC [floor, cc_end), general [cc_end, ceiling).
  // REQUIRES: floor <= cc_end <= ceiling, unless floor > ceiling, which fails.
  uint64_t floor = 0;
  uint64_t cc_end = 0;
  uint64_t ceiling = 0;
  // What set the floor, for messages ("pre-placed locations of main").
  std::string floor_reason;

  int32_t num_nodes() const { return static_cast<int32_t>(size_bytes.size()); }
  int32_t num_pins() const { return static_cast<int32_t>(pins.size()); }
  // The bytes that node `id` takes in its run number `run`.
  ByteWindow WindowOf(int32_t id, int32_t run) const {
    return windows.empty() ? ByteWindow{0, size_bytes[id]}
                           : windows[live.offsets[id] + run];
  }
  // The name of node `id`, or "#id" where there are none.
  std::string NameOf(int32_t id) const;
};

// One address per node, and how it was found.
struct Placement {
  std::vector<uint64_t> address;
  // Sum of work counted by the planner (queries, nodes looked at), for --json.
  uint64_t visits = 0;
  // Planner::kTight: the peak is known to be the least possible.
  bool proved_optimal = false;
};

// load(t) = sum of w of nodes that occupy t, for t in 0..num_times-1 (spec §8);
// of windows, where there are any.
// Cost: O(V + intervals + num_times).
std::vector<uint128> Loads(const Problem& problem);

// L = max load, 0 without nodes: the lower bound of spec §8.
uint128 MaxLoad(const Problem& problem);

// Highest end of a node with bytes, at least problem.floor (spec §9: peak).
uint64_t Peak(const Problem& problem, const Placement& placement);

// kInvalidArgument or kResourceExhausted where the problem cannot be worked on:
// arrays of unequal length, unsorted intervals, alignment 0, times out of
// range, or floor > ceiling with some w > 0. Every planner calls it first.
absl::Status CheckProblem(const Problem& problem);

// The error of spec §7 step 3: names node, w, largest gap, ceiling, floor
// reason.
absl::Status DoesNotFit(const Problem& problem, int32_t node,
                        uint64_t largest_gap);

}  // namespace berth

#endif  // BERTH_ALLOCATOR_PLACEMENT_PROBLEM_H_
