// What the interference benches share.
#ifndef BERTH_BENCH_INTERFERENCE_COMMON_H_
#define BERTH_BENCH_INTERFERENCE_COMMON_H_

#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

#include "allocator/interference/matrix.h"
#include "allocator/interference/oracle.h"
#include "bench/bench_main.h"
#include "bench/workloads.h"
#include "benchmark/benchmark.h"

namespace berth::bench {

// Each registers one kind of bench: Kind/source/Oracle/size.
void RegisterBuild(const Settings& settings, Source* source);
void RegisterQueries(const Settings& settings, Source* source);
void RegisterAllPairs(const Settings& settings, Source* source);
void RegisterNeighbours(const Settings& settings, Source* source);

// Order-independent hash of ids.
inline uint64_t HashIds(absl::Span<const int32_t> ids) {
  uint64_t sum = 0;
  for (int32_t id : ids) {
    uint64_t z = (static_cast<uint32_t>(id) + 1) * 0x9e3779b97f4a7c15u;
    sum += (z ^ (z >> 29)) * 0xbf58476d1ce4e5b9u;
  }
  return sum;
}

// Remembers the first hash reported for a name. False if `hash` is another: two
// contenders disagree.
bool AgreesWithOthers(const std::string& name, uint64_t hash);

// "12.3 ids hash=0123456789abcdef".
std::string Label(double ids, uint64_t hash);

// The most intervals a contender takes part with, and why no more.
struct Limit {
  int32_t n = std::numeric_limits<int32_t>::max();
  const char* reason = "";
};

template <typename Structure>
Limit MemoryLimit() {
  if constexpr (std::is_same_v<Structure, Matrix>) {
    return {kMaxMatrixIntervals,
            "skipped: the matrix would take n^2 / 8 bytes, over 512 MiB"};
  }
  return {};
}

// Registers Kind/source/contender for all sizes of the source; those over the
// limit say why they are skipped. Complexity is fitted over the others.
template <typename Run>
void RegisterSizes(const std::string& kind, Source* source,
                   const std::string& contender, Limit limit, Run run) {
  const std::string name = kind + "/" + source->name() + "/" + contender;
  std::vector<int32_t> sizes;
  for (int32_t n : source->sizes()) {
    if (n <= limit.n) {
      sizes.push_back(n);
    } else {
      benchmark::RegisterBenchmark(name.c_str(), [limit](
                                                     benchmark::State& state) {
        state.SkipWithError(limit.reason);
      })->Arg(n);
    }
  }
  if (sizes.empty()) return;
  auto* bench = benchmark::RegisterBenchmark(
      name.c_str(), [source, run](benchmark::State& state) {
        run(source->Get(static_cast<int32_t>(state.range(0))), state);
        state.SetComplexityN(state.range(0));
      });
  for (int32_t n : sizes) bench->Arg(n);
  if (sizes.size() > 2) bench->Complexity();
}

}  // namespace berth::bench

#endif  // BERTH_BENCH_INTERFERENCE_COMMON_H_
