// The machine on programs placed by hand: what is right passes, and each kind
// of fault is found and named.
#include "allocator/simulate/simulate.h"

#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/strings/str_cat.h"
#include "allocator/dependence/dependence.h"
#include "allocator/dependence/program_dependences.h"
#include "allocator/model/program.h"
#include "allocator/pipeline/plan_program.h"
#include "allocator/pipeline/state.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/testing/program_builder.h"

namespace berth {
namespace {

using testing::FindLocation;
using ::testing::HasSubstr;
using testing::LocationSpec;
using testing::ProgramBuilder;

LocationSpec At(uint64_t address, Space space = Space::kLocal) {
  LocationSpec spec;
  spec.space = space;
  spec.address = address;
  spec.placed_by = PlacedBy::kBerth;
  return spec;
}

LocationSpec CopyAt(uint64_t address, int32_t owner, const std::string& name) {
  LocationSpec spec = At(address, Space::kShared);
  spec.placed_by = PlacedBy::kSync;
  spec.remote_target = RemoteTarget{owner, name};
  return spec;
}

SimulateReport RunMachine(const Program& program,
                          const ProgramDependences& edges,
                          const SimulateOptions& options = {}) {
  const auto report = Simulate(program, edges, options);
  EXPECT_TRUE(report.ok()) << report.status();
  return report.ok() ? *report : SimulateReport();
}

SimulateReport RunMachine(const Program& program,
                          const SimulateOptions& options = {}) {
  return RunMachine(program, FindDependences(program), options);
}

SimulateReport RunMachine(const ProgramBuilder& builder) {
  return RunMachine(builder.Build());
}

void ExpectFault(const SimulateReport& report, int invariant,
                 const std::string& words) {
  ASSERT_FALSE(report.ok());
  EXPECT_EQ(report.fault->invariant, invariant);
  EXPECT_THAT(report.fault->message, HasSubstr(words));
  EXPECT_THAT(report.fault->message, HasSubstr("schedule"));
}

Program Planned(Program program) {
  PlanReport report;
  const absl::Status status =
      PlanProgram(PlanOptions(), nullptr, nullptr, program, report);
  EXPECT_TRUE(status.ok()) << status;
  return program;
}

// b takes a's bytes once a has been read.
ProgramBuilder TwoInOnePlace() {
  return ProgramBuilder()
      .In("x", 8)
      .Loc("a", 8, At(100))
      .Loc("b", 8, At(100))
      .Op("make_a", {"a"}, {"x"})
      .Op("read_a", {}, {"a"})
      .Op("make_b", {"b"}, {"x"})
      .Op("read_b", {}, {"b"});
}

TEST(Simulate, EveryOrderOfASmallProgram) {
  const SimulateReport report = RunMachine(TwoInOnePlace());
  EXPECT_TRUE(report.ok()) << report.fault->message;
  EXPECT_EQ(report.exhausted, 1);
  EXPECT_EQ(report.paths, 1);
}

TEST(Simulate, DrawsOrdersWhereThereAreTooManyToRunAll) {
  SimulateOptions options;
  options.max_states = 3;
  const Program program = TwoInOnePlace().Build();
  const SimulateReport report =
      *Simulate(program, FindDependences(program), options);
  EXPECT_TRUE(report.ok()) << report.fault->message;
  EXPECT_EQ(report.exhausted, 0);
  EXPECT_EQ(report.schedules, options.schedules);
}

TEST(Simulate, BytesThatAreTakenTooEarly) {
  ExpectFault(
      RunMachine(ProgramBuilder()
                     .Loc("a", 8, At(100))
                     .Loc("b", 8, At(104))
                     .Op("make_a", {"a"}, {})
                     .Op("make_b", {"b"}, {})
                     .Op("read_a", {}, {"a"})),
      12,
      "core 0, function 'f', instruction 'read_a' reads bytes [4, 8) of 'a' "
      "(address 104): must see what core 0, function 'f', instruction "
      "'make_a' wrote to 'a', sees what core 0, function 'f', instruction "
      "'make_b' wrote to 'b'; schedule 0 of seed 1 (program order): entry of "
      "'f', 'make_a', 'make_b', 'read_a'");
}

// Each placement edge of a planned program in turn.
TEST(Simulate, OneDroppedPlacementEdge) {
  const Program program = TwoInOnePlace().Build();
  const ProgramDependences all = FindDependences(program);
  const auto& local = all.functions[0][0].local;
  ASSERT_EQ(local.size(), 2u);
  for (size_t drop = 0; drop < local.size(); ++drop) {
    if (local[drop].kind == DependenceKind::kOutput) continue;  // implied
    ProgramDependences edges = all;
    auto& some = edges.functions[0][0].local;
    some.erase(some.begin() + static_cast<std::ptrdiff_t>(drop));
    const SimulateReport report = RunMachine(program, edges);
    ExpectFault(report, 13, "instruction 'read_a' reads bytes [0, 8) of 'a'");
    EXPECT_THAT(report.fault->message, HasSubstr("'make_b' wrote to 'b'"));
    EXPECT_THAT(report.fault->message, HasSubstr("every order"));
  }
}

// A longer chain, each link in the bytes of the one before last, runs sampled
// orders; without any one of its anti edges it fails.
TEST(Simulate, OneDroppedPlacementEdgeAmongMany) {
  constexpr int kLinks = 40;
  ProgramBuilder builder;
  for (int i = 0; i < kLinks; ++i) {
    builder.Loc(absl::StrCat("v", i), 8, At(8 * (i % 2)));
  }
  builder.Op("make0", {"v0"}, {});
  for (int i = 1; i < kLinks; ++i) {
    // In two steps, so that one may overtake another.
    builder.Op(absl::StrCat("read", i - 1), {}, {absl::StrCat("v", i - 1)});
    builder.Op(absl::StrCat("make", i), {absl::StrCat("v", i)}, {});
  }
  const Program program = builder.Build();
  const ProgramDependences all = FindDependences(program);
  const SimulateReport whole = RunMachine(program, all);
  EXPECT_TRUE(whole.ok()) << whole.fault->message;
  EXPECT_EQ(whole.exhausted, 0);
  SimulateOptions options;
  options.schedules = 3 * 3 * kLinks;
  int dropped = 0;
  for (size_t drop = 0; drop < all.functions[0][0].local.size(); ++drop) {
    if (all.functions[0][0].local[drop].kind != DependenceKind::kAnti) continue;
    ProgramDependences edges = all;
    auto& local = edges.functions[0][0].local;
    const Dependence edge = local[drop];
    local.erase(local.begin() + static_cast<std::ptrdiff_t>(drop));
    const SimulateReport report = RunMachine(program, edges, options);
    ASSERT_FALSE(report.ok()) << edge.earlier << " before " << edge.later;
    EXPECT_EQ(report.fault->invariant, 13);
    ++dropped;
  }
  EXPECT_EQ(dropped, kLinks - 2);
}

// A live range that ends before its last use: what the planner then does.
TEST(Simulate, OneShrunkLiveRange) {
  const auto build = [](bool last_use) {
    ProgramBuilder b;
    b.In("x", 8).Loc("t", 4096).Loc("u", 4096).Out("y", 8);
    b.Op("make_t", {"t"}, {"x"}).Op("read_t", {}, {"t"});
    b.Op("make_u", {"u"}, {"x"}).Op("read_u", {}, {"u"});
    b.Op("again", {"y"},
         last_use ? testing::AccessSpecs{"t"} : testing::AccessSpecs{"x"});
    return b.Build();
  };
  Program program = Planned(build(true));
  EXPECT_TRUE(RunMachine(program).ok());
  const Program shrunk = Planned(build(false));
  program.modules[0].functions[0].locations =
      shrunk.modules[0].functions[0].locations;
  ExpectFault(RunMachine(program), 12,
              "instruction 'again' reads bytes [0, 4096)");
}

// Two cores: 0 makes s, both read it, then 1 makes t in the same bytes.
ProgramBuilder HandOver(uint64_t copy_address = 0) {
  return ProgramBuilder()
      .Core(0)
      .Loc("s", 64, At(0, Space::kShared))
      .Loc("t", 64, CopyAt(0, 1, "t"))
      .Op("make_s", {"s"}, {})
      .Barrier("made")
      .Op("read_s0", {}, {"s"})
      .Barrier("done")
      .Barrier("made_t")
      .Op("read_t0", {}, {"t"})
      .Core(1)
      .Loc("s", 64, CopyAt(copy_address, 0, "s"))
      .Loc("t", 64, At(0, Space::kShared))
      .Barrier("made")
      .Op("read_s1", {}, {"s"})
      .Barrier("done")
      .Op("make_t", {"t"}, {})
      .Barrier("made_t")
      .Op("read_t1", {}, {"t"});
}

TEST(Simulate, SharedBytesAreHandedOver) {
  const SimulateReport report = RunMachine(HandOver());
  EXPECT_TRUE(report.ok()) << report.fault->message;
  EXPECT_EQ(report.exhausted, 1);
  EXPECT_EQ(report.cut_paths, 0);
}

TEST(Simulate, OneDroppedRendezvous) {
  const Program program = HandOver().Build();
  const struct {
    int invariant;
    const char* words;
  } expected[] = {
      // Core 1 reads s before core 0 has made it.
      {13,
       "core 1, function 'f', instruction 'read_s1' reads bytes [0, 64) of "
       "'s' (address 0): must see what core 0, function 'f', instruction "
       "'make_s' wrote to 's', sees bytes that nobody wrote"},
      // Core 1 makes t before core 0 has read s.
      {13, "'make_t' wrote to 't'"},
      // Core 0 reads t at once.
      {12,
       "core 0, function 'f', instruction 'read_t0' reads bytes [0, 64) of "
       "'t'"},
  };
  for (int32_t r = 0; r < 3; ++r) {
    SimulateOptions options;
    options.dropped_rendezvous = r;
    ExpectFault(RunMachine(program, options), expected[r].invariant,
                expected[r].words);
  }
}

TEST(Simulate, OneSharedAddressThatIsShiftedOnOneCore) {
  ExpectFault(RunMachine(HandOver(16)), 12,
              "core 1, function 'f', instruction 'read_s1' reads bytes [0, 64) "
              "of 's' (address 16): must see what core 0, function 'f', "
              "instruction 'make_s' wrote to 's', sees");
  EXPECT_THAT(RunMachine(HandOver(16)).fault->message,
              HasSubstr("as its byte 16, not 0"));
}

// All cores' accesses of one rendezvous are one: each reads what was there, and
// each then holds what all have written.
TEST(Simulate, AnAllReduceInPlace) {
  const SimulateReport report =
      RunMachine(ProgramBuilder()
                     .Core(0)
                     .Loc("s", 8, At(0, Space::kShared))
                     .Op("left", {{"s", 0, 4}}, {})
                     .Collective("sum", {"s"}, {"s"})
                     .Op({}, {"s"})
                     .Core(1)
                     .Loc("s", 8, CopyAt(0, 0, "s"))
                     .Op("right", {{"s", 4, 4}}, {})
                     .Collective("sum", {"s"}, {"s"})
                     .Op({}, {"s"}));
  EXPECT_TRUE(report.ok()) << report.fault->message;
}

TEST(Simulate, PrivateBytesInSharedOnes) {
  ExpectFault(RunMachine(ProgramBuilder()
                             .Core(0)
                             .Loc("s", 8, At(0, Space::kShared))
                             .Op("make_s", {"s"}, {})
                             .Barrier("b")
                             .Op("make_v", {}, {})
                             .Barrier("c")
                             .Op("read_s", {}, {"s"})
                             .Core(1)
                             .Loc("v", 8, At(4))
                             .Barrier("b")
                             .Op("make_v", {"v"}, {})
                             .Barrier("c")),
              12, "instruction 'make_v' wrote to 'v'");
}

// The loops of both cores take equally many rounds, whatever the seed.
TEST(Simulate, LoopsThatMeetRunTogether) {
  const Program program = ProgramBuilder()
                              .Core(0)
                              .Loc("s", 8, At(0, Space::kShared))
                              .Block("entry", {"loop"})
                              .Block("loop", {"loop", "inner"})
                              .Op("make", {"s"}, {})
                              .Barrier("made")
                              .Barrier("read")
                              .Block("inner", {"inner", "exit"})
                              .Barrier("x")
                              .Block("exit")
                              .Core(1)
                              .Loc("s", 8, CopyAt(0, 0, "s"))
                              .Block("entry", {"head"})
                              .Block("head", {"body"})
                              .Barrier("made")
                              .Block("body", {"head", "y", "body2"})
                              .Op("use", {}, {"s"})
                              .Barrier("read")
                              .Block("body2", {"head", "y"})
                              .Block("y", {"y", "exit"})
                              .Barrier("x")
                              .Block("exit")
                              .Build();
  SimulateOptions options;
  options.schedules = 40;
  for (options.seed = 1; options.seed <= 10; ++options.seed) {
    const SimulateReport report = RunMachine(program, options);
    EXPECT_TRUE(report.ok()) << report.fault->message;
    EXPECT_EQ(report.cut_paths, 0);
    EXPECT_GT(report.paths, 1);
  }
}

TEST(Simulate, ValuesThatGoRoundALoop) {
  const auto build = [](uint64_t temp) {
    return ProgramBuilder()
        .Loc("carried", 8, At(0))
        .Loc("temp", 8, At(temp))
        .Block("entry", {"loop"})
        .Op({"carried"}, {})
        .Block("loop", {"loop", "exit"})
        .Op("use", {}, {"carried"})
        .Op("temp", {"temp"}, {})
        .Op({}, {"temp"})
        .Block("exit")
        .Op({}, {});
  };
  EXPECT_TRUE(RunMachine(build(8)).ok());
  ExpectFault(RunMachine(build(0)), 12, "instruction 'use'");
}

TEST(Simulate, CalleesInTheirCallersBytes) {
  const auto build = [](uint64_t inner) {
    return ProgramBuilder()
        .Fn("main")
        .Loc("t", 8, At(100))
        .Op("make", {"t"}, {})
        .Call("g")
        .Op("use", {}, {"t"})
        .Fn("g")
        .Loc("u", 8, At(inner))
        .Op("inner", {"u"}, {})
        .Op({}, {"u"});
  };
  EXPECT_TRUE(RunMachine(build(92)).ok());
  ExpectFault(RunMachine(build(93)), 12, "function 'g', instruction 'inner'");
}

// Pins of two functions on the same bytes are one memory: an argument.
TEST(Simulate, PinsOfTwoFunctionsAreOneMemory) {
  const SimulateReport report = RunMachine(ProgramBuilder()
                                               .Fn("main")
                                               .Pin("arg", 16, 0)
                                               .Op({"arg"}, {})
                                               .Call("g", {}, {"arg"})
                                               .Op({}, {"arg"})
                                               .Fn("g")
                                               .Pin("in", 8, 4)
                                               .Op({"in"}, {"in"}));
  EXPECT_TRUE(report.ok()) << report.fault->message;
}

TEST(Simulate, WeightsOutliveTheFunctionThatReadsThem) {
  LocationSpec weight = At(0);
  weight.usage = Usage::kWeight;
  weight.placed_by = PlacedBy::kInput;
  ExpectFault(RunMachine(ProgramBuilder()
                             .Loc("w", 8, weight)
                             .Loc("t", 8, At(7))
                             .Op({}, {"w"})
                             .Op("late", {"t"}, {})),
              12, "exit of 'f' reads bytes [7, 8) of 'w'");
}

TEST(Simulate, BytesThatNobodyWroteAreExempt) {
  EXPECT_TRUE(RunMachine(ProgramBuilder()
                             .Loc("t", 8, At(0))
                             .Loc("u", 8, At(4))
                             .Op({{"t", 0, 4}}, {})
                             .Op({"u"}, {})
                             .Op({}, {"t"}))
                  .ok());
}

TEST(Simulate, ALoopWithoutExitIsCut) {
  SimulateOptions options;
  options.max_events = 1000;
  options.schedules = 3;
  const SimulateReport report = RunMachine(
      ProgramBuilder().Block("entry", {"entry"}).Op({}, {}).Build(), options);
  EXPECT_TRUE(report.ok());
  EXPECT_EQ(report.cut_paths, report.paths);
}

TEST(Simulate, TheSameSeedGivesTheSameRun) {
  const Program program = TwoInOnePlace().Build();
  const SimulateReport a = RunMachine(program);
  const SimulateReport b = RunMachine(program);
  EXPECT_EQ(a.events, b.events);
  EXPECT_EQ(a.uses, b.uses);
}

}  // namespace
}  // namespace berth
