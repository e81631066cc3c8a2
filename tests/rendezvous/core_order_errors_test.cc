// Rendezvous that do not hold together: each error names who and where.
#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "allocator/rendezvous/core_order.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/rendezvous/order_of.h"
#include "tests/testing/program_builder.h"

namespace berth {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using testing::OrderErrorOf;
using testing::OrderOf;
using testing::PhasesText;
using testing::ProgramBuilder;

TEST(CoreOrder, UnequalCountsAreAnError) {
  EXPECT_THAT(OrderErrorOf(ProgramBuilder()
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
  EXPECT_THAT(OrderErrorOf(ProgramBuilder()
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
  EXPECT_THAT(OrderErrorOf(ProgramBuilder()
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
  EXPECT_THAT(OrderErrorOf(b),
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
  EXPECT_THAT(OrderErrorOf(b),
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
  EXPECT_THAT(OrderErrorOf(b), HasSubstr("not on every path"));
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
  EXPECT_THAT(OrderErrorOf(b), HasSubstr("an iteration of its loop"));
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
  EXPECT_THAT(OrderErrorOf(b), HasSubstr("several entries"));
}

TEST(CoreOrder, ARendezvousThatNothingLeadsToIsAnError) {
  ProgramBuilder b;
  for (const int32_t core : {0, 1}) {
    b.Core(core).Block("entry").Op({}, {}).Block("island").Barrier("b");
  }
  EXPECT_THAT(OrderErrorOf(b), HasSubstr("no path leads to"));
}

TEST(CoreOrder, ALoopOnOneCoreOnlyIsAnError) {
  EXPECT_THAT(OrderErrorOf(ProgramBuilder()
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
  EXPECT_THAT(OrderErrorOf(ProgramBuilder()
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
  EXPECT_THAT(OrderErrorOf(ProgramBuilder()
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
  EXPECT_EQ(PhasesText(OrderOf(b), b, 0, 40), "0");
}

}  // namespace
}  // namespace berth
