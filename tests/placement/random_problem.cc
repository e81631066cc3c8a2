#include "tests/placement/random_problem.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "allocator/base/rng.h"
#include "allocator/model/intervals.h"
#include "allocator/model/options.h"
#include "allocator/placement/problem.h"

namespace berth {
namespace {

// 1..max_runs sorted runs with at least `free_between` free times between.
std::vector<Interval> RandomRuns(int32_t num_times, int32_t max_runs, Rng& rng,
                                 int32_t free_between = 1) {
  const int64_t wanted = rng.Between(1, max_runs);
  std::vector<Interval> runs;
  int32_t t = static_cast<int32_t>(rng.Below(num_times));
  while (t < num_times && static_cast<int64_t>(runs.size()) < wanted) {
    const auto hi = static_cast<int32_t>(
        std::min<int64_t>(num_times - 1, t + rng.Between(0, num_times / 2)));
    runs.push_back({t, hi});
    t = hi + 1 + free_between + static_cast<int32_t>(rng.Below(3));
  }
  return runs;
}

// For the node added last: half its runs take only a part of its bytes.
void AddWindows(Problem& problem, uint64_t unit, Rng& rng) {
  const uint64_t size = problem.size_bytes.back() / unit;
  for (size_t i = problem.windows.size(); i < problem.live.values.size(); ++i) {
    ByteWindow window = {0, size};
    if (size > 0 && rng.OneIn(2)) {
      window.lower = rng.Below(size);
      window.upper = window.lower + 1 + rng.Below(size - window.lower);
    }
    problem.windows.push_back({window.lower * unit, window.upper * unit});
  }
}

}  // namespace

void AddNode(Problem& problem, const std::vector<Interval>& runs, uint64_t size,
             uint64_t alignment, bool cc) {
  uint64_t length = 0;
  for (const Interval& run : runs) {
    length += run.hi - run.lo + 1;
    problem.num_times = std::max(problem.num_times, run.hi + 1);
  }
  problem.size_bytes.push_back(size);
  problem.alignment.push_back(alignment);
  problem.occupied_length.push_back(length);
  problem.cc.push_back(cc);
  problem.live.Append(runs);
}

void AddPin(Problem& problem, const std::vector<Interval>& runs,
            uint64_t address, uint64_t end) {
  for (const Interval& run : runs) {
    problem.num_times = std::max(problem.num_times, run.hi + 1);
  }
  problem.pins.push_back({address, end});
  problem.pin_live.Append(runs);
}

Problem RandomProblem(const RandomProblemOptions& options, Rng& rng) {
  Problem problem;
  problem.page_bytes = options.page_bytes;
  problem.num_times = static_cast<int32_t>(rng.Between(1, options.max_times));
  const uint64_t unit = options.size_unit;
  uint64_t total = 0;
  const int64_t nodes = rng.Between(0, options.max_nodes);
  for (int64_t i = 0; i < nodes; ++i) {
    const uint64_t size = rng.Below(options.max_size + 1) * unit;
    const uint64_t alignment =
        options.alignments && rng.OneIn(3) ? rng.Between(1, 9) : 1;
    // One draw a statement: arguments are evaluated in any order.
    const std::vector<Interval> runs = RandomRuns(
        problem.num_times, options.max_runs, rng, options.windows ? 0 : 1);
    const bool cc = options.regions && rng.OneIn(3);
    AddNode(problem, runs, size, alignment, cc);
    if (options.windows) AddWindows(problem, unit, rng);
    // Room for addresses stays far from 2^64, however large the sizes.
    total = std::min(total + size + alignment + options.page_bytes,
                     uint64_t{1} << 62);
  }
  const int64_t pins = rng.Between(0, options.max_pins);
  for (int64_t i = 0; i < pins; ++i) {
    const uint64_t address = rng.Below(total + 1);
    const std::vector<Interval> runs =
        RandomRuns(problem.num_times, options.max_runs, rng);
    const uint64_t size = rng.Below(options.max_size * unit + 1);
    AddPin(problem, runs, address, address + size);
  }
  problem.floor = rng.OneIn(2) ? 0 : rng.Below(3 * unit + 2);
  problem.ceiling = kNoCapacity;
  if (options.tight_ceiling && rng.OneIn(2)) {
    problem.ceiling = problem.floor + rng.Below(total + 1);
  }
  problem.cc_end = problem.floor;
  if (options.regions && rng.OneIn(2)) {
    problem.cc_end =
        std::min(problem.ceiling, problem.floor + rng.Below(total / 2 + 1));
  }
  return problem;
}

Problem SimpleProblem(const std::vector<SimpleNode>& nodes) {
  Problem problem;
  problem.ceiling = kNoCapacity;
  for (const SimpleNode& node : nodes) {
    AddNode(problem, {{node.lo, node.hi}}, node.size);
  }
  return problem;
}

}  // namespace berth
