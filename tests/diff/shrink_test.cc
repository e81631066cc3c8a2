#include "tools/diff/shrink.h"

#include <algorithm>
#include <cstdint>
#include <string>

#include "allocator/base/rng.h"
#include "allocator/model/check_program.h"
#include "allocator/model/instance.h"
#include "allocator/model/program.h"
#include "fuzz/inputs/program_mutator.h"
#include "gtest/gtest.h"
#include "tests/testing/program_builder.h"

namespace berth {
namespace {

using testing::ProgramBuilder;

// What is looked for: two buffers that overlap, of 100 bytes or more together.
bool HasBigPair(const Instance& instance) {
  for (const Buffer& a : instance.buffers) {
    for (const Buffer& b : instance.buffers) {
      if (a.id < b.id && a.lower < b.upper && b.lower < a.upper &&
          a.size + b.size >= 100) {
        return true;
      }
    }
  }
  return false;
}

Instance Many() {
  Instance instance;
  for (int i = 0; i < 50; ++i) {
    instance.buffers.push_back({.id = "b" + std::to_string(i),
                                .lower = 100 * i,
                                .upper = 100 * i + 150,
                                .size = 60,
                                .alignment = 4,
                                .gaps = {{100 * i + 10, 100 * i + 20}}});
  }
  return instance;
}

TEST(ShrinkInstance, LeavesTwoPlainBuffers) {
  ShrinkStats stats;
  const Instance small = ShrinkInstance(Many(), HasBigPair, {}, stats);
  ASSERT_EQ(small.buffers.size(), 2u);
  EXPECT_EQ(small.buffers[0].size + small.buffers[1].size, 100u);
  EXPECT_TRUE(HasBigPair(small));
  for (const Buffer& buffer : small.buffers) {
    EXPECT_TRUE(buffer.gaps.empty());
    EXPECT_EQ(buffer.alignment, 1u);
    EXPECT_LE(buffer.upper, 3);  // times are ranks
  }
  EXPECT_FALSE(stats.exhausted);
}

TEST(ShrinkInstance, StopsAtTheLimit) {
  ShrinkStats stats;
  int64_t calls = 0;
  ShrinkInstance(
      Many(),
      [&calls](const Instance& i) {
        ++calls;
        return HasBigPair(i);
      },
      {.tries = 7}, stats);
  EXPECT_EQ(calls, 7);
  EXPECT_EQ(stats.tries, 7);
  EXPECT_TRUE(stats.exhausted);
}

// A loop that carries a value: some use of t in a block that is its own
// successor.
bool HasLoopUse(const Program& program) {
  for (const Module& module : program.modules) {
    for (const Function& function : module.functions) {
      for (size_t b = 0; b < function.blocks.size(); ++b) {
        const Block& block = function.blocks[b];
        const bool loop =
            std::find(block.successors.begin(), block.successors.end(),
                      static_cast<int32_t>(b)) != block.successors.end();
        for (const Instruction& i : block.instructions) {
          if (loop && !i.uses.empty()) return true;
        }
      }
    }
  }
  return false;
}

TEST(ShrinkProgram, LeavesOneBlockOneLocationOneUse) {
  const Program program = ProgramBuilder()
                              .In("x", 4096)
                              .Loc("t", 100)
                              .Loc("u", 5000, {.alignment = 64})
                              .Block("entry", {"loop"})
                              .Op({"t", "u"}, {"x"})
                              .Block("loop", {"loop", "exit"})
                              .Op({{"t", 0, 50}}, {"u"})
                              .Call("callee")
                              .Block("exit")
                              .Op({}, {"t"})
                              .Fn("callee")
                              .Loc("v", 10)
                              .Op({"v"}, {})
                              .Core(1)
                              .Loc("w", 10)
                              .Op({"w"}, {})
                              .Build();
  ShrinkStats stats;
  const Program small = ShrinkProgram(program, HasLoopUse, {}, stats);
  EXPECT_TRUE(HasLoopUse(small));
  ASSERT_EQ(small.modules.size(), 1u);
  ASSERT_EQ(small.modules[0].functions.size(), 1u);
  const Function& function = small.modules[0].functions[0];
  ASSERT_EQ(function.blocks.size(), 1u);
  EXPECT_EQ(function.blocks[0].instructions.size(), 1u);
  EXPECT_EQ(function.locations.size(), 1u);
  EXPECT_EQ(function.locations[0].alignment, 1u);
}

// Whatever is dropped from whatever program: candidates are checked programs.
TEST(ShrinkProgram, CandidatesKeepTheRules) {
  for (uint64_t seed = 1; seed <= 40; ++seed) {
    Rng rng(seed);
    Program program =
        seed % 2 == 0 ? fuzz::SharedProgram(rng) : fuzz::SmallProgram(rng);
    for (int i = 0; i < 30; ++i) fuzz::MutateProgram(rng, program);
    Rng choices(seed);
    ShrinkStats stats;
    const Program small = ShrinkProgram(
        program,
        [&choices](const Program& candidate) {
          EXPECT_TRUE(CheckProgram(candidate).ok());
          return choices.OneIn(3);
        },
        {.tries = 300}, stats);
    EXPECT_TRUE(CheckProgram(small).ok());
  }
}

}  // namespace
}  // namespace berth
