// One first fit of all nodes, by size, largest first, or by first time: what
// planners spend their time on.
//
//   bazel run -c opt //bench:first_fit -- --sizes=100000,1000000
//
// Families:
//   liveM   exponential lifetimes, M live on average, M = live50, live1000...;
//           twice as many times as nodes, sizes 4 KiB to 4 MiB
//   heavy   lifetimes of a power law, from two times up to all of them
//   few     many nodes over 100 times
// Contenders: window (WindowFirstFit by a LocalOrder, as planners have it),
// in_order (without), plain (PlainFirstFit, to 10,000), greedy (PlanGreedy:
// about eight first fits); in order of first times, window_by_start and sweep
// (SweepFirstFit). An operation is one whole placement.
// Counters: ratio (peak over max load), visits/node, and bytes/node (allocated
// by the first fit above the problem, at the end).
//
// See bench/bench_main.h for flags.
#include <malloc.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "absl/types/span.h"
#include "allocator/base/check.h"
#include "allocator/base/rng.h"
#include "allocator/model/instance.h"
#include "allocator/model/options.h"
#include "allocator/pipeline/plan_instance.h"
#include "allocator/placement/greedy.h"
#include "allocator/placement/local_order.h"
#include "allocator/placement/plain_first_fit.h"
#include "allocator/placement/regions.h"
#include "allocator/placement/sweep_first_fit.h"
#include "allocator/placement/window_first_fit.h"
#include "allocator/placement/window_layout.h"
#include "bench/bench_main.h"
#include "bench/source.h"
#include "benchmark/benchmark.h"

namespace berth::bench {
namespace {

constexpr int64_t kFewTimes = 100;
constexpr Limit kQuadratic = {10'000, "skipped: quadratic, over 10,000"};

struct Work {
  Problem problem;  // without names: the buffers are gone
  std::vector<int32_t> by_size;
  std::vector<int32_t> by_start;
  double max_load = 0;
};
using WorkSource = std::shared_ptr<Source<Work>>;

// Uniform in the logarithm.
uint64_t SomeSize(Rng& rng) {
  return static_cast<uint64_t>(4096.0 * std::exp2(10 * rng.Unit()));
}

// The length of one lifetime among n nodes.
using Length = std::function<int64_t(int64_t n, Rng& rng)>;

Work MakeWork(int32_t n, int64_t times, uint64_t seed, const Length& length) {
  Rng rng(seed);
  Instance instance;
  for (int32_t i = 0; i < n; ++i) {
    const auto lower = static_cast<int64_t>(rng.Below(times));
    Buffer buffer;
    buffer.id = absl::StrCat(i);
    buffer.lower = lower;
    buffer.upper = lower + 1 + length(n, rng);
    buffer.size = SomeSize(rng);
    instance.buffers.push_back(std::move(buffer));
  }
  auto numbered = NumberInstance(instance, PlanOptions());
  BERTH_CHECK(numbered.ok());
  Work work;
  work.problem = std::move(numbered->problem);
  work.problem.names.clear();
  work.max_load = static_cast<double>(MaxLoad(work.problem));
  work.by_size.resize(n);
  std::iota(work.by_size.begin(), work.by_size.end(), 0);
  const std::vector<uint64_t>& size = work.problem.size_bytes;
  std::sort(work.by_size.begin(), work.by_size.end(),
            [&size](int32_t a, int32_t b) {
              return size[a] != size[b] ? size[a] > size[b] : a < b;
            });
  work.by_start = work.by_size;
  const IntervalTable& live = work.problem.live;
  std::sort(work.by_start.begin(), work.by_start.end(),
            [&live](int32_t a, int32_t b) {
              const int32_t a_lo = live.of(a)[0].lo;
              const int32_t b_lo = live.of(b)[0].lo;
              return a_lo != b_lo ? a_lo < b_lo : a < b;
            });
  return work;
}

// nullopt: no such family.
std::optional<std::function<Work(int32_t)>> MakerOf(absl::string_view family,
                                                    uint64_t seed) {
  int64_t live = 0;
  if (family == "heavy") {
    return [seed](int32_t n) {
      return MakeWork(n, int64_t{2} * n, seed, [](int64_t nodes, Rng& rng) {
        const double tail = 2.0 / std::pow(1 - rng.Unit(), 1.2);
        return static_cast<int64_t>(
            std::min(tail, 2.0 * static_cast<double>(nodes)));
      });
    };
  }
  if (family == "few") {
    return [seed](int32_t n) {
      return MakeWork(n, kFewTimes, seed, [](int64_t, Rng& rng) {
        return static_cast<int64_t>(rng.Below(kFewTimes / 5));
      });
    };
  }
  if (!absl::ConsumePrefix(&family, "live") ||
      !absl::SimpleAtoi(family, &live) || live < 1) {
    return std::nullopt;
  }
  return [seed, live](int32_t n) {
    return MakeWork(n, int64_t{2} * n, seed, [live](int64_t, Rng& rng) {
      return static_cast<int64_t>(-std::log(1 - rng.Unit()) * 2.0 *
                                  static_cast<double>(live));
    });
  };
}

void Report(const Work& work, uint64_t peak, uint64_t visits,
            benchmark::State& state) {
  state.counters["ratio"] = static_cast<double>(peak) / work.max_load;
  state.counters["visits/node"] = static_cast<double>(visits) /
                                  static_cast<double>(work.problem.num_nodes());
}

size_t AllocatedBytes() {
  const struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
}

// What a contender needs, and what it says.
struct Run {
  const Problem& problem;
  absl::Span<const int32_t> order;
  std::vector<uint64_t> address;  // by node, with room for all
  uint64_t visits = 0;
  size_t bytes = 0;  // allocated, at the end
};

template <typename FirstFit>
void Place(FirstFit& first_fit, const LocalOrder& order, Run& run) {
  const auto place = [&](int32_t node) {
    const auto address = PlaceNode(first_fit, run.problem, node);
    BERTH_CHECK(address.has_value());
    run.address[node] = *address;
    return true;
  };
  order.PlaceAll(
      place, [&](int32_t node) { __builtin_prefetch(&run.address[node], 1); });
  run.visits = first_fit.visits();
  run.bytes = AllocatedBytes();
}

template <typename FirstFit>
void PlaceInOrder(Run& run) {
  FirstFit first_fit(run.problem, run.order);
  Place(first_fit, LocalOrder::AsItIs(run.order), run);
}

// As planners do.
void PlaceByWindows(Run& run) {
  const WindowLayout layout(run.problem);
  const LocalOrder local(layout, run.order);
  WindowFirstFit first_fit(layout, local.nodes());
  Place(first_fit, local, run);
}

using PlaceFunction = void (*)(Run& run);

void Measure(PlaceFunction place, const Work& work,
             absl::Span<const int32_t> order, const std::string& key,
             benchmark::State& state) {
  const int32_t n = work.problem.num_nodes();
  Run run = {work.problem, order, std::vector<uint64_t>(n, 0)};
  size_t bytes = 0;
  for (auto _ : state) {
    const size_t before = AllocatedBytes();
    place(run);
    bytes = run.bytes - before;
  }
  uint64_t peak = 0;
  uint64_t hash = 0;
  for (int32_t node = 0; node < n; ++node) {
    peak = std::max(peak, run.address[node] + work.problem.size_bytes[node]);
    hash = hash * 1'000'003 + run.address[node];
  }
  Report(work, peak, run.visits, state);
  state.counters["bytes/node"] =
      static_cast<double>(bytes) / static_cast<double>(n);
  if (!AgreesWithOthers(key, hash)) {
    state.SkipWithError("another placement than the other first fit");
  }
}

void Greedy(const Work& work, benchmark::State& state) {
  Placement placement;
  for (auto _ : state) {
    auto result = PlanGreedy(work.problem);
    BERTH_CHECK(result.ok());
    placement = *std::move(result);
  }
  Report(work, Peak(work.problem, placement), placement.visits, state);
}

void Register(const WorkSource& source) {
  const auto key = [source](const Work& work) {
    return absl::StrCat(source->name(), "/", work.problem.num_nodes());
  };
  const auto by_size = [&](const std::string& name, const Limit& limit,
                           PlaceFunction place) {
    RegisterSizes("FirstFit", source, name, limit,
                  [key, place](const Work& work, benchmark::State& state) {
                    Measure(place, work, work.by_size, key(work), state);
                  });
  };
  by_size("window", {}, PlaceByWindows);
  by_size("in_order", {}, PlaceInOrder<WindowFirstFit>);
  by_size("plain", kQuadratic, PlaceInOrder<PlainFirstFit>);
  RegisterSizes("FirstFit", source, "greedy", {}, Greedy);
  const auto by_start = [&](const std::string& name, PlaceFunction place) {
    RegisterSizes("FirstFit", source, name, {},
                  [key, place](const Work& work, benchmark::State& state) {
                    Measure(place, work, work.by_start,
                            absl::StrCat(key(work), "/by_start"), state);
                  });
  };
  by_start("window_by_start", PlaceByWindows);
  by_start("sweep", PlaceInOrder<SweepFirstFit>);
}

absl::Status RegisterAll(const Settings& settings) {
  if (!settings.inputs.empty()) {
    return absl::InvalidArgumentError(
        "--inputs: files are for //bench:planner (Select, Plan)");
  }
  for (const std::string& family : settings.families) {
    const auto make = MakerOf(family, settings.seed);
    if (!make.has_value()) {
      return absl::InvalidArgumentError(
          absl::StrCat("--families: no family '", family, "'"));
    }
    Register(std::make_shared<Source<Work>>(family, settings.sizes, *make));
  }
  return absl::OkStatus();
}

}  // namespace
}  // namespace berth::bench

int main(int argc, char** argv) {
  using namespace berth::bench;
  return BenchMain(argc, argv,
                   {.families = {"live50", "live1000", "heavy", "few"},
                    .sizes = {1000, 10'000, 100'000},
                    .tiny_families = {"live5", "heavy", "few"},
                    .tiny_sizes = {1, 20, 150}},
                   RegisterAll);
}
