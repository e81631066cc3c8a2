// Where cores meet and what that orders, worked by hand.
#include "allocator/rendezvous/core_order.h"

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "allocator/model/check_program.h"
#include "allocator/model/program.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/testing/program_builder.h"

namespace berth {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using testing::ProgramBuilder;

CoreOrder OrderOf(const ProgramBuilder& builder) {
  const Program program = builder.Build();
  EXPECT_EQ(CheckProgram(program), absl::OkStatus());
  absl::StatusOr<CoreOrder> order = CoreOrder::Of(program);
  EXPECT_TRUE(order.ok()) << order.status();
  return *std::move(order);
}

std::string ErrorOf(const ProgramBuilder& builder) {
  const Program program = builder.Build();
  EXPECT_EQ(CheckProgram(program), absl::OkStatus());
  const absl::StatusOr<CoreOrder> order = CoreOrder::Of(program);
  EXPECT_TRUE(absl::IsInvalidArgument(order.status())) << order.status();
  return std::string(order.status().message());
}

// The phases of a function's instructions: "0 1 2..4", a hull as lo..hi.
std::string Phases(const CoreOrder& order, const ProgramBuilder& builder,
                   int32_t core, int32_t function = 0) {
  const Program program = builder.Build();
  const Function& f = program.modules[core].functions[function];
  std::string text;
  for (int32_t flat = 0; flat < f.num_instructions(); ++flat) {
    const Interval phases = order.PhasesOf({core, function, flat});
    absl::StrAppend(&text, flat == 0 ? "" : " ", phases.lo);
    if (phases.hi != phases.lo) absl::StrAppend(&text, "..", phases.hi);
  }
  return text;
}

bool Before(const CoreOrder& order, const CodePlace& a, const CodePlace& b) {
  return order.Before(a.core, order.TimesOf(a).back().hi, b.core,
                      order.TimesOf(b).front().lo);
}

TEST(CoreOrder, WithoutRendezvousAllIsOnePhase) {
  const auto b = ProgramBuilder().Core(0).Op({}, {}).Core(1).Op({}, {});
  const CoreOrder order = OrderOf(b);
  EXPECT_EQ(order.num_phases(), 1);
  EXPECT_EQ(Phases(order, b, 0), "0");
  EXPECT_FALSE(Before(order, {0, 0, 0}, {1, 0, 0}));
  EXPECT_FALSE(Before(order, {1, 0, 0}, {0, 0, 0}));
}

TEST(CoreOrder, RendezvousOfAllCoresCut) {
  const auto b = ProgramBuilder()
                     .Core(0)
                     .Op({}, {})
                     .Barrier("b")
                     .Op({}, {})
                     .Collective("sum", {}, {})
                     .Core(1)
                     .Barrier("b")
                     .Op({}, {})
                     .Op({}, {})
                     .Collective("sum", {}, {})
                     .Op({}, {});
  const CoreOrder order = OrderOf(b);
  EXPECT_EQ(order.num_phases(), 5);
  EXPECT_EQ(Phases(order, b, 0), "0 1 2 3");
  EXPECT_EQ(Phases(order, b, 1), "1 2 2 3 4");
  ASSERT_EQ(order.rendezvous().size(), 2u);
  EXPECT_EQ(order.rendezvous()[1].name, "sum");
  EXPECT_TRUE(order.rendezvous()[1].cuts);
  EXPECT_TRUE(Before(order, {0, 0, 0}, {1, 0, 0}));   // before the barrier
  EXPECT_TRUE(Before(order, {0, 0, 1}, {1, 0, 1}));   // the barrier itself
  EXPECT_FALSE(Before(order, {0, 0, 1}, {1, 0, 0}));  // one rendezvous
  EXPECT_FALSE(Before(order, {0, 0, 2}, {1, 0, 1}));
  EXPECT_FALSE(Before(order, {1, 0, 1}, {0, 0, 2}));
  EXPECT_TRUE(order.Together(0, 1, 1, 1));
}

// The second "b" of each core meets the second of the others, whatever stands
// between, and a BARRIER may meet a COLLECTIVE.
TEST(CoreOrder, TheKthOfANameMeetsTheKth) {
  const auto b = ProgramBuilder()
                     .Core(0)
                     .Barrier("b")
                     .Collective("b", {}, {})
                     .Core(1)
                     .Barrier("b")
                     .Op({}, {})
                     .Barrier("b");
  const CoreOrder order = OrderOf(b);
  EXPECT_EQ(Phases(order, b, 0), "1 3");
  EXPECT_EQ(Phases(order, b, 1), "1 2 3");
}

// Cores 0 and 1 meet at "pair"; core 2 does not: it orders them, and is inside
// of a phase.
TEST(CoreOrder, RendezvousOfSomeCoresOrderButCutNothing) {
  const auto b = ProgramBuilder()
                     .Core(0)
                     .Op({}, {})
                     .Barrier("pair")
                     .Barrier("all")
                     .Core(1)
                     .Barrier("pair")
                     .Op({}, {})
                     .Barrier("all")
                     .Core(2)
                     .Op({}, {})
                     .Barrier("all");
  const CoreOrder order = OrderOf(b);
  EXPECT_EQ(order.num_phases(), 3);
  EXPECT_EQ(Phases(order, b, 0), "0 0 1");
  EXPECT_EQ(Phases(order, b, 1), "0 0 1");
  EXPECT_TRUE(Before(order, {0, 0, 0}, {1, 0, 1}));
  EXPECT_FALSE(Before(order, {1, 0, 1}, {0, 0, 0}));
  EXPECT_FALSE(Before(order, {0, 0, 0}, {2, 0, 0}));
  EXPECT_FALSE(Before(order, {2, 0, 0}, {1, 0, 1}));
}

// 0 meets 1 at "x", then 1 meets 2 at "y": what 0 did before x, 2 knows after
// y.
TEST(CoreOrder, ChainsOfRendezvousOrder) {
  const auto b = ProgramBuilder()
                     .Core(0)
                     .Op({}, {})
                     .Barrier("x")
                     .Op({}, {})
                     .Core(1)
                     .Barrier("x")
                     .Barrier("y")
                     .Core(2)
                     .Op({}, {})
                     .Barrier("y")
                     .Op({}, {});
  const CoreOrder order = OrderOf(b);
  EXPECT_TRUE(Before(order, {0, 0, 0}, {2, 0, 2}));
  EXPECT_TRUE(Before(order, {0, 0, 1}, {2, 0, 1}));
  EXPECT_FALSE(Before(order, {0, 0, 2}, {2, 0, 2}));
  EXPECT_FALSE(Before(order, {0, 0, 0}, {2, 0, 0}));
  EXPECT_LT(order.Rank(0, 0), order.Rank(2, 2));
}

// A name that one core of two has meets nothing, wherever it stands.
TEST(CoreOrder, ANameOfOneCoreIsNoRendezvous) {
  const auto b = ProgramBuilder()
                     .Core(0)
                     .Block("entry", {"then", "exit"})
                     .Op({}, {})
                     .Block("then", {"exit"})
                     .Collective("mine", {}, {})
                     .Block("exit")
                     .Core(1)
                     .Op({}, {});
  const CoreOrder order = OrderOf(b);
  EXPECT_TRUE(order.rendezvous().empty());
  EXPECT_FALSE(order.Meets({0, 0, 1}));
}

// Calls are expanded: helper runs at 0..1 and 2..3, so its instructions have
// the hull of both. Core 1 has the same rendezvous in line.
TEST(CoreOrder, AFunctionCalledTwiceHasTheHullOfItsCalls) {
  const auto b = ProgramBuilder()
                     .Core(0)
                     .Fn("main")
                     .Op({}, {})
                     .Call("helper")
                     .Op({}, {})
                     .Call("helper")
                     .Op({}, {})
                     .Fn("helper")
                     .Op({}, {})
                     .Barrier("b")
                     .Core(1)
                     .Fn("main")
                     .Barrier("b")
                     .Op({}, {})
                     .Barrier("b");
  const CoreOrder order = OrderOf(b);
  EXPECT_EQ(Phases(order, b, 0, 0), "0 0..2 2 2..4 4");
  EXPECT_EQ(Phases(order, b, 0, 1), "0..2 1..3");
  EXPECT_EQ(Phases(order, b, 1), "1 2 3");
  EXPECT_EQ(order.TimesOf({0, 1, 0}), (std::vector<Interval>{{0, 0}, {2, 2}}));
}

// Roots run in file order: g's code comes after f's barrier.
TEST(CoreOrder, RootsFollowOneAnother) {
  const auto b = ProgramBuilder()
                     .Core(0)
                     .Fn("f")
                     .Barrier("b")
                     .Fn("g")
                     .Op({}, {})
                     .Core(1)
                     .Fn("f")
                     .Op({}, {})
                     .Barrier("b");
  const CoreOrder order = OrderOf(b);
  EXPECT_EQ(Phases(order, b, 0, 1), "2");
  EXPECT_EQ(Phases(order, b, 1), "0 1");
}

ProgramBuilder& AddLoop(ProgramBuilder& b, int32_t core) {
  return b.Core(core)
      .Block("entry", {"head"})
      .Op({}, {})  // 0
      .Block("head", {"body", "exit"})
      .Op({}, {})  // 1
      .Block("body", {"head"})
      .Op({}, {})    // 2
      .Barrier("b")  // 3
      .Op({}, {})    // 4
      .Block("exit")
      .Op({}, {})      // 5
      .Barrier("end")  // 6
      .Op({}, {});     // 7
}

// A loop that holds a rendezvous of all cores is one phase as a whole, in the
// place of a rendezvous. Inside, the rendezvous of an iteration orders.
TEST(CoreOrder, ALoopIsOnePhaseAsAWhole) {
  ProgramBuilder b;
  AddLoop(b, 0);
  AddLoop(b, 1);
  const CoreOrder order = OrderOf(b);
  EXPECT_EQ(order.num_phases(), 5);
  EXPECT_EQ(Phases(order, b, 0), "0 1 1 1 1 2 3 4");
  EXPECT_TRUE(Before(order, {0, 0, 2}, {1, 0, 4}));
  EXPECT_FALSE(Before(order, {0, 0, 4}, {1, 0, 2}));
  EXPECT_TRUE(Before(order, {0, 0, 0}, {1, 0, 4}));
  EXPECT_FALSE(Before(order, {0, 0, 0}, {1, 0, 2}));
  // The loop may be left before its barrier, or never entered.
  EXPECT_FALSE(Before(order, {0, 0, 1}, {1, 0, 5}));
  EXPECT_FALSE(Before(order, {0, 0, 0}, {1, 0, 5}));
  EXPECT_TRUE(Before(order, {0, 0, 4}, {1, 0, 7}));
}

// A loop whose body runs at least once does order what is before it and after.
TEST(CoreOrder, ALoopThatCannotMissItsRendezvousOrders) {
  ProgramBuilder b;
  for (const int32_t core : {0, 1}) {
    b.Core(core)
        .Block("entry", {"body"})
        .Op({}, {})
        .Block("body", {"body", "exit"})
        .Barrier("b")
        .Block("exit")
        .Op({}, {});
  }
  const CoreOrder order = OrderOf(b);
  EXPECT_EQ(Phases(order, b, 0), "0 1 2");
  EXPECT_TRUE(Before(order, {0, 0, 0}, {1, 0, 2}));
}

// Branches without rendezvous are passed over; their arms have the phase they
// stand in.
TEST(CoreOrder, BranchesStandInAPhase) {
  ProgramBuilder b;
  for (const int32_t core : {0, 1}) {
    b.Core(core)
        .Block("entry", {"then", "else"})
        .Barrier("b")
        .Block("else", {"join"})
        .Op({}, {})
        .Block("then", {"join"})
        .Op({}, {})
        .Block("join")
        .Barrier("b");
  }
  EXPECT_EQ(Phases(OrderOf(b), b, 0), "1 2 2 3");
}

// One core: what is on every path cuts, what is not is passed over.
TEST(CoreOrder, OneCoreMeetsNobody) {
  const auto b = ProgramBuilder()
                     .Block("entry", {"then", "exit"})
                     .Op({}, {})
                     .Collective("a", {}, {})
                     .Block("then", {"exit"})
                     .Collective("b", {}, {})
                     .Block("exit")
                     .Op({}, {});
  EXPECT_EQ(Phases(OrderOf(b), b, 0), "0 1 2 2");
}

TEST(CoreOrder, UnequalCountsAreAnError) {
  EXPECT_THAT(ErrorOf(ProgramBuilder()
                          .Core(0)
                          .Fn("main")
                          .Barrier("b")
                          .Core(1)
                          .Fn("main")
                          .Barrier("b")
                          .Barrier("b")),
              AllOf(HasSubstr("'b' stands 2 times on core 1 and 1 times on "
                              "core 0"),
                    HasSubstr("core 1, function 'main', instruction 'b'")));
}

TEST(CoreOrder, ContradictoryOrderIsAnError) {
  EXPECT_THAT(ErrorOf(ProgramBuilder()
                          .Core(0)
                          .Fn("main")
                          .Barrier("x")
                          .Barrier("y")
                          .Core(1)
                          .Fn("main")
                          .Barrier("y")
                          .Barrier("x")),
              AllOf(HasSubstr("contradictory order"),
                    HasSubstr("core 0, function 'main', instruction 'x'"),
                    HasSubstr("core 1, function 'main', instruction 'y'")));
}

// 0 waits for 1 at "x", 1 for 2 at "y", 2 for 0 at "z": no two contradict.
TEST(CoreOrder, AContradictionMayGoRoundThreeCores) {
  EXPECT_THAT(ErrorOf(ProgramBuilder()
                          .Core(0)
                          .Barrier("x")
                          .Barrier("z")
                          .Core(1)
                          .Barrier("y")
                          .Barrier("x")
                          .Core(2)
                          .Barrier("z")
                          .Barrier("y")),
              HasSubstr("contradictory order"));
}

TEST(CoreOrder, ARendezvousInOneArmIsAnError) {
  ProgramBuilder b;
  for (const int32_t core : {0, 1}) {
    b.Core(core)
        .Block("entry", {"then", "exit"})
        .Op({}, {})
        .Block("then", {"exit"})
        .Barrier("b")
        .Block("exit");
  }
  EXPECT_THAT(ErrorOf(b),
              AllOf(HasSubstr("core 0, function 'f', instruction 'b'"),
                    HasSubstr("not on every path")));
}

TEST(CoreOrder, ACallInOneArmOfWhatMeetsIsAnError) {
  ProgramBuilder b;
  for (const int32_t core : {0, 1}) {
    b.Core(core)
        .Fn("main")
        .Block("entry", {"then", "exit"})
        .Op({}, {})
        .Block("then", {"exit"})
        .Call("meets")
        .Block("exit")
        .Fn("meets")
        .Barrier("b");
  }
  EXPECT_THAT(ErrorOf(b),
              AllOf(HasSubstr("core 0, function 'main'"), HasSubstr("call"),
                    HasSubstr("not on every path")));
}

TEST(CoreOrder, ARendezvousThatAnEarlyExitMissesIsAnError) {
  ProgramBuilder b;
  for (const int32_t core : {0, 1}) {
    b.Core(core)
        .Block("entry", {"early", "rest"})
        .Block("early")
        .Op({}, {})
        .Block("rest")
        .Barrier("b");
  }
  EXPECT_THAT(ErrorOf(b), HasSubstr("not on every path"));
}

TEST(CoreOrder, ARendezvousThatAnIterationMissesIsAnError) {
  ProgramBuilder b;
  for (const int32_t core : {0, 1}) {
    b.Core(core)
        .Block("entry", {"head"})
        .Block("head", {"meet", "skip", "exit"})
        .Op({}, {})
        .Block("meet", {"head"})
        .Barrier("b")
        .Block("skip", {"head"})
        .Block("exit");
  }
  EXPECT_THAT(ErrorOf(b), HasSubstr("an iteration of its loop"));
}

TEST(CoreOrder, ARendezvousInALoopOfTwoEntriesIsAnError) {
  ProgramBuilder b;
  for (const int32_t core : {0, 1}) {
    b.Core(core)
        .Block("entry", {"one", "two"})
        .Block("one", {"two"})
        .Barrier("b")
        .Block("two", {"one", "exit"})
        .Op({}, {})
        .Block("exit");
  }
  EXPECT_THAT(ErrorOf(b), HasSubstr("several entries"));
}

TEST(CoreOrder, ARendezvousThatNothingLeadsToIsAnError) {
  ProgramBuilder b;
  for (const int32_t core : {0, 1}) {
    b.Core(core).Block("entry").Op({}, {}).Block("island").Barrier("b");
  }
  EXPECT_THAT(ErrorOf(b), HasSubstr("no path leads to"));
}

TEST(CoreOrder, ALoopOnOneCoreOnlyIsAnError) {
  EXPECT_THAT(ErrorOf(ProgramBuilder()
                          .Core(0)
                          .Block("entry", {"entry", "exit"})
                          .Barrier("b")
                          .Block("exit")
                          .Core(1)
                          .Barrier("b")),
              AllOf(HasSubstr("core 0, function 'f', instruction 'b'"),
                    HasSubstr("1 and the other in 0 loops")));
}

// Core 0 meets at "x" and "y" in two loops, core 1 in one.
TEST(CoreOrder, TwoLoopsAgainstOneAreAnError) {
  EXPECT_THAT(ErrorOf(ProgramBuilder()
                          .Core(0)
                          .Block("entry", {"entry", "next"})
                          .Barrier("x")
                          .Block("next", {"next", "exit"})
                          .Barrier("y")
                          .Block("exit")
                          .Core(1)
                          .Block("entry", {"entry", "exit"})
                          .Barrier("x")
                          .Barrier("y")
                          .Block("exit")),
              HasSubstr("stand in two loops"));
}

// In each iteration core 2 meets 0 at "x", then 1 at "y". Core 0 meets 1 at
// "z" behind its loop, core 1 before its: in the second iteration all wait.
TEST(CoreOrder, AContradictionOnlyLoopsShow) {
  EXPECT_THAT(ErrorOf(ProgramBuilder()
                          .Core(0)
                          .Block("loop", {"loop", "exit"})
                          .Barrier("x")
                          .Block("exit")
                          .Barrier("z")
                          .Core(1)
                          .Block("entry", {"loop"})
                          .Barrier("z")
                          .Block("loop", {"loop", "exit"})
                          .Barrier("y")
                          .Block("exit")
                          .Core(2)
                          .Block("loop", {"loop", "exit"})
                          .Barrier("x")
                          .Barrier("y")
                          .Block("exit")),
              AllOf(HasSubstr("contradictory order"), HasSubstr("loop")));
}

// f0 calls f1 twice, f1 calls f2 twice, ...: 2^40 barriers are refused, 2^40
// calls without any are not.
TEST(CoreOrder, DoublingCallsAreBounded) {
  const auto doubling = [](bool barrier) {
    ProgramBuilder b;
    for (const int32_t core : {0, 1}) {
      b.Core(core);
      for (int i = 0; i < 40; ++i) {
        b.Fn(absl::StrCat("f", i))
            .Call(absl::StrCat("f", i + 1))
            .Call(absl::StrCat("f", i + 1));
      }
      b.Fn("f40").Op({}, {});
      if (barrier) b.Barrier("b");
    }
    return b;
  };
  const auto refused = CoreOrder::Of(doubling(true).Build());
  EXPECT_TRUE(absl::IsResourceExhausted(refused.status()));
  const auto b = doubling(false);
  EXPECT_EQ(Phases(OrderOf(b), b, 0, 40), "0");
}

// The order of modules in the file means nothing.
TEST(CoreOrder, ModulesMayStandInAnyOrder) {
  Program program = ProgramBuilder()
                        .Core(0)
                        .Barrier("b")
                        .Op({}, {})
                        .Core(1)
                        .Op({}, {})
                        .Barrier("b")
                        .Build();
  std::swap(program.modules[0], program.modules[1]);
  const absl::StatusOr<CoreOrder> order = CoreOrder::Of(program);
  ASSERT_TRUE(order.ok());
  EXPECT_EQ(order->PhasesOf({0, 0, 1}), (Interval{2, 2}));
  EXPECT_EQ(order->PhasesOf({1, 0, 0}), (Interval{0, 0}));
}

}  // namespace
}  // namespace berth
