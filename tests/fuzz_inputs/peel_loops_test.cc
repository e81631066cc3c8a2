#include "fuzz/inputs/peel_loops.h"

#include <string>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "allocator/model/options.h"
#include "allocator/model/program.h"
#include "allocator/pipeline/plan_program.h"
#include "allocator/pipeline/state.h"
#include "gtest/gtest.h"
#include "tests/testing/program_builder.h"

namespace berth::fuzz {
namespace {

using testing::ProgramBuilder;

// "0 -> 1; 1 -> 1, 2; 2 ->": successors of each block.
std::string Edges(const Program& program) {
  std::string edges;
  const auto& blocks = program.modules[0].functions[0].blocks;
  for (size_t b = 0; b < blocks.size(); ++b) {
    absl::StrAppend(&edges, b == 0 ? "" : "; ", b, " -> ",
                    absl::StrJoin(blocks[b].successors, ", "));
  }
  return edges;
}

TEST(PeelLoops, LeavesCodeWithoutLoopsAlone) {
  const Program program = ProgramBuilder()
                              .Block("a", {"b", "c"})
                              .Block("b", {"c"})
                              .Block("c")
                              .Build();
  EXPECT_EQ(PeelLoops(program), program);
}

TEST(PeelLoops, PutsTheFirstIterationInFront) {
  const Program program = ProgramBuilder()
                              .Block("entry", {"loop"})
                              .Block("loop", {"loop", "exit"})
                              .Block("exit")
                              .Build();
  // 0 is new, 2 the loop, 4 its first iteration.
  EXPECT_EQ(Edges(PeelLoops(program)),
            "0 -> 1; 1 -> 4; 2 -> 2, 3; 3 -> ; 4 -> 2");
}

TEST(PeelLoops, DoesNotLeaveTheFirstIterationEarly) {
  const Program program = ProgramBuilder()
                              .Block("head", {"body", "exit"})
                              .Block("body", {"head"})
                              .Block("exit")
                              .Build();
  // 1, 2 are head and body, 4, 5 their first iteration.
  EXPECT_EQ(Edges(PeelLoops(program)),
            "0 -> 4; 1 -> 2, 3; 2 -> 1; 3 -> ; 4 -> 5; 5 -> 1");
}

TEST(PeelLoops, PeelsInnerLoopsInBothIterationsOfTheOuter) {
  const Program program = ProgramBuilder()
                              .Block("outer", {"inner"})
                              .Block("inner", {"inner", "latch"})
                              .Block("latch", {"outer", "exit"})
                              .Block("exit")
                              .Build();
  // The inner loop 2 gets 5; then 1, 2, 3, 5 get 6, 7, 8, 9.
  EXPECT_EQ(Edges(PeelLoops(program)),
            "0 -> 6; 1 -> 5; 2 -> 2, 3; 3 -> 1, 4; 4 -> ; 5 -> 2; "
            "6 -> 9; 7 -> 7, 8; 8 -> 1; 9 -> 7");
}

TEST(PeelLoops, EndsForALoopOfSeveralEntries) {
  const Program program = ProgramBuilder()
                              .Block("entry", {"a", "b"})
                              .Block("a", {"b"})
                              .Block("b", {"a", "exit"})
                              .Block("exit")
                              .Build();
  EXPECT_GT(PeelLoops(program).modules[0].functions[0].blocks.size(), 4u);
}

// Core 0 writes s in each iteration, core 1 reads it behind the barrier. With
// `closed`, another barrier ends the iteration.
Program HandedOverInALoop(bool closed) {
  ProgramBuilder b;
  for (int32_t core = 0; core < 2; ++core) {
    b.Core(core);
    if (core == 0) {
      b.Shared("s", 4096);
    } else {
      b.SharedCopy("s", 4096, 0);
    }
    b.Block("loop", {"loop", "exit"});
    if (core == 0) b.Op("write", {"s"}, {});
    b.Barrier("written");
    if (core == 1) b.Op("read", {}, {"s"});
    if (closed) b.Barrier("read by all");
    b.Block("exit");
  }
  return b.Build();
}

absl::Status Plan(Program program) {
  PlanReport report;
  return PlanProgram({}, nullptr, nullptr, program, report);
}

// The next iteration's write may come before the read. Refused as it stands,
// and peeled, where one and the next stand side by side and their order alone
// says so.
TEST(PeelLoops, ShowsARaceBetweenIterations) {
  const absl::Status status = Plan(HandedOverInALoop(false));
  EXPECT_TRUE(absl::IsInvalidArgument(status));
  EXPECT_TRUE(absl::StrContains(status.message(), "before the next"));
  const absl::Status peeled = Plan(PeelLoops(HandedOverInALoop(false)));
  EXPECT_TRUE(absl::IsInvalidArgument(peeled));
  EXPECT_TRUE(absl::StrContains(peeled.message(), "no rendezvous orders them"));
}

TEST(PeelLoops, FindsNoRaceWhereABarrierEndsTheIteration) {
  EXPECT_TRUE(Plan(HandedOverInALoop(true)).ok());
  const absl::Status status = Plan(PeelLoops(HandedOverInALoop(true)));
  EXPECT_TRUE(status.ok()) << status;
}

}  // namespace
}  // namespace berth::fuzz
