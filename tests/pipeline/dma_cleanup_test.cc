// dynamic_dma_cleanup: which copies become one, and which do not.
#include "allocator/pipeline/dma_cleanup.h"

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "allocator/dependence/program_dependences.h"
#include "allocator/model/options.h"
#include "allocator/model/program.h"
#include "allocator/simulate/simulate.h"
#include "gtest/gtest.h"
#include "tests/pipeline/planned.h"
#include "tests/testing/program_builder.h"

namespace berth {
namespace {

using testing::AccessSpec;
using testing::LocationSpec;
using testing::ProgramBuilder;

ProgramBuilder FromSToD() { return ProgramBuilder().Loc("s", 64).Loc("d", 64); }

// The copies that stay: "s0+8>d0+8".
std::string Merged(const ProgramBuilder& builder) {
  Program program = builder.Build();
  Function& function = program.modules[0].functions[0];
  MergeAdjacentCopies(function);
  std::string text;
  for (const Block& block : function.blocks) {
    for (const Instruction& i : block.instructions) {
      absl::StrAppend(&text, text.empty() ? "" : " ");
      if (i.kind != InstructionKind::kDmaCopy) {
        text += "op";
        continue;
      }
      const auto name = [&](const Access& access) {
        return absl::StrCat(function.locations[access.location].name,
                            access.offset_bytes, "+", access.extent_bytes);
      };
      absl::StrAppend(&text, name(i.uses[0]), ">", name(i.defs[0]));
    }
  }
  return text;
}

ProgramBuilder& Copy(ProgramBuilder& b, uint64_t to, uint64_t from,
                     uint64_t bytes) {
  return b.Copy({"d", to, bytes}, {"s", from, bytes});
}

TEST(DmaCleanup, UpwardsAndDownwards) {
  ProgramBuilder up = FromSToD();
  Copy(up, 8, 0, 8);
  Copy(up, 16, 8, 4);
  Copy(up, 20, 12, 4);
  EXPECT_EQ(Merged(up), "s0+16>d8+16");
  ProgramBuilder down = FromSToD();
  Copy(down, 16, 8, 8);
  Copy(down, 8, 0, 8);
  EXPECT_EQ(Merged(down), "s0+16>d8+16");
}

TEST(DmaCleanup, OppositeSensesAndGapsStay) {
  ProgramBuilder opposite = FromSToD();
  Copy(opposite, 8, 0, 8);
  Copy(opposite, 0, 8, 8);
  EXPECT_EQ(Merged(opposite), "s0+8>d8+8 s8+8>d0+8");
  ProgramBuilder gap = FromSToD();
  Copy(gap, 0, 0, 8);
  Copy(gap, 8, 9, 8);
  EXPECT_EQ(Merged(gap), "s0+8>d0+8 s9+8>d8+8");
}

// The third joins the second only downwards, and what they are joins the first.
TEST(DmaCleanup, RoundsGoOnUntilNothingMerges) {
  ProgramBuilder b = FromSToD();
  Copy(b, 0, 0, 8);
  Copy(b, 16, 16, 8);
  Copy(b, 8, 8, 8);
  EXPECT_EQ(Merged(b), "s0+24>d0+24");
}

TEST(DmaCleanup, OnlyNeighboursOfOneBlock) {
  ProgramBuilder apart = FromSToD();
  Copy(apart, 0, 0, 8);
  apart.Op({}, {});
  Copy(apart, 8, 8, 8);
  EXPECT_EQ(Merged(apart), "s0+8>d0+8 op s8+8>d8+8");
  ProgramBuilder blocks = FromSToD();
  blocks.Block("a", {"b"});
  Copy(blocks, 0, 0, 8);
  blocks.Block("b");
  Copy(blocks, 8, 8, 8);
  EXPECT_EQ(Merged(blocks), "s0+8>d0+8 s8+8>d8+8");
}

TEST(DmaCleanup, WithinOneLocationOnlyIfNothingIsReadLater) {
  EXPECT_EQ(Merged(ProgramBuilder()
                       .Loc("v", 64)
                       .Copy({"v", 8, 8}, {"v", 0, 8})
                       .Copy({"v", 16, 8}, {"v", 8, 8})),
            "v0+8>v8+8 v8+8>v16+8");
  EXPECT_EQ(Merged(ProgramBuilder()
                       .Loc("v", 64)
                       .Copy({"v", 32, 8}, {"v", 0, 8})
                       .Copy({"v", 40, 8}, {"v", 8, 8})),
            "v0+16>v32+16");
}

TEST(DmaCleanup, AddressesThatMeetKeepCopiesApart) {
  const auto build = [](uint64_t address) {
    LocationSpec s, d;
    s.address = 0;
    d.address = address;
    ProgramBuilder b;
    b.Loc("s", 64, s).Loc("d", 64, d);
    Copy(b, 0, 8, 8);
    return Copy(b, 8, 16, 8);
  };
  EXPECT_EQ(Merged(build(24)), "s8+16>d0+16");
  EXPECT_EQ(Merged(build(23)), "s8+8>d0+8 s16+8>d8+8");
}

TEST(DmaCleanup, CopiesOfNothingStay) {
  EXPECT_EQ(Merged(ProgramBuilder().Loc("s", 0).Loc("d", 0).Copy("d", "s").Copy(
                "d", "s")),
            "s0+0>d0+0 s0+0>d0+0");
}

// Halves become a full def, so that d is live no longer before it; the
// placement stands, and says that it was cleaned.
TEST(DmaCleanup, InThePipeline) {
  ProgramBuilder b = ProgramBuilder().In("x", 8).Loc("s", 64).Loc("d", 64);
  b.Op({"s"}, {"x"});
  for (uint64_t i = 0; i < 8; ++i) {
    b.Copy({"d", 8 * i, 8}, {"s", 8 * i, 8});
  }
  b.Op({}, {"d"});
  const testing::PlannedProgram planned = testing::Planned(b);
  EXPECT_EQ(planned.report.merged_copies, 7);
  EXPECT_EQ(planned.program.modules[0].functions[0].num_instructions(), 3);
  EXPECT_TRUE(planned.record().cleaned);
  EXPECT_TRUE(planned.program.modules[0].functions[0].runs[0].cleaned);
  const auto run = Simulate(planned.program, planned.report.dependences, {});
  ASSERT_TRUE(run.ok()) << run.status();
  EXPECT_TRUE(run->ok()) << run->fault->message;
}

// The shared space, which comes later, has no room: nothing was merged.
TEST(DmaCleanup, APlanThatFailsLeavesTheInstructions) {
  ProgramBuilder b =
      ProgramBuilder().In("x", 8).Loc("s", 64).Loc("d", 64).Shared("g", 9000);
  b.Op({"s", "g"}, {"x"});
  for (uint64_t i = 0; i < 8; ++i) {
    b.Copy({"d", 8 * i, 8}, {"s", 8 * i, 8});
  }
  b.Op({}, {"d", "g"});
  PlanOptions options;
  options.hbm_per_core_bytes = 16384;
  const testing::PlannedProgram planned = testing::Planned(b, options);
  EXPECT_EQ(planned.status.code(), absl::StatusCode::kResourceExhausted)
      << planned.status;
  EXPECT_EQ(planned.program.modules[0].functions[0].blocks,
            b.Build().modules[0].functions[0].blocks);
  EXPECT_EQ(planned.report.merged_copies, 0);
}

}  // namespace
}  // namespace berth
