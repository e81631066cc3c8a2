// What the interference benches share.
#ifndef BERTH_BENCH_INTERFERENCE_COMMON_H_
#define BERTH_BENCH_INTERFERENCE_COMMON_H_

#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "allocator/interference/matrix.h"
#include "allocator/interference/oracle.h"
#include "bench/bench_main.h"
#include "bench/source.h"
#include "bench/workloads.h"
#include "benchmark/benchmark.h"

namespace berth::bench {

using WorkloadSource = std::shared_ptr<Source<Workload>>;

// The families and inputs of the flags. kInvalidArgument names an unknown
// family, a size over 2^20 or a file that cannot be read.
absl::StatusOr<std::vector<WorkloadSource>> WorkloadSources(
    const Settings& settings);

// Each registers one kind of bench: Kind/source/Oracle/size.
void RegisterBuild(const WorkloadSource& source);
void RegisterQueries(const WorkloadSource& source);
void RegisterAllPairs(const WorkloadSource& source);
void RegisterNeighbours(const WorkloadSource& source);

// Order-independent hash of ids.
inline uint64_t HashIds(absl::Span<const int32_t> ids) {
  uint64_t sum = 0;
  for (int32_t id : ids) {
    uint64_t z = (static_cast<uint32_t>(id) + 1) * 0x9e3779b97f4a7c15u;
    sum += (z ^ (z >> 29)) * 0xbf58476d1ce4e5b9u;
  }
  return sum;
}

// "12.3 ids hash=0123456789abcdef".
std::string Label(double ids, uint64_t hash);

// The most intervals that a structure takes part with.
template <typename Structure>
Limit MemoryLimit() {
  if constexpr (std::is_same_v<Structure, Matrix>) {
    return {kMaxMatrixIntervals,
            "skipped: the matrix would take n^2 / 8 bytes, over 512 MiB"};
  }
  return {};
}

}  // namespace berth::bench

#endif  // BERTH_BENCH_INTERFERENCE_COMMON_H_
