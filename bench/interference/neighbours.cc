// Neighbours: one operation is the neighbours of one location, which may own
// several intervals. Once reports each neighbour once (a stamp per id); Raw is
// the bare queries, repetitions and itself included: the difference is what
// once costs. SortedUnique drops repetitions by sorting, as a set would.
#include <algorithm>
#include <cstdint>

#include "allocator/interference/planner_oracle.h"
#include "bench/interference/common.h"

namespace berth::bench {
namespace {

enum class How { kRaw, kOnce, kSortedUnique };

template <How kHow>
void Neighbourhood(const Workload& workload, benchmark::State& state) {
  PlannerOracle oracle(workload.intervals);
  Neighbours neighbours(workload.owners.size());
  IdList ids;
  int64_t reported = 0;
  int32_t owner = 0;
  for (auto _ : state) {
    ids.clear();
    if (kHow == How::kOnce) {
      neighbours.Of(workload.owners.of(owner), owner, &oracle, &ids);
    } else {
      for (const Interval& interval : workload.owners.of(owner)) {
        oracle.Overlaps(interval.lo, interval.hi, &ids);
      }
    }
    if (kHow == How::kSortedUnique) {
      std::sort(ids.begin(), ids.end());
      ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
    }
    reported += static_cast<int64_t>(ids.size());
    benchmark::DoNotOptimize(ids.data());
    if (++owner == workload.owners.size()) owner = 0;
  }
  state.counters["ids"] =
      static_cast<double>(reported) / static_cast<double>(state.iterations());
}

}  // namespace

void RegisterNeighbours(const WorkloadSource& source) {
  RegisterSizes("Neighbours", source, "Raw", Limit{}, Neighbourhood<How::kRaw>);
  RegisterSizes("Neighbours", source, "Once", Limit{},
                Neighbourhood<How::kOnce>);
  RegisterSizes("Neighbours", source, "SortedUnique", Limit{},
                Neighbourhood<How::kSortedUnique>);
}

}  // namespace berth::bench
