// QueryAll: every interval (or the family's own queries) asks for the ids that
// overlap it; one operation is one query. Count: the same, how many only.
#include <cstdint>
#include <string>
#include <type_traits>

#include "allocator/interference/block_tree.h"
#include "allocator/interference/linear_scan.h"
#include "allocator/interference/matrix.h"
#include "allocator/interference/node_tree.h"
#include "allocator/interference/planner_oracle.h"
#include "allocator/interference/red_black_tree.h"
#include "bench/interference/common.h"

namespace berth::bench {
namespace {

// Queries that go into the hash of the result.
constexpr size_t kHashed = 512;

// The matrix answers for stored intervals only.
template <typename Oracle>
void Ask(const Workload& workload, size_t i, Oracle* oracle, IdList* ids) {
  if constexpr (std::is_same_v<Oracle, Matrix>) {
    benchmark::DoNotOptimize(
        oracle->OverlapsOf(static_cast<int32_t>(i), ids).ok());
  } else {
    const Interval& q = workload.queries[i];
    oracle->Overlaps(q.lo, q.hi, ids);
  }
}

template <typename Oracle>
void QueryAll(const Workload& workload, benchmark::State& state) {
  Oracle oracle(workload.intervals);
  IdList ids;
  uint64_t hash = 0;
  for (size_t i = 0; i < workload.queries.size() && i < kHashed; ++i) {
    ids.clear();
    Ask(workload, i, &oracle, &ids);
    hash = hash * 31 + HashIds(ids);
  }
  if (!AgreesWithOthers("QueryAll " + workload.name, hash)) {
    state.SkipWithError("oracles disagree");
    return;
  }
  // Of the same queries however long the bench runs: the count is exact.
  state.counters["visits/query"] =
      static_cast<double>(oracle.visits()) /
      static_cast<double>(std::min(workload.queries.size(), kHashed));
  int64_t reported = 0;
  size_t i = 0;
  for (auto _ : state) {
    ids.clear();
    Ask(workload, i, &oracle, &ids);
    reported += static_cast<int64_t>(ids.size());
    benchmark::DoNotOptimize(ids.data());
    if (++i == workload.queries.size()) i = 0;
  }
  const double queries = static_cast<double>(state.iterations());
  state.counters["time/overlap"] = benchmark::Counter(
      static_cast<double>(reported),
      benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
  state.counters["bytes/interval"] =
      static_cast<double>(oracle.bytes()) / static_cast<double>(oracle.size());
  state.SetLabel(Label(static_cast<double>(reported) / queries, hash));
}

template <typename Oracle>
void CountAll(const Workload& workload, benchmark::State& state) {
  Oracle oracle(workload.intervals);
  uint64_t hash = 0;
  for (size_t i = 0; i < workload.queries.size() && i < kHashed; ++i) {
    const Interval& q = workload.queries[i];
    hash = hash * 31 + static_cast<uint64_t>(oracle.Count(q.lo, q.hi));
  }
  if (!AgreesWithOthers("Count " + workload.name, hash)) {
    state.SkipWithError("oracles disagree");
    return;
  }
  int64_t counted = 0;
  size_t i = 0;
  for (auto _ : state) {
    const Interval& q = workload.queries[i];
    counted += oracle.Count(q.lo, q.hi);
    if (++i == workload.queries.size()) i = 0;
  }
  benchmark::DoNotOptimize(counted);
  state.SetLabel(Label(
      static_cast<double>(counted) / static_cast<double>(state.iterations()),
      hash));
}

template <typename Oracle>
void Register(const WorkloadSource& source, const std::string& name) {
  Limit limit = MemoryLimit<Oracle>();
  // A matrix counts an arbitrary query by looking at all: LinearScan's row.
  if constexpr (!std::is_same_v<Oracle, Matrix>) {
    RegisterSizes("Count", source, name, limit, CountAll<Oracle>);
  }
  // nestB and nestC are asked by others than their own intervals.
  if (std::is_same_v<Oracle, Matrix> &&
      (source->name() == "nestB" || source->name() == "nestC")) {
    limit = {0, "skipped: a matrix knows only what it stored"};
  }
  RegisterSizes("QueryAll", source, name, limit, QueryAll<Oracle>);
}

}  // namespace

void RegisterQueries(const WorkloadSource& source) {
  Register<WindowLists>(source, "WindowLists");
  Register<BlockTree>(source, "BlockTree");
  Register<SortedNodeTree>(source, "SortedNodeTree");
  Register<RedBlackTree>(source, "RedBlackTree");
  Register<Matrix>(source, "Matrix");
  Register<LinearScan>(source, "LinearScan");
  Register<EmissionTree>(source, "EmissionTree");
}

}  // namespace berth::bench
