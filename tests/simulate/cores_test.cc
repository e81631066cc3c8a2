// I12, I13 over random programs of several cores, as planned; and what the
// machine finds when one thing about them is wrong.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
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
#include "tests/testing/program_builder.h"

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

Planned Plan(const testing::ProgramBuilder& builder) {
  Planned planned;
  planned.program = builder.Build();
  PlanReport report;
  EXPECT_EQ(PlanProgram({}, nullptr, nullptr, planned.program, report),
            absl::OkStatus());
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

// Core 0 leaves the loop and makes t while core 1 still reads s: nobody waits
// where a loop ends, so they share no bytes. Nor do r, which core 1 reads
// before the loop, and what core 0 makes first in it.
TEST(ManyCores, TheEndsOfALoopAreNoRendezvous) {
  testing::ProgramBuilder b;
  for (const int32_t core : {0, 1}) {
    b.Core(core);
    for (const char* const name : {"r", "q", "s", "t"}) {
      if (core == 0) b.Shared(name, 4096);
      if (core == 1) b.SharedCopy(name, 4096, 0);
    }
    b.Block("entry", {"loop"});
    if (core == 0) b.Op("make_r", {"r"}, {}).Op("make_s", {"s"}, {});
    b.Barrier("made");
    if (core == 1) b.Op("read_r", {}, {"r"});
    b.Block("loop", {"loop", "exit"});
    if (core == 0) b.Op("make_q", {"q"}, {});
    b.Barrier("in_loop");
    b.Op("read_q", {}, {"q"});
    b.Barrier("q_read");
    if (core == 1) b.Op("read_s", {}, {"s"});
    b.Block("exit");
    if (core == 0) b.Op("make_t", {"t"}, {});
    b.Barrier("t_made").Op("read_t", {}, {"t"});
  }
  const Planned planned = Plan(b);
  const SimulateReport run = RunMachine(planned, 1, 64);
  EXPECT_TRUE(run.ok()) << run.fault->message;
  EXPECT_EQ(run.cut_paths, 0);
  std::set<uint64_t> addresses;
  for (const Location& location :
       planned.program.modules[0].functions[0].locations) {
    addresses.insert(location.address.value());
  }
  EXPECT_EQ(addresses.size(), 4u);
}

// A loop that is tested at its top may not run at all, on every core alike.
TEST(ManyCores, LoopsMayTakeNoIteration) {
  testing::ProgramBuilder b;
  for (const int32_t core : {0, 1, 2}) {
    b.Core(core).Block("entry", {"head"}).Op({}, {});
    b.Block("head", {"body", "exit"}).Op({}, {});
    b.Block("body", {"head"}).Barrier("x").Op({}, {});
    b.Block("exit").Barrier("end");
  }
  const Planned planned = Plan(b);
  int64_t least = 1000;
  for (uint64_t seed = 1; seed <= 32; ++seed) {
    const SimulateReport run = RunMachine(planned, seed, 1);
    EXPECT_EQ(run.cut_paths, 0);
    least = std::min(least, run.events);
  }
  // Entry, head, "end", function entry and exit, on three cores.
  EXPECT_EQ(least, 15);
}

// One core meets nobody: its barriers count nothing, its loops end by chance.
TEST(OneCore, LeavesLoopsThatHoldBarriers) {
  const Planned planned = Plan(testing::ProgramBuilder()
                                   .Block("entry", {"loop"})
                                   .Op({}, {})
                                   .Block("loop", {"loop", "exit"})
                                   .Barrier("x")
                                   .Block("exit"));
  EXPECT_EQ(RunMachine(planned, 1, 8).cut_paths, 0);
}

// A loop that is never left gives a path of a million rendezvous in a row.
TEST(ManyCores, ManyRendezvousMayFollowOneAnother) {
  testing::ProgramBuilder b;
  for (const int32_t core : {0, 1}) {
    b.Core(core).Block("loop", {"loop"}).Barrier("x");
  }
  const SimulateReport run = RunMachine(Plan(b), 1, 1);
  EXPECT_TRUE(run.ok());
  EXPECT_EQ(run.cut_paths, 1);
  EXPECT_GE(run.events, 1'999'990);
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
  EXPECT_GT(found, dropped / 6) << dropped;
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
