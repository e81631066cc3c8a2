// What becomes of one core's program: roles, slices and waits, worked by hand.
#include "allocator/gen/split.h"

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "allocator/gen/gen.h"
#include "allocator/model/check_program.h"
#include "allocator/model/program.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/testing/program_builder.h"

namespace berth {
namespace {

using testing::FindLocation;
using ::testing::HasSubstr;
using testing::LocationIndex;
using testing::ProgramBuilder;

Program Split(const ProgramBuilder& builder, int32_t cores) {
  const absl::StatusOr<Program> split = SplitProgram(builder.Build(), cores);
  EXPECT_TRUE(split.ok()) << split.status();
  EXPECT_EQ(CheckProgram(*split), absl::OkStatus());
  return *split;
}

// "x[4,8) y": accesses as bytes, whole ones by name alone.
std::string Text(const Function& function,
                 const std::vector<Access>& accesses) {
  std::string text;
  for (const Access& access : accesses) {
    absl::StrAppend(&text, text.empty() ? "" : " ",
                    function.locations[access.location].name);
    if (access.extent_bytes == 0) continue;
    absl::StrAppend(&text, "[", access.offset_bytes, ",",
                    access.offset_bytes + access.extent_bytes, ")");
  }
  return text;
}

// One instruction a line: "name: defs <- uses".
std::string Text(const Program& program, int32_t core) {
  const Function& function = program.modules[core].functions[0];
  std::string text;
  for (const Block& block : function.blocks) {
    for (const Instruction& i : block.instructions) {
      absl::StrAppend(&text, i.name, ": ", Text(function, i.defs), " <- ",
                      Text(function, i.uses), "\n");
    }
  }
  return text;
}

// An all-reduce of s: the staging buffer. Each core writes its third, all read
// all of it; before it is written again they wait.
TEST(Split, WhatACollectiveAccessesBecomesAStagingBuffer) {
  const Program split = Split(ProgramBuilder()
                                  .In("x", 12)
                                  .Loc("s", 12)
                                  .Out("y", 6)
                                  .Op("make", {"s"}, {"x"})
                                  .Collective("sum", {"s"}, {"s"})
                                  .Op("use", {"y"}, {"s"})
                                  .Op("again", {"s"}, {"x"})
                                  .Op("more", {"s"}, {"s"})
                                  .Op("last", {"y"}, {"s"}),
                              3);
  ASSERT_EQ(split.modules.size(), 3u);
  EXPECT_EQ(FindLocation(split, "x", 1).elem_count, 4u);
  EXPECT_EQ(FindLocation(split, "s", 1).elem_count, 12u);
  EXPECT_EQ(FindLocation(split, "s", 0).space, Space::kShared);
  EXPECT_FALSE(FindLocation(split, "s", 0).remote_target.has_value());
  EXPECT_EQ(FindLocation(split, "s", 2).remote_target, (RemoteTarget{0, "s"}));
  EXPECT_EQ(Text(split, 1),
            "make: s[4,8) <- x\n"
            "sum: s <- s\n"
            "use: y <- s\n"
            "hand_over:  <- \n"
            "again: s[4,8) <- x\n"
            "more: s[4,8) <- s[4,8)\n"
            "hand_over:  <- \n"
            "last: y <- s\n");
}

// Of the candidates t0, t1... the fifth is handed over: core 0 makes it, both
// read it.
TEST(Split, SomeTensorsAreHandedOver) {
  ProgramBuilder builder;
  for (int i = 0; i < 6; ++i) builder.Loc(absl::StrCat("t", i), 8);
  for (int i = 0; i < 6; ++i) {
    const std::string name = absl::StrCat("t", i);
    builder.Op("make", {name}, {});
    builder.Op("use", {}, {name});
  }
  builder.Op("both", {"t4", "t5"}, {"t4"});
  const Program split = Split(builder, 2);
  EXPECT_EQ(FindLocation(split, "t3", 0).space, Space::kLocal);
  EXPECT_EQ(FindLocation(split, "t4", 0).space, Space::kShared);
  EXPECT_EQ(FindLocation(split, "t4", 1).remote_target,
            (RemoteTarget{0, "t4"}));
  const std::string owner = Text(split, 0);
  const std::string other = Text(split, 1);
  EXPECT_THAT(owner, HasSubstr("make: t4 <- \nhand_over:  <- \nuse:  <- t4\n"));
  EXPECT_THAT(other, HasSubstr("use:  <- t3\nhand_over:  <- \nuse:  <- t4\n"));
  EXPECT_THAT(owner, HasSubstr("hand_over:  <- \nboth: t4 t5 <- t4\n"));
  EXPECT_THAT(other, HasSubstr("hand_over:  <- \nboth: t5 <- \n"));
}

// In an arm nobody can meet: the collective there becomes a computation, its
// tensor stays private.
TEST(Split, BranchesStayPrivate) {
  const Program split = Split(ProgramBuilder()
                                  .Loc("s", 8)
                                  .Block("entry", {"then", "exit"})
                                  .Op("make", {"s"}, {})
                                  .Block("then", {"exit"})
                                  .Collective("sum", {"s"}, {"s"})
                                  .Barrier("b")
                                  .Block("exit")
                                  .Op("use", {}, {"s"}),
                              2);
  const Function& function = split.modules[1].functions[0];
  EXPECT_EQ(FindLocation(split, "s", 1).space, Space::kLocal);
  ASSERT_EQ(function.blocks[1].instructions.size(), 1u);
  EXPECT_EQ(function.blocks[1].instructions[0].kind, InstructionKind::kCompute);
}

// What every iteration of a loop passes may be shared: all wait where it
// begins, where bytes change hands, and before they are accessed behind it.
TEST(Split, LoopsMeetInEveryIteration) {
  ProgramBuilder builder;
  for (int i = 0; i < 6; ++i) builder.Loc(absl::StrCat("t", i), 8);
  builder.Loc("s", 8);
  builder.Block("entry", {"loop"});
  for (int i = 0; i < 6; ++i) builder.Op("make", {absl::StrCat("t", i)}, {});
  builder.Block("loop", {"loop", "exit"})
      .Op("step", {"t4"}, {})
      .Op("use", {}, {"t4", "t5"})
      .Op("part", {"s"}, {})
      .Collective("sum", {"s"}, {"s"})
      .Op("whole", {}, {"s"})
      .Block("exit")
      .Op("after", {}, {"t4"});
  const Program split = Split(builder, 2);
  EXPECT_EQ(FindLocation(split, "t4", 1).remote_target,
            (RemoteTarget{0, "t4"}));
  EXPECT_EQ(FindLocation(split, "s", 0).space, Space::kShared);
  EXPECT_THAT(Text(split, 0),
              HasSubstr("hand_over:  <- \nstep: t4 <- \nhand_over:  <- \n"
                        "use:  <- t4 t5\npart: s[0,4) <- \nsum: s <- s\n"
                        "whole:  <- s\nhand_over:  <- \nafter:  <- t4\n"));
  EXPECT_THAT(Text(split, 1),
              HasSubstr("make: t5 <- \nhand_over:  <- \nhand_over:  <- \n"
                        "use:  <- t4 t5\n"));
}

// A loop that begins in the middle of another, one with two entries, and an arm
// of a loop: nothing is shared there.
TEST(Split, OddLoopsStayPrivate) {
  const auto space_of_s = [](const std::vector<std::string>& entry,
                             const std::vector<std::string>& body,
                             const std::vector<std::string>& latch) {
    const Program split = Split(ProgramBuilder()
                                    .Loc("s", 8)
                                    .Block("entry", entry)
                                    .Op("test", {}, {})
                                    .Block("head", {"body"})
                                    .Op("test", {}, {})
                                    .Block("body", body)
                                    .Op("make", {"s"}, {})
                                    .Collective("sum", {"s"}, {"s"})
                                    .Block("latch", latch)
                                    .Op("test", {}, {})
                                    .Block("exit"),
                                2);
    return FindLocation(split, "s", 0).space;
  };
  EXPECT_EQ(space_of_s({"head"}, {"latch"}, {"head", "exit"}), Space::kShared);
  EXPECT_EQ(space_of_s({"head"}, {"latch", "head"}, {"exit"}), Space::kShared);
  // Two entries.
  EXPECT_EQ(space_of_s({"head", "body"}, {"latch"}, {"head", "exit"}),
            Space::kLocal);
  // Overlapping loops: latch leads into the middle of head..body.
  EXPECT_EQ(space_of_s({"head"}, {"latch", "head"}, {"body", "exit"}),
            Space::kLocal);
  // Passed by from outside.
  EXPECT_EQ(space_of_s({"head", "exit"}, {"latch"}, {"head", "exit"}),
            Space::kLocal);
  // Nothing leads there: the entry loops for ever.
  EXPECT_EQ(space_of_s({"entry"}, {"latch"}, {"exit"}), Space::kLocal);
}

// Both sides of a copy shrink alike, whatever they are.
TEST(Split, CopiesKeepEqualExtents) {
  const Program split = Split(ProgramBuilder()
                                  .Loc("a", 10)
                                  .Loc("b", 20)
                                  .Loc("s", 10)
                                  .Op("make", {"a"}, {})
                                  .Copy({"b", 6, 4}, {"a", 2, 4})
                                  .Copy("s", "a")
                                  .Collective("sum", {"s"}, {"s"})
                                  .Op("use", {}, {"s", "b"}),
                              3);
  EXPECT_EQ(FindLocation(split, "a", 0).elem_count, 4u);
  EXPECT_THAT(Text(split, 1), HasSubstr("b[2,4) <- a[0,2)\n"));
  EXPECT_THAT(Text(split, 1), HasSubstr("s[3,6) <- a[0,3)\n"));
  EXPECT_THAT(Text(split, 2), HasSubstr("s[6,10) <- a[0,4)\n"));
}

TEST(Split, OneCoreIsASplitToo) {
  const Program split =
      Split(ProgramBuilder().Loc("s", 12).Op({"s"}, {}).Collective("sum", {"s"},
                                                                   {"s"}),
            1);
  EXPECT_EQ(split.modules.size(), 1u);
  EXPECT_FALSE(FindLocation(split, "s").remote_target.has_value());
}

TEST(Split, RefusesWhatItCannotSplit) {
  const Program one = ProgramBuilder().Loc("a", 8).Op({"a"}, {}).Build();
  for (const int32_t cores : {-1, 0, 65}) {
    EXPECT_THAT(std::string(SplitProgram(one, cores).status().message()),
                HasSubstr("is not in 1..64"));
  }
  const Program two =
      ProgramBuilder().Core(0).Op({}, {}).Core(1).Op({}, {}).Build();
  EXPECT_THAT(std::string(SplitProgram(two, 2).status().message()),
              HasSubstr("this one has 2"));
  const Program shared = ProgramBuilder().Shared("s", 8).Op({"s"}, {}).Build();
  EXPECT_THAT(std::string(SplitProgram(shared, 2).status().message()),
              HasSubstr("'s' of f is shared already"));
}

// Every fourth shared tensor's copies point along a chain to the owner.
TEST(Split, SomeCopiesFormChains) {
  ProgramBuilder builder;
  for (int i = 0; i < 4; ++i) {
    const std::string name = absl::StrCat("s", i);
    builder.Loc(name, 8).Op("make", {name}, {});
    builder.Collective("sum", {name}, {name});
  }
  const Program split = Split(builder, 4);
  EXPECT_FALSE(FindLocation(split, "s3", 3).remote_target.has_value());
  EXPECT_EQ(FindLocation(split, "s3", 2).remote_target,
            (RemoteTarget{1, "s3"}));
  EXPECT_EQ(FindLocation(split, "s3", 0).remote_target,
            (RemoteTarget{3, "s3"}));
  EXPECT_EQ(FindLocation(split, "s1", 3).remote_target,
            (RemoteTarget{1, "s1"}));
}

}  // namespace
}  // namespace berth
