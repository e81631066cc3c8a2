// Every error of spec §10 that a program over several cores can have, and what
// only looks like one. Each message names the locations.
#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "allocator/model/options.h"
#include "allocator/model/program.h"
#include "allocator/pipeline/plan_program.h"
#include "allocator/pipeline/state.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/testing/program_builder.h"

namespace berth {
namespace {

using testing::FindLocation;
using testing::LocationSpec;
using testing::ProgramBuilder;

// The error of a program, "" if it plans.
std::string ErrorOf(Program program) {
  PlanReport report;
  const absl::Status status =
      PlanProgram(PlanOptions(), nullptr, nullptr, program, report);
  if (status.ok()) return "";
  EXPECT_TRUE(absl::IsInvalidArgument(status)) << status;
  return std::string(status.message());
}
std::string ErrorOf(const ProgramBuilder& builder) {
  return ErrorOf(builder.Build());
}

LocationSpec To(int32_t core, const std::string& name,
                Space space = Space::kShared) {
  LocationSpec spec;
  spec.space = space;
  spec.remote_target = RemoteTarget{core, name};
  return spec;
}

// Core 0 writes s, core 1 reads its copy after the barrier.
ProgramBuilder WriteThenRead(const std::string& target = "s",
                             int32_t core = 0) {
  return ProgramBuilder()
      .Core(0)
      .Shared("s", 64)
      .Op({"s"}, {})
      .Barrier("b")
      .Core(1)
      .Loc("t", 64, To(core, target))
      .Barrier("b")
      .Op({}, {"t"});
}

TEST(RemoteTargets, AreFollowedToTheirOwner) {
  EXPECT_EQ(ErrorOf(WriteThenRead()), "");
  // A chain: core 2 points at core 1, which points at core 0.
  EXPECT_EQ(ErrorOf(ProgramBuilder()
                        .Core(0)
                        .Shared("s", 64)
                        .Op({"s"}, {})
                        .Core(1)
                        .Loc("t", 64, To(0, "s"))
                        .Op({}, {})
                        .Core(2)
                        .Loc("u", 64, To(1, "t"))
                        .Op({}, {})),
            "");
}

TEST(RemoteTargets, ThatNameNothingAreRefused) {
  EXPECT_EQ(ErrorOf(WriteThenRead("s", 7)),
            "the remote target of 't' of core 1 f is 's' of core 7 f, but "
            "cores are 0 to 1");
  EXPECT_EQ(ErrorOf(WriteThenRead("s", -1)),
            "the remote target of 't' of core 1 f is 's' of core -1 f, but "
            "cores are 0 to 1");
  EXPECT_EQ(ErrorOf(WriteThenRead("nobody")),
            "the remote target of 't' of core 1 f is 'nobody' of core 0 f, but "
            "there is no such location");
  EXPECT_EQ(ErrorOf(ProgramBuilder()
                        .Core(0)
                        .Fn("main")
                        .Shared("s", 64)
                        .Op({"s"}, {})
                        .Core(1)
                        .Fn("other")
                        .SharedCopy("s", 64, 0)
                        .Op({}, {})),
            "the remote target of 's' of core 1 other is 's' of core 0 other, "
            "but that core has no such function");
  EXPECT_EQ(ErrorOf(ProgramBuilder()
                        .Core(0)
                        .Loc("s", 64)
                        .Op({"s"}, {})
                        .Core(1)
                        .SharedCopy("s", 64, 0)
                        .Op({}, {})),
            "the remote target of 's' of core 1 f is 's' of core 0 f, but that "
            "is no SHARED DRAM location");
}

TEST(RemoteTargets, OfWhatIsNotSharedAreRefused) {
  EXPECT_EQ(ErrorOf(ProgramBuilder()
                        .Core(0)
                        .Shared("s", 64)
                        .Op({"s"}, {})
                        .Core(1)
                        .Loc("t", 64, To(0, "s", Space::kLocal))
                        .Op({"t"}, {})),
            "'t' of core 1 f has a remote target but is no SHARED DRAM "
            "location");
}

TEST(RemoteTargets, MustNotGoInACircle) {
  EXPECT_EQ(ErrorOf(ProgramBuilder()
                        .Core(0)
                        .Loc("a", 64, To(1, "b"))
                        .Op({}, {})
                        .Core(1)
                        .Loc("b", 64, To(0, "a"))
                        .Op({}, {})),
            "remote targets go in a circle: 'a' of core 0 f -> 'b' of core 1 f "
            "-> 'a' of core 0 f");
  EXPECT_EQ(ErrorOf(ProgramBuilder().Loc("a", 64, To(0, "a")).Op({}, {})),
            "remote targets go in a circle: 'a' of core 0 f -> 'a' of core 0 "
            "f");
}

TEST(Copies, OnePerCore) {
  EXPECT_EQ(ErrorOf(ProgramBuilder()
                        .Core(0)
                        .Shared("s", 64)
                        .Op({"s"}, {})
                        .Core(1)
                        .SharedCopy("t", 64, 0, "s")
                        .SharedCopy("u", 64, 0, "s")
                        .Op({}, {})),
            "core 1 has two copies of 's' of core 0 f: 't' of core 1 f and 'u' "
            "of core 1 f");
  EXPECT_EQ(ErrorOf(ProgramBuilder()
                        .Core(0)
                        .Shared("s", 64)
                        .SharedCopy("t", 64, 0, "s")
                        .Op({"s"}, {})),
            "core 0 has two copies of 's' of core 0 f: 's' of core 0 f and 't' "
            "of core 0 f");
}

TEST(Copies, AgreeInSizeUsageAndAddress) {
  Program program = WriteThenRead().Build();
  Location& copy = FindLocation(program, "t", 1);
  const Location right = copy;
  copy.elem_count = 65;
  EXPECT_EQ(ErrorOf(program),
            "'t' of core 1 f has 65 bytes, its owner 's' of core 0 f has 64");
  copy.elem_count = 16;  // as many bytes in another shape
  copy.elem_size = 4;
  EXPECT_EQ(ErrorOf(program), "");
  copy = right;
  copy.usage = Usage::kInput;
  EXPECT_EQ(ErrorOf(program),
            "'t' of core 1 f is not placeable, its owner 's' of core 0 f is");
  copy = right;
  copy.address = 4096;
  copy.placed_by = PlacedBy::kInput;
  EXPECT_EQ(ErrorOf(program),
            "'t' of core 1 f is pre-placed at 4096, its owner 's' of core 0 f "
            "has no address");
  Location& owner = FindLocation(program, "s", 0);
  owner.address = 8192;
  owner.placed_by = PlacedBy::kInput;
  EXPECT_EQ(ErrorOf(program),
            "'t' of core 1 f is pre-placed at 4096, its owner 's' of core 0 f "
            "is pre-placed at 8192");
  copy.address = 8192;
  EXPECT_EQ(ErrorOf(program), "");
  copy.bank = 2;
  EXPECT_EQ(ErrorOf(program),
            "'t' of core 1 f is in bank 2, its owner 's' of core 0 f is in "
            "bank 0");
  owner.bank = 2;
  owner.partition = 1;
  EXPECT_EQ(ErrorOf(program),
            "'t' of core 1 f is in partition 0, its owner 's' of core 0 f is "
            "in partition 1");
}

// F9's kind: accesses of two cores, one of them a def, that nothing orders.
TEST(Order, UnorderedAccessesAreRefused) {
  const auto program = [](bool first, bool second) {
    ProgramBuilder b;
    b.Core(0).Shared("s", 64).Op("write", {"s"}, {});
    if (first) b.Barrier("x");
    b.Op("again", {"s"}, {});
    if (second) b.Barrier("y");
    b.Core(1).SharedCopy("s", 64, 0);
    if (first) b.Barrier("x");
    if (second) b.Barrier("y");
    b.Op("read", {}, {"s"});
    return b;
  };
  EXPECT_EQ(ErrorOf(program(true, true)), "");
  EXPECT_EQ(ErrorOf(program(false, true)), "");
  EXPECT_EQ(ErrorOf(program(true, false)),
            "core 0, function 'f', instruction 'again' and core 1, function "
            "'f', instruction 'read' access shared 's' of core 0 f (bytes from "
            "0 on), one of them writes, and no rendezvous orders them");
  // Without any rendezvous the read has no def before it either.
  EXPECT_EQ(ErrorOf(program(false, false)),
            "core 1, function 'f', instruction 'read' uses shared 's', which "
            "no def reaches and which no copy defines before");
}

// F9: X has readers A and B on cores 1 and 2; the next writer waits for both.
TEST(Order, AWriterComesAfterEveryReader) {
  const auto program = [](bool waits_for_b) {
    ProgramBuilder b;
    b.Core(0).Shared("X", 64).Op({"X"}, {}).Barrier("ready");
    b.Barrier("a_done");
    if (waits_for_b) b.Barrier("b_done");
    b.Op("next", {"X"}, {});
    b.Core(1).SharedCopy("X", 64, 0).Barrier("ready").Op("A", {}, {"X"});
    b.Barrier("a_done");
    b.Core(2).SharedCopy("X", 64, 0).Barrier("ready").Op("B", {}, {"X"});
    if (waits_for_b) b.Barrier("b_done");
    return b;
  };
  EXPECT_EQ(ErrorOf(program(true)), "");
  EXPECT_THAT(ErrorOf(program(false)),
              ::testing::AllOf(::testing::HasSubstr("instruction 'next'"),
                               ::testing::HasSubstr("instruction 'B'")));
}

// Bytes that do not meet need no order; one byte that does needs it.
TEST(Order, OnlyMeetingBytesNeedIt) {
  const auto program = [](uint64_t begin) {
    return ProgramBuilder()
        .Core(0)
        .Shared("s", 64)
        .Op({{"s", 0, 32}}, {})
        .Core(1)
        .SharedCopy("s", 64, 0)
        .Op({{"s", begin, 64 - begin}}, {});
  };
  EXPECT_EQ(ErrorOf(program(32)), "");
  EXPECT_THAT(ErrorOf(program(31)),
              ::testing::HasSubstr("(bytes from 31 on), both write"));
}

TEST(Order, AccessesOfOneRendezvousAreOneAccess) {
  EXPECT_EQ(ErrorOf(ProgramBuilder()
                        .Core(0)
                        .Shared("s", 64)
                        .Op({"s"}, {})
                        .Barrier("b")
                        .Collective("sum", {"s"}, {"s"})
                        .Core(1)
                        .SharedCopy("s", 64, 0)
                        .Barrier("b")
                        .Collective("sum", {"s"}, {"s"})),
            "");
}

// In a loop the rendezvous of one iteration order: the writer before "full",
// the reader behind it. Without it nothing does.
TEST(Order, InALoopTheRendezvousOfAnIterationOrder) {
  const auto program = [](bool meets) {
    ProgramBuilder b;
    b.Core(0).Shared("s", 64).Block("entry", {"loop"}).Op({}, {});
    b.Block("loop", {"loop", "exit"}).Op("write", {"s"}, {});
    if (meets) b.Barrier("full");
    b.Barrier("empty").Block("exit").Op({}, {});
    b.Core(1).SharedCopy("s", 64, 0).Block("entry", {"loop"}).Op({}, {});
    b.Block("loop", {"loop", "exit"});
    if (meets) b.Barrier("full");
    b.Op("read", {}, {"s"}).Barrier("empty").Block("exit").Op({}, {});
    return b;
  };
  EXPECT_EQ(ErrorOf(program(true)), "");
  EXPECT_NE(ErrorOf(program(false)), "");
}

// One rendezvous an iteration is not enough: core 0 may write anew before core
// 1 has read.
TEST(Order, AnIterationComesBeforeTheNextOne) {
  const auto program = [](bool waits) {
    ProgramBuilder b;
    b.Core(0).Shared("s", 64).Block("entry", {"loop"}).Op({}, {});
    b.Block("loop", {"loop", "exit"}).Op("write", {"s"}, {}).Barrier("full");
    if (waits) b.Barrier("empty");
    b.Block("exit").Op({}, {});
    b.Core(1).SharedCopy("s", 64, 0).Block("entry", {"loop"}).Op({}, {});
    b.Block("loop", {"loop", "exit"}).Barrier("full").Op("read", {}, {"s"});
    if (waits) b.Barrier("empty");
    b.Block("exit").Op({}, {});
    return b;
  };
  EXPECT_EQ(ErrorOf(program(true)), "");
  EXPECT_EQ(ErrorOf(program(false)),
            "core 1, function 'f', instruction 'read' and core 0, function "
            "'f', instruction 'write' access shared 's' of core 0 f (bytes "
            "from 0 on), one of them writes, and no rendezvous orders one "
            "iteration of their loop before the next");
}

// Accesses of one rendezvous are one access in every iteration.
TEST(Order, ACollectiveInALoopIsOneAccess) {
  ProgramBuilder b;
  for (const int32_t core : {0, 1}) {
    b.Core(core);
    if (core == 0) b.Shared("s", 64);
    if (core == 1) b.SharedCopy("s", 64, 0);
    b.Block("entry", {"loop"});
    if (core == 0) b.Op({"s"}, {});
    b.Barrier("made");
    b.Block("loop", {"loop", "exit"}).Collective("sum", {"s"}, {"s"});
    b.Op("read", {}, {"s"}).Barrier("read");
    b.Block("exit").Op({}, {});
  }
  EXPECT_EQ(ErrorOf(b), "");
}

// "first" comes before "again" by the rendezvous of the loop, and that before
// "last"; but the loop may not run, and then nothing orders "first" and "last".
TEST(Order, ADefInALoopThatMayNotRunHidesNothing) {
  const auto program = [](bool meets) {
    ProgramBuilder b;
    b.Core(0).Shared("s", 64).Block("entry", {"head"}).Op("first", {"s"}, {});
    b.Block("head", {"body", "exit"}).Block("body", {"head"}).Barrier("x");
    b.Block("exit").Op({}, {});
    if (meets) b.Barrier("behind");
    b.Core(1).SharedCopy("s", 64, 0).Block("entry", {"head"}).Op({}, {});
    b.Block("head", {"body", "exit"}).Block("body", {"head"}).Barrier("x");
    b.Op("again", {"s"}, {}).Block("exit").Op({}, {});
    if (meets) b.Barrier("behind");
    b.Barrier("pair").Core(2).SharedCopy("s", 64, 0).Barrier("pair");
    b.Op("last", {"s"}, {});
    return b;
  };
  EXPECT_EQ(ErrorOf(program(true)), "");
  EXPECT_THAT(ErrorOf(program(false)),
              ::testing::AllOf(::testing::HasSubstr("instruction 'first'"),
                               ::testing::HasSubstr("instruction 'last'")));
}

// A rendezvous of some cores cuts nothing, but it orders: a def before it is
// before the use behind it.
TEST(Uses, ADefOfAnyCopyThatComesBeforeReaches) {
  const auto program = [](bool pair) {
    ProgramBuilder b;
    b.Core(0).Shared("s", 64).Op({"s"}, {});
    if (pair) b.Barrier("pair");
    b.Core(1).SharedCopy("s", 64, 0);
    if (pair) b.Barrier("pair");
    b.Op("read", {}, {"s"});
    b.Core(2).Op({}, {});
    return b;
  };
  EXPECT_EQ(ErrorOf(program(true)), "");
  EXPECT_EQ(ErrorOf(program(false)),
            "core 1, function 'f', instruction 'read' uses shared 's', which "
            "no def reaches and which no copy defines before");
  EXPECT_EQ(ErrorOf(ProgramBuilder().Shared("s", 64).Op("read", {}, {"s"})),
            "core 0, function 'f', instruction 'read' uses shared 's', which "
            "no def reaches and which no copy defines before");
}

TEST(Order, WhatCoresDisagreeAboutIsRefused) {
  EXPECT_NE(ErrorOf(ProgramBuilder()
                        .Core(0)
                        .Barrier("a")
                        .Barrier("b")
                        .Core(1)
                        .Barrier("b")
                        .Barrier("a")),
            "");
  EXPECT_NE(
      ErrorOf(
          ProgramBuilder().Core(0).Barrier("a").Barrier("a").Core(1).Barrier(
              "a")),
      "");
}

// Pinned tensors of different phases may share bytes, of one phase not. A
// WEIGHT is there in every phase.
TEST(Pins, ThatShareBytesInAPhaseAreRefused) {
  const auto program = [](uint64_t b_address, Usage a_usage) {
    const auto pin = [](uint64_t address, Usage usage) {
      LocationSpec spec;
      spec.space = Space::kShared;
      spec.usage = usage;
      spec.address = address;
      spec.placed_by = PlacedBy::kInput;
      return spec;
    };
    return ProgramBuilder()
        .Loc("a", 64, pin(0, a_usage))
        .Loc("b", 64, pin(b_address, Usage::kIntermediate))
        .Loc("c", 64, pin(4096, Usage::kIntermediate))
        .Op({"a"}, {})
        .Barrier("x")
        .Op({"b", "c"}, {});
  };
  EXPECT_EQ(ErrorOf(program(0, Usage::kIntermediate)), "");
  EXPECT_EQ(ErrorOf(program(0, Usage::kWeight)),
            "shared space: pre-placed 'a' at [0, 64) and 'b' at [0, 64) share "
            "bytes while both are live");
  EXPECT_EQ(ErrorOf(program(0, Usage::kOutput)),
            "shared space: pre-placed 'a' at [0, 64) and 'b' at [0, 64) share "
            "bytes while both are live");
  EXPECT_EQ(ErrorOf(program(4100, Usage::kIntermediate)),
            "shared space: pre-placed 'c' at [4096, 4160) and 'b' at [4100, "
            "4164) share bytes while both are live");
}

}  // namespace
}  // namespace berth
