// All interference oracles side by side on the same inputs:
//
//   bazel run -c opt //bench:interference -- --benchmark_filter=QueryAll
//
// See bench/bench_main.h for flags.
#include "allocator/base/status_macros.h"
#include "bench/interference/common.h"

namespace berth::bench {
namespace {

absl::Status RegisterAll(const Settings& settings) {
  BERTH_ASSIGN_OR_RETURN(const std::vector<WorkloadSource> sources,
                         WorkloadSources(settings));
  for (const WorkloadSource& source : sources) {
    RegisterQueries(source);
    RegisterBuild(source);
    RegisterAllPairs(source);
    RegisterNeighbours(source);
  }
  return absl::OkStatus();
}

}  // namespace
}  // namespace berth::bench

int main(int argc, char** argv) {
  using namespace berth::bench;
  return BenchMain(argc, argv,
                   {.families = {"liv", "short"},
                    .sizes = {100, 1000, 10'000, 100'000},
                    .tiny_families = Families(),
                    .tiny_sizes = {1, 64, 700}},
                   RegisterAll);
}
