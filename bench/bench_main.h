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
#include <memory>
#include <string>
#include <vector>

#include "bench/workloads.h"

namespace berth::bench {

struct Settings {
  bool tiny = false;
  uint64_t seed = 1;
  int32_t max_queries = 1 << 16;
  std::vector<std::string> families = {"liv", "short"};
  std::vector<int32_t> sizes = {100, 1000, 10000, 100000};
  std::vector<std::string> inputs;
};

// A family or an input of several sizes; workloads are made when first asked
// for.
class Source {
 public:
  Source(std::string family, const Settings& settings)
      : name_(family), settings_(settings), sizes_(settings.sizes) {}
  // One loaded from a file.
  Source(Workload workload, const Settings& settings);

  const std::string& name() const { return name_; }
  const std::vector<int32_t>& sizes() const { return sizes_; }
  const Workload& Get(int32_t n);

 private:
  std::string name_;
  Settings settings_;
  std::vector<int32_t> sizes_;
  std::vector<std::pair<int32_t, std::unique_ptr<Workload>>> made_;
};

// Loads inputs, lets `register_all` register benchmarks, runs them. The sources
// live as long as the benchmarks. Returns the exit code: 0, 1 if a bench
// failed, 2 for bad usage, bad input or a debug build.
int BenchMain(
    int argc, char** argv,
    const std::function<void(const Settings&, const std::vector<Source*>&)>&
        register_all);

}  // namespace berth::bench

#endif  // BERTH_BENCH_BENCH_MAIN_H_
