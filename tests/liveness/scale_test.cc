// Large functions: nothing recurses, nothing is quadratic. A test that is slow
// here by a factor of a thousand runs into its time limit; no clock is read.
#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "allocator/base/rng.h"
#include "allocator/liveness/liveness.h"
#include "allocator/model/intervals.h"
#include "allocator/model/options.h"
#include "allocator/model/program.h"
#include "gtest/gtest.h"
#include "tests/liveness/liveness_text.h"

namespace berth::testing {
namespace {

constexpr int32_t kMany = 100'000;

Function WithBlocks(int32_t num_blocks) {
  Function function;
  function.name = "large";
  function.blocks.resize(num_blocks);
  return function;
}

int32_t AddLocation(Function& function, Usage usage = Usage::kIntermediate) {
  Location& location = function.locations.emplace_back();
  location.usage = usage;
  location.elem_count = 2;
  return static_cast<int32_t>(function.locations.size()) - 1;
}

void AddOp(Block& block, std::vector<Access> defs, std::vector<Access> uses) {
  Instruction& instruction = block.instructions.emplace_back();
  instruction.defs = std::move(defs);
  instruction.uses = std::move(uses);
}

std::vector<Interval> Runs(const Liveness& liveness, int32_t location) {
  const auto runs = liveness.occupied.of(location);
  return {runs.begin(), runs.end()};
}

// Each instruction reads what the one before wrote.
TEST(LivenessScale, ChainOfInstructions) {
  constexpr int32_t kInstructions = 200'000;
  Function function = WithBlocks(1);
  for (int32_t i = 0; i < kInstructions; ++i) {
    AddLocation(function);
    AddOp(function.blocks[0], {{i}},
          i == 0 ? std::vector<Access>{} : std::vector<Access>{{i - 1}});
  }
  const Liveness liveness = LivenessOf(function);
  EXPECT_TRUE(liveness.undefined_uses.empty());
  EXPECT_EQ(liveness.occupied.values.size(), size_t{kInstructions});
  EXPECT_EQ(Runs(liveness, 0), (std::vector<Interval>{{0, 1}}));
  EXPECT_EQ(Runs(liveness, kInstructions - 1),
            (std::vector<Interval>{{kInstructions - 1, kInstructions - 1}}));
}

// One value through all blocks, and one temporary in each of them, written by
// halves: live upwards before its first half, but no def reaches there.
void FillWithTileTemporaries(Function& function) {
  const int32_t carried = AddLocation(function);
  for (size_t b = 0; b < function.blocks.size(); ++b) {
    Block& block = function.blocks[b];
    const int32_t tiles = AddLocation(function);
    if (b == 0) {
      AddOp(block, {{carried}}, {});
    } else {
      AddOp(block, {}, {{carried}});
    }
    AddOp(block, {{tiles, 0, 1}}, {});
    AddOp(block, {{tiles, 1, 1}}, {});
    AddOp(block, {}, {{tiles}});
  }
}

void ExpectTileTemporaries(const Function& function) {
  const Liveness liveness = LivenessOf(function);
  const int32_t num_blocks = static_cast<int32_t>(function.blocks.size());
  EXPECT_TRUE(liveness.undefined_uses.empty());
  EXPECT_EQ(Runs(liveness, 0),
            (std::vector<Interval>{{0, 4 * (num_blocks - 1)}}));
  for (int32_t b = 0; b < num_blocks; ++b) {
    const int32_t lo = 4 * b + 1;
    ASSERT_EQ(Runs(liveness, b + 1), (std::vector<Interval>{{lo, lo + 2}}));
    ASSERT_TRUE(liveness.block_local[b + 1]);
  }
}

TEST(LivenessScale, ChainOfBlocks) {
  Function function = WithBlocks(kMany);
  for (int32_t b = 0; b + 1 < kMany; ++b) {
    function.blocks[b].successors = {b + 1};
  }
  FillWithTileTemporaries(function);
  ExpectTileTemporaries(function);
}

// Diamonds: no two blocks make one straight line.
TEST(LivenessScale, BranchesAllTheWay) {
  Function function = WithBlocks(kMany);
  for (int32_t b = 0; b + 1 < kMany; ++b) {
    function.blocks[b].successors = {b + 1};
    if (b + 2 < kMany) function.blocks[b].successors.push_back(b + 2);
  }
  FillWithTileTemporaries(function);
  ExpectTileTemporaries(function);
}

// The path of the depth-first search is as long as the function.
TEST(LivenessScale, OneLargeLoop) {
  Function function = WithBlocks(kMany);
  for (int32_t b = 0; b < kMany; ++b) {
    function.blocks[b].successors = {(b + 1) % kMany, b};
    AddOp(function.blocks[b], {}, {});
  }
  const int32_t carried = AddLocation(function);
  const int32_t weight = AddLocation(function, Usage::kWeight);
  function.blocks[kMany / 2].instructions[0].defs = {{carried}};
  function.blocks[kMany / 2].instructions[0].uses = {{weight}};
  function.blocks[kMany / 2 - 1].instructions[0].uses = {{carried}};
  const Liveness liveness = LivenessOf(function);
  const std::vector<Interval> all = {{0, kMany - 1}};
  EXPECT_EQ(Runs(liveness, carried), all);
  EXPECT_EQ(Runs(liveness, weight), all);
  EXPECT_TRUE(liveness.undefined_uses.empty()) << "the round before defines";
}

// A block with 100,000 successors, and as many values that go to one of them.
TEST(LivenessScale, WideBranch) {
  Function function = WithBlocks(kMany + 1);
  for (int32_t b = 1; b <= kMany; ++b) {
    function.blocks[0].successors.push_back(b);
    const int32_t location = AddLocation(function);
    AddOp(function.blocks[0], {{location}}, {});
    AddOp(function.blocks[b], {}, {{location}});
  }
  const Liveness liveness = LivenessOf(function);
  for (int32_t i = 0; i < kMany; i += 1000) {
    std::vector<Interval> expected = {{i, kMany - 1}, {kMany + i, kMany + i}};
    if (i == 0) expected = {{0, kMany}};
    ASSERT_EQ(Runs(liveness, i), expected);
  }
  EXPECT_TRUE(liveness.undefined_uses.empty());
}

// Values of one block that nothing defines: live up to the entry, if followed.
TEST(LivenessScale, ManyUndefinedUses) {
  Function function = WithBlocks(kMany);
  for (int32_t b = 0; b < kMany; ++b) {
    if (b + 1 < kMany) function.blocks[b].successors = {b + 1, kMany - 1};
    AddOp(function.blocks[b], {}, {{AddLocation(function)}});
  }
  EXPECT_EQ(LivenessOf(function).undefined_uses.size(), size_t{kMany});
}

}  // namespace
}  // namespace berth::testing
