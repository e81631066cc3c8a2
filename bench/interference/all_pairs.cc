// AllPairs: from intervals to every overlapping pair, structure built and freed
// within; one operation is all of it. The ids of each interval's partners are
// copied to the reader's buffer, except for HalfGraph, which hands out runs.
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "allocator/interference/block_tree.h"
#include "allocator/interference/half_graph.h"
#include "allocator/interference/matrix.h"
#include "allocator/interference/node_tree.h"
#include "allocator/interference/planner_oracle.h"
#include "allocator/interference/red_black_tree.h"
#include "allocator/interference/sweep.h"
#include "bench/interference/common.h"

namespace berth::bench {
namespace {

// Pairs one operation may have: above, a bench would take minutes.
constexpr int64_t kMaxPairs = 400'000'000;
constexpr char kTooMany[] = "skipped: over 4e8 pairs";

// Where the families pass kMaxPairs.
Limit PairsLimit(const std::string& source) {
  if (source == "liv") return {100'000, kTooMany};
  if (source == "nestB" || source == "nestC") return {20'000, kTooMany};
  return {};
}

bool TooMany(const Workload& workload, benchmark::State* state) {
  if (HalfGraph(workload.intervals).pairs() <= kMaxPairs) return false;
  state->SkipWithError(kTooMany);
  return true;
}

void Finish(const Workload& workload, int64_t pairs, benchmark::State* state) {
  if (!AgreesWithOthers("AllPairs " + workload.name,
                        static_cast<uint64_t>(pairs))) {
    state->SkipWithError("oracles disagree");
    return;
  }
  state->counters["time/overlap"] =
      benchmark::Counter(static_cast<double>(pairs),
                         benchmark::Counter::kIsIterationInvariantRate |
                             benchmark::Counter::kInvert);
  state->SetLabel(std::to_string(pairs) + " pairs");
}

template <typename Finder, bool kCopy>
void Pairs(const Workload& workload, benchmark::State& state) {
  if (TooMany(workload, &state)) return;
  std::vector<int32_t> buffer(workload.intervals.size());
  int64_t pairs = 0;
  for (auto _ : state) {
    pairs = 0;
    Finder finder(workload.intervals);
    finder.AllPairs([&](int32_t id, absl::Span<const int32_t> ids) {
      benchmark::DoNotOptimize(id);
      if (kCopy && !ids.empty()) {
        std::memcpy(buffer.data(), ids.data(), ids.size() * sizeof(int32_t));
        benchmark::ClobberMemory();
      }
      pairs += static_cast<int64_t>(ids.size());
    });
  }
  Finish(workload, pairs, &state);
}

// Every interval asks: each pair is reported twice, and each with itself.
template <typename Oracle>
void EachAsks(const Workload& workload, benchmark::State& state) {
  if (TooMany(workload, &state)) return;
  const int32_t n = static_cast<int32_t>(workload.intervals.size());
  IdList ids;
  int64_t reported = 0;
  for (auto _ : state) {
    reported = 0;
    Oracle oracle(workload.intervals);
    for (int32_t i = 0; i < n; ++i) {
      ids.clear();
      benchmark::DoNotOptimize(oracle.OverlapsOf(i, &ids).ok());
      reported += static_cast<int64_t>(ids.size());
    }
  }
  Finish(workload, (reported - n) / 2, &state);
}

}  // namespace

void RegisterAllPairs(const WorkloadSource& source) {
  const Limit limit = PairsLimit(source->name());
  // One operation of these takes seconds above.
  const Limit slow = {10'000, "skipped: over 10,000 intervals"};
  const auto add = [&source](const std::string& name, Limit at_most, auto run) {
    RegisterSizes("AllPairs", source, name, at_most, run);
  };
  add("HalfGraph", limit, Pairs<HalfGraph, false>);
  add("HalfGraphCopied", limit, Pairs<HalfGraph, true>);
  add("Sweep", limit, Pairs<Sweep, true>);
  add("WindowLists", limit, EachAsks<WindowLists>);
  add("BlockTree", limit, EachAsks<BlockTree>);
  add("SortedNodeTree", slow, EachAsks<SortedNodeTree>);
  add("RedBlackTree", slow, EachAsks<RedBlackTree>);
  add("Matrix", slow, EachAsks<Matrix>);
  add("EmissionTree", slow, EachAsks<EmissionTree>);
}

}  // namespace berth::bench
