// What every bench binary shares: flags, refusal of debug builds, a table at
// the end, and the tiny run of the tests.
//
//   --families=liv,short   --sizes=100,1000,...   --inputs=a.csv,b.textproto
//   --seed=1               --tiny
//
// beside Google Benchmark's own flags. A build without NDEBUG prints no figures
// and exits with 2. With --tiny everything runs once on small inputs, no
// figures are printed, and the exit code is 1 if any bench reports an error:
// that is how the tests run each bench.
#ifndef BERTH_BENCH_BENCH_MAIN_H_
#define BERTH_BENCH_BENCH_MAIN_H_

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "absl/status/status.h"

namespace berth::bench {

struct Settings {
  bool tiny = false;
  uint64_t seed = 1;
  std::vector<std::string> families;
  std::vector<int32_t> sizes;
  std::vector<std::string> inputs;  // files
};

// What a bench runs when no flag says otherwise, and what --tiny runs.
struct Defaults {
  std::vector<std::string> families;
  std::vector<int32_t> sizes;
  std::vector<std::string> tiny_families;
  std::vector<int32_t> tiny_sizes;
};

// Reads flags, lets `register_all` register benchmarks, runs them. An error of
// `register_all` is bad usage or bad input. Returns the exit code: 0, 1 if a
// bench failed in a tiny run, 2 for bad usage, bad input or a debug build.
int BenchMain(int argc, char** argv, const Defaults& defaults,
              const std::function<absl::Status(const Settings&)>& register_all);

}  // namespace berth::bench

#endif  // BERTH_BENCH_BENCH_MAIN_H_
