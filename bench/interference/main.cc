// All interference oracles side by side on the same inputs:
//
//   bazel run -c opt //bench:interference -- --benchmark_filter=QueryAll
//
// See bench/bench_main.h for flags.
#include "bench/interference/common.h"

int main(int argc, char** argv) {
  using namespace berth::bench;
  return BenchMain(
      argc, argv,
      [](const Settings& settings, const std::vector<Source*>& sources) {
        for (Source* source : sources) {
          RegisterQueries(settings, source);
          RegisterBuild(settings, source);
          RegisterAllPairs(settings, source);
          RegisterNeighbours(settings, source);
        }
      });
}
