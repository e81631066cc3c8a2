// Build: from intervals in the order of ids to a structure that answers; one
// operation is one build. Sort is std::sort by lo, the yardstick.
#include <algorithm>
#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

#include "allocator/interference/block_tree.h"
#include "allocator/interference/half_graph.h"
#include "allocator/interference/linear_scan.h"
#include "allocator/interference/matrix.h"
#include "allocator/interference/node_tree.h"
#include "allocator/interference/planner_oracle.h"
#include "allocator/interference/red_black_tree.h"
#include "allocator/interference/sweep.h"
#include "bench/interference/common.h"

namespace berth::bench {
namespace {

template <typename Structure>
void Build(const Workload& workload, benchmark::State& state) {
  uint64_t bytes = 0;
  for (auto _ : state) {
    const Structure structure(workload.intervals);
    bytes = structure.bytes();
    benchmark::DoNotOptimize(bytes);
  }
  const double n = static_cast<double>(workload.intervals.size());
  state.counters["bytes/interval"] = static_cast<double>(bytes) / n;
  state.counters["time/interval"] =
      benchmark::Counter(n, benchmark::Counter::kIsIterationInvariantRate |
                                benchmark::Counter::kInvert);
}

void Sort(const Workload& workload, benchmark::State& state) {
  for (auto _ : state) {
    std::vector<OwnedInterval> sorted = workload.intervals;
    std::sort(sorted.begin(), sorted.end(),
              [](const OwnedInterval& a, const OwnedInterval& b) {
                return std::tie(a.lo, a.hi, a.id) < std::tie(b.lo, b.hi, b.id);
              });
    benchmark::DoNotOptimize(sorted.data());
  }
}

template <typename Structure>
void Register(const WorkloadSource& source, const std::string& name) {
  RegisterSizes("Build", source, name, MemoryLimit<Structure>(),
                Build<Structure>);
}

}  // namespace

void RegisterBuild(const WorkloadSource& source) {
  RegisterSizes("Build", source, "Sort", Limit{}, Sort);
  Register<WindowLists>(source, "WindowLists");
  Register<BlockTree>(source, "BlockTree");
  Register<HalfGraph>(source, "HalfGraph");
  Register<Sweep>(source, "Sweep");
  Register<SortedNodeTree>(source, "SortedNodeTree");
  Register<RedBlackTree>(source, "RedBlackTree");
  Register<Matrix>(source, "Matrix");
  Register<LinearScan>(source, "LinearScan");
  Register<EmissionTree>(source, "EmissionTree");
}

}  // namespace berth::bench
