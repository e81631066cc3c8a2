#include "tests/testing/program_builder.h"

#include <cstdint>
#include <optional>
#include <vector>

#include "allocator/model/program.h"
#include "gtest/gtest.h"

namespace berth::testing {
namespace {

TEST(ProgramBuilder, DefaultsToCoreZeroFunctionFBlockEntry) {
  const Program program =
      ProgramBuilder().Loc("x", 100).Op({"x"}, {}).Op({}, {"x"}).Build();
  ASSERT_EQ(program.modules.size(), 1u);
  EXPECT_EQ(program.modules[0].core, 0);
  const Function& function = program.modules[0].functions[0];
  EXPECT_EQ(function.name, "f");
  EXPECT_EQ(function.blocks[0].name, "entry");
  EXPECT_EQ(function.num_instructions(), 2);
  EXPECT_EQ(function.locations[0].byte_size(), 100u);
  EXPECT_EQ(function.locations[0].usage, Usage::kIntermediate);
}

TEST(ProgramBuilder, ResolvesNamesThatComeLater) {
  const Program program = ProgramBuilder()
                              .Fn("main")
                              .Block("a", {"c", "b"})
                              .Call("helper", {{"y", 8, 16}}, {"x", "y"})
                              .Block("b")
                              .Block("c", {"a"})
                              .Loc("x", 10)
                              .Loc("y", 64)
                              .Fn("helper")
                              .Build();
  const Function& function = program.modules[0].functions[0];
  EXPECT_EQ(function.blocks[0].successors, (std::vector<int32_t>{2, 1}));
  EXPECT_EQ(function.blocks[2].successors, (std::vector<int32_t>{0}));
  const Instruction& call = function.blocks[0].instructions[0];
  EXPECT_EQ(call.kind, InstructionKind::kCall);
  EXPECT_EQ(call.callee, 1);
  EXPECT_EQ(call.defs, (std::vector<Access>{{1, 8, 16}}));
  EXPECT_EQ(call.uses, (std::vector<Access>{{0, 0, 0}, {1, 0, 0}}));
}

TEST(ProgramBuilder, CoresAndSharedCopies) {
  Program program = ProgramBuilder()
                        .Core(0)
                        .Fn("main")
                        .Shared("s", 4096)
                        .Core(1)
                        .Fn("main")
                        .SharedCopy("s", 4096, 0)
                        .Pin("p", 8, 64, Usage::kInput)
                        .Core(0)
                        .Barrier("meet")
                        .Collective("reduce", {"s"}, {"s"})
                        .Copy({"s", 0, 8}, {"s", 8, 8})
                        .Build();
  ASSERT_EQ(program.modules.size(), 2u);
  EXPECT_EQ(FindLocation(program, "s").remote_target, std::nullopt);
  EXPECT_EQ(FindLocation(program, "s", 1).remote_target,
            (RemoteTarget{.core = 0, .name = "s"}));
  EXPECT_TRUE(FindLocation(program, "p", 1, "main").pinned());
  FindLocation(program, "p", 1).address = 128;
  EXPECT_EQ(program.modules[1].functions[0].locations[1].address, 128u);
  const auto& instructions =
      program.modules[0].functions[0].blocks[0].instructions;
  ASSERT_EQ(instructions.size(), 3u);
  EXPECT_EQ(instructions[0].kind, InstructionKind::kBarrier);
  EXPECT_EQ(instructions[1].kind, InstructionKind::kCollective);
  EXPECT_EQ(instructions[2].kind, InstructionKind::kDmaCopy);
}

}  // namespace
}  // namespace berth::testing
