// Kind random: exponential lifetimes, the workload of the published random
// figures (T = 2V time steps, sizes log-uniform 4 KiB to 4 MiB).
//
// Births at rate 1 and deaths at rate 1/live per live location make lifetimes
// exponential and the number of live ones live on average (an M/M/infinity
// queue). Of that process we draw the jumps alone: the next event is a birth
// with probability live / (live + n), else the death of a uniformly drawn one
// of the n live. Every jump is one time step, so V locations make exactly 2V
// steps, and no logarithm is needed.
#include <cstdint>
#include <utility>
#include <vector>

#include "allocator/base/rng.h"
#include "allocator/gen/draws.h"
#include "allocator/gen/families.h"
#include "allocator/gen/timeline.h"

namespace berth::gen {
namespace {

constexpr int kMinSizeLog2 = 12;
constexpr int kMaxSizeLog2 = 22;

Timeline Draw(const GenOptions& options) {
  Rng rng(options.seed);
  // `live` in 1024ths: exact integer odds.
  const uint64_t birth_weight = static_cast<uint64_t>(options.live * 1024);
  Timeline timeline;
  timeline.bytes.reserve(options.size);
  timeline.events.reserve(2 * options.size);
  std::vector<int32_t> live;
  const size_t num_locations = static_cast<size_t>(options.size);
  while (timeline.bytes.size() < num_locations || !live.empty()) {
    const uint64_t total = birth_weight + 1024 * live.size();
    if (timeline.bytes.size() < num_locations &&
        rng.Below(total) < birth_weight) {
      const auto id = static_cast<int32_t>(timeline.bytes.size());
      timeline.bytes.push_back(LogUniform(rng, kMinSizeLog2, kMaxSizeLog2));
      timeline.events.push_back(id);
      live.push_back(id);
      continue;
    }
    std::swap(live[rng.Below(live.size())], live.back());
    timeline.events.push_back(live.back());
    live.pop_back();
  }
  return timeline;
}

}  // namespace

Program RandomProgram(const GenOptions& options) {
  return ToProgram(Draw(options), Describe(options));
}

Instance RandomInstance(const GenOptions& options) {
  return ToInstance(Draw(options));
}

}  // namespace berth::gen
