// I12, I13 over random programs of several cores, as planned; and what the
// machine finds when one thing about them is wrong.
#include <cstddef>
#include <cstdint>
#include <utility>

#include "absl/status/status.h"
#include "allocator/base/rng.h"
#include "allocator/dependence/program_dependences.h"
#include "allocator/dependence/shared_dependence.h"
#include "allocator/model/options.h"
#include "allocator/model/program.h"
#include "allocator/pipeline/plan_program.h"
#include "allocator/pipeline/state.h"
#include "allocator/rendezvous/core_order.h"
#include "allocator/simulate/simulate.h"
#include "gtest/gtest.h"
#include "tests/simulate/random_cores.h"

namespace berth {
namespace {

struct Planned {
  Program program;
  ProgramDependences dependences;
};

Planned PlanRandom(uint64_t seed, const PlanOptions& options = {}) {
  Rng rng(seed);
  Planned planned;
  planned.program = testing::RandomCores(rng);
  PlanReport report;
  const absl::Status status =
      PlanProgram(options, nullptr, nullptr, planned.program, report);
  EXPECT_TRUE(status.ok()) << "seed " << seed << ": " << status;
  planned.dependences = std::move(report.dependences);
  return planned;
}

SimulateReport RunMachine(const Planned& planned, uint64_t seed,
                          int64_t schedules, int32_t dropped = -1) {
  SimulateOptions options;
  options.seed = seed;
  options.schedules = schedules;
  options.dropped_rendezvous = dropped;
  const auto report = Simulate(planned.program, planned.dependences, options);
  EXPECT_TRUE(report.ok()) << "seed " << seed << ": " << report.status();
  return report.ok() ? *report : SimulateReport();
}

TEST(ManyCores, PlannedProgramsRun) {
  int64_t cross = 0;
  for (uint64_t seed = 1; seed <= 100; ++seed) {
    PlanOptions options;
    if (seed % 3 == 0) options.size_rounding = SizeRounding::kNone;
    if (seed % 4 == 0) options.shared_mb_per_core = 1 + seed % 5;
    const Planned planned = PlanRandom(seed, options);
    const SimulateReport report = RunMachine(planned, seed, 16);
    EXPECT_TRUE(report.ok())
        << "seed " << seed << ": " << report.fault->message;
    EXPECT_EQ(report.cut_paths, 0) << "seed " << seed;
    cross += planned.dependences.across.size();
  }
  EXPECT_GT(cross, 100);  // shared bytes are used again
}

// What shared_dependence.h says of itself.
TEST(ManyCores, RendezvousImplyEveryEdgeAcrossCores) {
  for (uint64_t seed = 1; seed <= 100; ++seed) {
    const Planned planned = PlanRandom(seed);
    const auto order = CoreOrder::Of(planned.program);
    ASSERT_TRUE(order.ok()) << order.status();
    planned.dependences.across.ForEach([&](const CrossDependence& edge) {
      const auto before = order->TimesOf(edge.earlier);
      const auto after = order->TimesOf(edge.later);
      EXPECT_TRUE(order->Before(edge.earlier.core, before.back().hi,
                                edge.later.core, after.front().lo))
          << "seed " << seed;
    });
  }
}

TEST(ManyCores, DroppedRendezvousAreFound) {
  int dropped = 0;
  int found = 0;
  for (uint64_t seed = 1; seed <= 12; ++seed) {
    const Planned planned = PlanRandom(seed);
    const auto order = CoreOrder::Of(planned.program);
    ASSERT_TRUE(order.ok()) << order.status();
    for (size_t r = 0; r < order->rendezvous().size(); ++r) {
      const SimulateReport report =
          RunMachine(planned, seed, 16, static_cast<int32_t>(r));
      ++dropped;
      found += !report.ok();
    }
  }
  // Many order nothing that hangs on them alone.
  EXPECT_GT(found, dropped / 5) << dropped;
}

TEST(ManyCores, ShiftedCopiesAreFound) {
  int shifted = 0;
  int found = 0;
  for (uint64_t seed = 1; seed <= 12; ++seed) {
    Planned planned = PlanRandom(seed);
    for (Module& module : planned.program.modules) {
      for (Location& location : module.functions[0].locations) {
        if (!location.remote_target || !location.address) continue;
        *location.address += 16;
        const SimulateReport report = RunMachine(planned, seed, 16);
        *location.address -= 16;
        ++shifted;
        found += !report.ok();
      }
    }
  }
  // Some copies are never read where others have written.
  EXPECT_GT(found, shifted / 2) << shifted;
}

}  // namespace
}  // namespace berth
