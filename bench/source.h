// What benches run on, by size, and how they are registered.
#ifndef BERTH_BENCH_SOURCE_H_
#define BERTH_BENCH_SOURCE_H_

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "benchmark/benchmark.h"

namespace berth::bench {

// A family or an input file at several sizes. A size is made when first asked
// for, outside of any timed loop, and kept.
template <typename Work>
class Source {
 public:
  // `make(n)` gives the work of size n; every n is one of `sizes`.
  Source(std::string name, std::vector<int32_t> sizes,
         std::function<Work(int32_t)> make)
      : name_(std::move(name)),
        sizes_(std::move(sizes)),
        make_(std::move(make)) {}

  const std::string& name() const { return name_; }
  const std::vector<int32_t>& sizes() const { return sizes_; }

  const Work& Get(int32_t n) {
    for (const auto& [size, work] : made_) {
      if (size == n) return *work;
    }
    made_.emplace_back(n, std::make_unique<Work>(make_(n)));
    return *made_.back().second;
  }

 private:
  std::string name_;
  std::vector<int32_t> sizes_;
  std::function<Work(int32_t)> make_;
  std::vector<std::pair<int32_t, std::unique_ptr<Work>>> made_;
};

// The largest size a contender takes part with, and why no larger.
struct Limit {
  int32_t n = std::numeric_limits<int32_t>::max();
  const char* reason = "";
};

// Registers Kind/source/contender for all sizes of the source; those over the
// limit say why they are skipped. Complexity is fitted over the others.
// `run(const Work&, benchmark::State&)` holds the loop.
template <typename Work, typename Run>
void RegisterSizes(const std::string& kind,
                   const std::shared_ptr<Source<Work>>& source,
                   const std::string& contender, Limit limit, Run run) {
  const std::string name = kind + "/" + source->name() + "/" + contender;
  std::vector<int32_t> sizes;
  for (int32_t n : source->sizes()) {
    if (n <= limit.n) {
      sizes.push_back(n);
      continue;
    }
    benchmark::RegisterBenchmark(name.c_str(), [limit](
                                                   benchmark::State& state) {
      state.SkipWithError(limit.reason);
    })->Arg(n);
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

// Remembers the first hash reported for a name. False if `hash` is another: two
// contenders disagree.
bool AgreesWithOthers(const std::string& name, uint64_t hash);

}  // namespace berth::bench

#endif  // BERTH_BENCH_SOURCE_H_
