// One small test for each fault that a fuzz target found, named after what went
// wrong. The inputs themselves are seeds in corpus/.
#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "allocator/dependence/program_dependences.h"
#include "allocator/model/intervals.h"
#include "allocator/model/options.h"
#include "allocator/model/program.h"
#include "allocator/pipeline/plan_program.h"
#include "allocator/pipeline/state.h"
#include "allocator/placement/tight/part_search.h"
#include "allocator/placement/tight/section_model.h"
#include "allocator/rendezvous/core_order.h"
#include "allocator/simulate/simulate.h"
#include "allocator/validate/validate.h"
#include "gtest/gtest.h"
#include "tests/testing/program_builder.h"

namespace berth {
namespace {

using testing::FindLocation;
using testing::LocationSpec;
using testing::ProgramBuilder;

// program_fuzzer: a copy's alignment is the owner's to obey, but the validator
// asked for that of the owner's alone: it said I9 of a right placement, and
// nothing of a wrong one.
TEST(FuzzFindings, ACopysAlignmentHoldsForTheOwner) {
  const Program input = ProgramBuilder()
                            .Pin("p", 100, 0)
                            .Loc("s", 100, {.space = Space::kShared})
                            .Op({"s"}, {})
                            .Core(1)
                            .Loc("s", 100,
                                 {.space = Space::kShared,
                                  .alignment = 3 * 4096,
                                  .remote_target = RemoteTarget{0, "s"}})
                            .Build();
  Program placed = input;
  PlanReport report;
  ASSERT_TRUE(PlanProgram({}, nullptr, nullptr, placed, report).ok());
  EXPECT_EQ(FindLocation(placed, "s").address, uint64_t{3 * 4096});
  ValidateOptions options;
  options.full = true;
  EXPECT_EQ(ValidateProgram(placed, nullptr, options).ToString(), "");
  for (Module& module : placed.modules) {
    for (Location& location : module.functions[0].locations) {
      if (location.name == "s") location.address = 4096;
    }
  }
  const Report broken = ValidateProgram(placed, nullptr, {});
  ASSERT_FALSE(broken.ok());
  EXPECT_EQ(broken.violations[0].invariant, Invariant::kI2)
      << broken.ToString();
}

// program_fuzzer: on one core a call that not every path passes is no point of
// the core's path, but what it calls kept its own points: its times ran past
// the end of the path, and phases were read from beyond an array.
TEST(FuzzFindings, ACallPassedOverTakesItsCalleesBarriersAlong) {
  const Program input = ProgramBuilder()
                            .Fn("main")
                            .Block("entry", {"loop", "entry"})
                            .Barrier("a")
                            .Block("loop", {"entry", "loop"})
                            .Call("callee")
                            .Fn("callee")
                            .Loc("s", 4096, {.space = Space::kShared})
                            .Block("entry")
                            .Barrier("b")
                            .Op({"s"}, {})
                            .Barrier("c")
                            .Op({}, {"s"})
                            .Build();
  const absl::StatusOr<CoreOrder> order = CoreOrder::Of(input);
  ASSERT_TRUE(order.ok()) << order.status();
  const Interval all = {0, order->num_phases() - 1};
  for (int32_t flat = 0; flat < 4; ++flat) {
    const Interval phases = order->PhasesOf({0, 1, flat});
    EXPECT_GE(phases.lo, all.lo);
    EXPECT_LE(phases.hi, all.hi);
  }
  Program placed = input;
  PlanReport report;
  EXPECT_TRUE(PlanProgram({}, nullptr, nullptr, placed, report).ok());
}

// sync_fuzzer: a shared tensor that nobody accesses gets no address, so that a
// copy keeps the partition it came with; the validator called that an I4.
TEST(FuzzFindings, PartitionsOfWhatIsNotPlacedMayDiffer) {
  Program program =
      ProgramBuilder()
          .Loc("s", 100, {.space = Space::kShared})
          .Op({}, {})
          .Core(1)
          .Loc("s", 100,
               {.space = Space::kShared, .remote_target = RemoteTarget{0, "s"}})
          .Op({}, {})
          .Build();
  FindLocation(program, "s", 1).partition = 1;
  Program placed = program;
  PlanReport report;
  ASSERT_TRUE(PlanProgram({}, nullptr, nullptr, placed, report).ok());
  EXPECT_EQ(ValidateProgram(placed, &program, {}).ToString(), "");
}

// program_fuzzer: a path through a loop of empty blocks that nothing leaves had
// no events to count, and the simulator walked it for ever.
TEST(FuzzFindings, ALoopOfEmptyBlocksIsCut) {
  Program placed = ProgramBuilder()
                       .Loc("t", 100)
                       .Block("entry", {"entry", "next"})
                       .Block("next", {"entry"})
                       .Op({"t"}, {})
                       .Build();
  PlanReport plan;
  ASSERT_TRUE(PlanProgram({}, nullptr, nullptr, placed, plan).ok());
  const auto report =
      Simulate(placed, FindDependences(placed), {.max_events = 50});
  ASSERT_TRUE(report.ok()) << report.status();
  EXPECT_TRUE(report->ok());
  EXPECT_GT(report->cut_paths, 0);
}

// program_fuzzer: eight independent instructions on each of two cores are 2^16
// states, and running every order had no bound but that on instructions: one
// input took ten seconds.
TEST(FuzzFindings, EveryOrderOfTwoCoresIsTooMany) {
  ProgramBuilder builder;
  for (int32_t core = 0; core < 2; ++core) {
    builder.Core(core).In("x", 8);
    for (int32_t i = 0; i < 8; ++i) builder.Op({}, {"x"});
  }
  Program placed = builder.Build();
  PlanReport plan;
  ASSERT_TRUE(PlanProgram({}, nullptr, nullptr, placed, plan).ok());
  const SimulateOptions options = {.schedules = 6, .max_states = 200};
  const auto report = Simulate(placed, FindDependences(placed), options);
  ASSERT_TRUE(report.ok()) << report.status();
  EXPECT_TRUE(report->ok());
  EXPECT_EQ(report->exhausted, 0);
  EXPECT_EQ(report->schedules, options.schedules);
  // An order: 16 instructions, and where each core begins and ends.
  EXPECT_LE(report->events, options.max_states + 20 * options.schedules);
}

// plan_fuzzer: "no peak known yet" was the largest number there is, which a
// peak can be: greedy gave up with nothing to say, and stopped the program.
TEST(FuzzFindings, GreedyReachesTheLastAddress) {
  constexpr uint64_t kMost = ~uint64_t{0};
  Program program = ProgramBuilder()
                        .Pin("p", kMost - 8191, 0)
                        .Loc("t", 8191)
                        .Op({"t"}, {})
                        .Build();
  PlanOptions options;
  options.planner = Planner::kGreedy;
  options.size_rounding = SizeRounding::kNone;
  options.hbm_per_core_bytes = kMost;
  PlanReport report;
  const absl::Status status =
      PlanProgram(options, nullptr, nullptr, program, report);
  ASSERT_TRUE(status.ok()) << status;
  EXPECT_EQ(FindLocation(program, "t").address, kMost - 8191);
}

// plan_fuzzer: where a pin leaves tight little room, what is live together may
// be more than 64 bits hold with a sign: loads wrapped.
TEST(FuzzFindings, TightBelowAPinWithHugeLoads) {
  constexpr int64_t kLarge = int64_t{1} << 59;
  IntervalTable live;
  std::vector<int32_t> nodes;
  std::vector<int64_t> sizes;
  for (int32_t node = 0; node < 20; ++node) {
    live.Append(std::vector<Interval>{{node % 2, node % 2 + 1}});
    nodes.push_back(node);
    sizes.push_back(kLarge + node);
  }
  const auto model = tight::BuildSectionModel(live, nodes, sizes, {});
  ASSERT_TRUE(model.has_value());
  EXPECT_EQ(model->max_load, tight::kMostLoad);
  tight::PartSearch search(*model, 2 * kLarge);
  EXPECT_TRUE(search.done());
  EXPECT_FALSE(search.found());
}

// program_fuzzer: two copies that write c in halves, each a partial def, become
// one that writes it whole: then c is dead in "make_a", and live in more pieces
// than its record has intervals. The validator took that for a wrong record.
TEST(FuzzFindings, CleanUpCutsALiveRange) {
  const Program input = ProgramBuilder()
                            .In("x", 8192)
                            .Out("y", 8192)
                            .Loc("a", 8192)
                            .Loc("c", 8192)
                            .Block("loop", {"loop", "exit"})
                            .Op("use_c", {"y"}, {"c"})
                            .Op("make_a", {"a"}, {"x"})
                            .Copy({"c", 0, 4096}, {"a", 0, 4096})
                            .Copy({"c", 4096, 4096}, {"a", 4096, 4096})
                            .Block("exit")
                            .Build();
  Program placed = input;
  PlanReport report;
  ASSERT_TRUE(PlanProgram({}, nullptr, nullptr, placed, report).ok());
  ASSERT_EQ(placed.modules[0].functions[0].blocks[0].instructions.size(), 3u);
  EXPECT_EQ(ValidateProgram(placed, &input, {}).ToString(), "");
}

// program_fuzzer: a pin of "main" was one memory with b and with c of "f", but
// b and c, pinned to the same bytes in other phases, were not: the machine
// wanted c to hold what main had written there, past b's def. Where main has no
// pin, c holds nothing that a program may ask for.
TEST(FuzzFindings, PinsOfOneFunctionAreOneMemoryThroughAnotherFunctions) {
  const LocationSpec shared = {
      .space = Space::kShared, .address = 4096, .placed_by = PlacedBy::kInput};
  for (const uint64_t bytes : {100, 60}) {
    Program placed = ProgramBuilder()
                         .Fn("main")
                         .Loc("a", bytes, shared)
                         .Op({"a"}, {})
                         .Fn("f")
                         .Loc("b", 100, shared)
                         .Loc("c", 80, shared)
                         .Barrier("1")
                         .Op({"b"}, {})
                         .Barrier("2")
                         .Op({}, {"c"})
                         .Build();
    PlanReport plan;
    const absl::Status status = PlanProgram({}, nullptr, nullptr, placed, plan);
    ASSERT_TRUE(status.ok()) << status;
    const auto report = Simulate(placed, FindDependences(placed), {});
    ASSERT_TRUE(report.ok()) << report.status();
    EXPECT_TRUE(report->ok()) << report->fault->message;
    EXPECT_EQ(report->cut_paths, 0);
  }
}

}  // namespace
}  // namespace berth
