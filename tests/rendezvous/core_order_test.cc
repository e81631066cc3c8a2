// Where cores meet and what that orders, worked by hand.
#include "allocator/rendezvous/core_order.h"

#include <cstdint>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "allocator/model/intervals.h"
#include "allocator/model/program.h"
#include "gtest/gtest.h"
#include "tests/rendezvous/order_of.h"
#include "tests/testing/program_builder.h"

namespace berth {
namespace {

using testing::AllBefore;
using testing::OrderOf;
using testing::PhasesText;
using testing::ProgramBuilder;

TEST(CoreOrder, WithoutRendezvousAllIsOnePhase) {
  const auto b = ProgramBuilder().Core(0).Op({}, {}).Core(1).Op({}, {});
  const CoreOrder order = OrderOf(b);
  EXPECT_EQ(order.num_phases(), 1);
  EXPECT_EQ(PhasesText(order, b, 0), "0");
  EXPECT_FALSE(AllBefore(order, {0, 0, 0}, {1, 0, 0}));
  EXPECT_FALSE(AllBefore(order, {1, 0, 0}, {0, 0, 0}));
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
  EXPECT_EQ(PhasesText(order, b, 0), "0 1 2 3");
  EXPECT_EQ(PhasesText(order, b, 1), "1 2 2 3 4");
  ASSERT_EQ(order.rendezvous().size(), 2u);
  EXPECT_EQ(order.rendezvous()[1].name, "sum");
  EXPECT_TRUE(order.rendezvous()[1].cuts);
  EXPECT_TRUE(AllBefore(order, {0, 0, 0}, {1, 0, 0}));   // before the barrier
  EXPECT_TRUE(AllBefore(order, {0, 0, 1}, {1, 0, 1}));   // the barrier itself
  EXPECT_FALSE(AllBefore(order, {0, 0, 1}, {1, 0, 0}));  // one rendezvous
  EXPECT_FALSE(AllBefore(order, {0, 0, 2}, {1, 0, 1}));
  EXPECT_FALSE(AllBefore(order, {1, 0, 1}, {0, 0, 2}));
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
  EXPECT_EQ(PhasesText(order, b, 0), "1 3");
  EXPECT_EQ(PhasesText(order, b, 1), "1 2 3");
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
  EXPECT_EQ(PhasesText(order, b, 0), "0 0 1");
  EXPECT_EQ(PhasesText(order, b, 1), "0 0 1");
  EXPECT_TRUE(AllBefore(order, {0, 0, 0}, {1, 0, 1}));
  EXPECT_FALSE(AllBefore(order, {1, 0, 1}, {0, 0, 0}));
  EXPECT_FALSE(AllBefore(order, {0, 0, 0}, {2, 0, 0}));
  EXPECT_FALSE(AllBefore(order, {2, 0, 0}, {1, 0, 1}));
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
  EXPECT_TRUE(AllBefore(order, {0, 0, 0}, {2, 0, 2}));
  EXPECT_TRUE(AllBefore(order, {0, 0, 1}, {2, 0, 1}));
  EXPECT_FALSE(AllBefore(order, {0, 0, 2}, {2, 0, 2}));
  EXPECT_FALSE(AllBefore(order, {0, 0, 0}, {2, 0, 0}));
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
  EXPECT_EQ(PhasesText(order, b, 0, 0), "0 0..2 2 2..4 4");
  EXPECT_EQ(PhasesText(order, b, 0, 1), "0..2 1..3");
  EXPECT_EQ(PhasesText(order, b, 1), "1 2 3");
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
  EXPECT_EQ(PhasesText(order, b, 0, 1), "2");
  EXPECT_EQ(PhasesText(order, b, 1), "0 1");
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
  EXPECT_EQ(PhasesText(OrderOf(b), b, 0), "1 2 2 3");
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
  EXPECT_EQ(PhasesText(OrderOf(b), b, 0), "0 1 2 2");
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
