// Loops in which cores meet: phases, and what is before what round them.
#include <cstdint>

#include "allocator/rendezvous/core_order.h"
#include "allocator/rendezvous/next_iteration.h"
#include "gtest/gtest.h"
#include "tests/rendezvous/order_of.h"
#include "tests/testing/program_builder.h"

namespace berth {
namespace {

using testing::AllBefore;
using testing::OrderOf;
using testing::PhasesText;
using testing::ProgramBuilder;

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

// A loop that holds a rendezvous of all cores lies in one phase as a whole,
// with the code around it: core 0 may be behind it while core 1 is still at its
// last instruction. Inside, the rendezvous of an iteration orders.
TEST(CoreOrder, ALoopIsOnePhaseAsAWhole) {
  ProgramBuilder b;
  AddLoop(b, 0);
  AddLoop(b, 1);
  const CoreOrder order = OrderOf(b);
  EXPECT_EQ(order.num_phases(), 3);
  EXPECT_EQ(PhasesText(order, b, 0), "0 0 0 0 0 0 1 2");
  EXPECT_TRUE(AllBefore(order, {0, 0, 2}, {1, 0, 4}));
  EXPECT_FALSE(AllBefore(order, {0, 0, 4}, {1, 0, 2}));
  EXPECT_TRUE(AllBefore(order, {0, 0, 0}, {1, 0, 4}));
  EXPECT_FALSE(AllBefore(order, {0, 0, 0}, {1, 0, 2}));
  // The loop may be left before its barrier, or never entered.
  EXPECT_FALSE(AllBefore(order, {0, 0, 1}, {1, 0, 5}));
  EXPECT_FALSE(AllBefore(order, {0, 0, 0}, {1, 0, 5}));
  EXPECT_TRUE(AllBefore(order, {0, 0, 4}, {1, 0, 7}));
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
  EXPECT_EQ(PhasesText(order, b, 0), "0 0 0");
  EXPECT_TRUE(AllBefore(order, {0, 0, 0}, {1, 0, 2}));
}

// One rendezvous an iteration: it orders the def before it and the use behind
// it, but not the use and the next iteration's def. A second one does.
TEST(NextIteration, ComesAfterAnIterationOnlyByASecondRendezvous) {
  const auto program = [](bool second) {
    ProgramBuilder b;
    for (const int32_t core : {0, 1}) {
      b.Core(core).Block("entry", {"body"}).Op({}, {});
      b.Block("body", {"body", "exit"});
      b.Op({}, {}).Barrier("b").Op({}, {});
      if (second) b.Barrier("c");
      b.Block("exit").Op({}, {});
    }
    return b;
  };
  for (const bool second : {false, true}) {
    const CoreOrder order = OrderOf(program(second));
    ASSERT_EQ(order.loops().size(), 2u);
    const int32_t loop = order.LoopAt(0, 2);
    ASSERT_GE(loop, 0);
    EXPECT_EQ(order.LoopAt(0, 0), -1);
    const int32_t of_class = order.loops()[loop].of_class;
    EXPECT_EQ(order.loops()[order.LoopAt(1, 4)].of_class, of_class);
    NextIteration next(order);
    // Instructions 1 and 3 stand at times 2 and 4, the barrier at 3.
    EXPECT_TRUE(AllBefore(order, {0, 0, 1}, {1, 0, 3}));
    EXPECT_EQ(next.Before(of_class, 1, 4, 0, 2), second);
    EXPECT_TRUE(next.Before(of_class, 1, 2, 0, 2 + 2));
    EXPECT_TRUE(next.Before(of_class, 1, 3, 0, 2));
    EXPECT_TRUE(next.Before(of_class, 1, 4, 0, 3));
    EXPECT_EQ(order.LoopAt(0, second ? 8 : 6), -1);
  }
}

// The second rendezvous stands in an inner loop that may not run: it orders
// only what that loop holds behind it.
TEST(NextIteration, DoesNotRelyOnInnerLoopsThatMayNotRun) {
  const auto program = [](bool at_least_once) {
    ProgramBuilder b;
    for (const int32_t core : {0, 1}) {
      b.Core(core).Block("entry", {"body"}).Op({}, {});
      b.Block("body", {"head"}).Barrier("b").Op({}, {});
      if (at_least_once) {
        b.Block("head", {"head", "latch"}).Barrier("inner");
      } else {
        b.Block("head", {"inner", "latch"});
        b.Block("inner", {"head"}).Barrier("inner");
      }
      b.Block("latch", {"body", "exit"}).Op({}, {});
      b.Block("exit").Op({}, {});
    }
    return b;
  };
  for (const bool at_least_once : {false, true}) {
    const CoreOrder order = OrderOf(program(at_least_once));
    NextIteration next(order);
    // entry, begin, b, begin, inner, end, end are points: the code behind "b"
    // has time 4, that in front of it 2.
    const int32_t of_class = order.loops()[order.LoopAt(0, 4)].of_class;
    EXPECT_EQ(next.Before(of_class, 1, 4, 0, 2), at_least_once);
  }
}

}  // namespace
}  // namespace berth
