// Why a location is where it is: the analysis behind `berth explain`.
#ifndef BERTH_TOOLS_CLI_EXPLAIN_H_
#define BERTH_TOOLS_CLI_EXPLAIN_H_

#include <cstdint>
#include <string>
#include <vector>

#include "allocator/placement/problem.h"

namespace berth {

// A placed run as `explain` looks at it.
struct PlacedRun {
  Problem problem;                // names and regions set
  std::vector<uint64_t> address;  // per node
  std::vector<std::string> pin_names;
  std::string where;      // "core 0 main", or empty for a CSV
  std::string time_word;  // "instructions", "phases" or "times"
  // Of a CSV: time r of `problem` is [end_points[r], end_points[r + 1]).
  std::vector<int64_t> end_points;
};

struct GapTried {
  uint64_t lo = 0;
  uint64_t hi = 0;
  std::string verdict;
};

struct Explanation {
  // True if the contract's order, replayed, gives this placement: then `gaps`
  // are those that were there when the node was placed, in the order in which
  // they were tried. Otherwise they are those among all its neighbours.
  bool replayed = false;
  int32_t turn = 0;                 // place in the order, from 1, if replayed
  std::vector<int32_t> neighbours;  // node ids by address
  std::vector<int32_t> pinned_neighbours;  // pin ids by address
  std::vector<GapTried> gaps;
  uint128 busiest_load = 0;  // greatest load over the node's times
  int32_t busiest_time = 0;
  int32_t peak_holder = -1;  // node with the highest end
};

// REQUIRES: every node of `run` has an address; 0 <= node < V.
// Cost: one briggs order and selection, plus the neighbours.
Explanation Explain(const PlacedRun& run, int32_t node);

// Lines for people.
std::string ToText(const PlacedRun& run, int32_t node,
                   const Explanation& explanation);

}  // namespace berth

#endif  // BERTH_TOOLS_CLI_EXPLAIN_H_
