// Seeded random placement problems that pass CheckProblem, for differential
// tests: several runs, pins, regions, alignments, zero and huge sizes.
#ifndef BERTH_TESTS_PLACEMENT_RANDOM_PROBLEM_H_
#define BERTH_TESTS_PLACEMENT_RANDOM_PROBLEM_H_

#include <cstdint>
#include <vector>

#include "allocator/base/rng.h"
#include "allocator/model/intervals.h"
#include "allocator/placement/problem.h"

namespace berth {

struct RandomProblemOptions {
  int32_t max_nodes = 12;
  int32_t max_times = 12;
  uint64_t max_size = 20;  // bytes, times size_unit
  uint64_t size_unit = 1;
  int32_t max_runs = 3;
  int32_t max_pins = 2;
  bool alignments = true;
  bool regions = true;
  uint64_t page_bytes = 1;
  bool tight_ceiling = false;  // may be below what fits
  bool windows = false;        // some runs take some of the bytes
};

Problem RandomProblem(const RandomProblemOptions& options, Rng& rng);

// A problem of single-run nodes {lo, hi, w}; no pins, floor 0, no ceiling.
struct SimpleNode {
  int32_t lo, hi;
  uint64_t size;
};
Problem SimpleProblem(const std::vector<SimpleNode>& nodes);

// Appends a node with the given runs to `problem`.
void AddNode(Problem& problem, const std::vector<Interval>& runs, uint64_t size,
             uint64_t alignment = 1, bool cc = false);
void AddPin(Problem& problem, const std::vector<Interval>& runs,
            uint64_t address, uint64_t end);

}  // namespace berth

#endif  // BERTH_TESTS_PLACEMENT_RANDOM_PROBLEM_H_
