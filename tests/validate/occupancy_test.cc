// The validator's liveness: by hand, and against the definition.
#include "allocator/validate/occupancy.h"

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "allocator/base/rng.h"
#include "allocator/model/intervals.h"
#include "allocator/model/program.h"
#include "gtest/gtest.h"
#include "tests/testing/program_builder.h"
#include "tests/validate/brute_force.h"

namespace berth::validation {
namespace {

using ::berth::testing::BruteOccupied;
using ::berth::testing::LocationIndex;
using ::berth::testing::ProgramBuilder;

std::vector<Interval> RunsOf(const Program& program, const char* name) {
  const Function& function = program.modules[0].functions[0];
  const Occupancy occupancy = DeriveOccupancy(function);
  const auto runs = occupancy.runs.of(LocationIndex(function, name));
  return {runs.begin(), runs.end()};
}

using Runs = std::vector<Interval>;

TEST(Occupancy, HolesBetweenUseAndFullDef) {
  const Program program = ProgramBuilder()
                              .Loc("t", 64)
                              .Loc("part", 64)
                              .Op({"t", "part"}, {})
                              .Op({}, {"t"})
                              .Op({}, {})
                              .Op({"t", {"part", 0, 32}}, {})
                              .Op({}, {"t", "part"})
                              .Build();
  EXPECT_EQ(RunsOf(program, "t"), (Runs{{0, 1}, {3, 4}}));
  EXPECT_EQ(RunsOf(program, "part"), (Runs{{0, 4}}));
}

TEST(Occupancy, BoundaryOfEachUsage) {
  const Program program = ProgramBuilder()
                              .In("in", 64)
                              .Out("out", 64)
                              .Weight("w", 64)
                              .Constant("c", 64)
                              .Op({}, {})
                              .Op({}, {"in", "w", "c"})
                              .Op({"out"}, {})
                              .Op({}, {})
                              .Build();
  EXPECT_EQ(RunsOf(program, "in"), (Runs{{0, 1}}));
  EXPECT_EQ(RunsOf(program, "out"), (Runs{{2, 3}}));
  EXPECT_EQ(RunsOf(program, "w"), (Runs{{0, 3}}));
  EXPECT_EQ(RunsOf(program, "c"), (Runs{{0, 3}}));
}

TEST(Occupancy, WithoutAccess) {
  const Program program = ProgramBuilder()
                              .Pin("w", 64, 0, Usage::kWeight)
                              .Weight("unplaced", 64)
                              .Pin("in", 64, 64, Usage::kInput)
                              .Loc("t", 64)
                              .Op({}, {})
                              .Op({}, {})
                              .Build();
  EXPECT_EQ(RunsOf(program, "w"), (Runs{{0, 1}}));
  EXPECT_EQ(RunsOf(program, "unplaced"), Runs());
  EXPECT_EQ(RunsOf(program, "in"), Runs());
  EXPECT_EQ(RunsOf(program, "t"), Runs());
}

TEST(Occupancy, CallsTakeTheHull) {
  const Program program = ProgramBuilder()
                              .Fn("main")
                              .Loc("t", 64)
                              .Op({"t"}, {})
                              .Op({}, {"t"})
                              .Op({}, {})
                              .Op({"t"}, {})
                              .Call("helper", {}, {"t"})
                              .Fn("helper")
                              .Build();
  EXPECT_EQ(RunsOf(program, "t"), (Runs{{0, 4}}));
}

TEST(Occupancy, ReachesThroughEmptyBlocksAndBackEdges) {
  const Program program = ProgramBuilder()
                              .Loc("t", 64)
                              .Block("use", {"empty", "out"})
                              .Op({}, {"t"})
                              .Op({}, {})
                              .Block("empty", {"def"})
                              .Block("out")
                              .Op({}, {})
                              .Block("def", {"use"})
                              .Op({}, {})
                              .Op({"t"}, {})
                              .Build();
  EXPECT_EQ(RunsOf(program, "t"), (Runs{{0, 0}, {4, 4}}));
}

// Many blocks, few instructions, every usage: graphs that no front end writes.
Function RandomFunction(Rng* rng) {
  constexpr Usage kUsages[] = {Usage::kIntermediate, Usage::kInput,
                               Usage::kOutput, Usage::kWeight};
  Function function;
  for (uint64_t l = 1 + rng->Below(4); l > 0; --l) {
    Location& location = function.locations.emplace_back();
    location.name = absl::StrCat("l", l);
    location.elem_count = 2;
    location.usage = kUsages[rng->OneIn(2) ? 0 : rng->Below(4)];
    if (rng->OneIn(4)) location.address = 0;
    if (rng->OneIn(9)) location.type = MemoryType::kPsum;
  }
  const uint64_t blocks = 1 + rng->Below(9);
  for (uint64_t b = 0; b < blocks; ++b) {
    Block& block = function.blocks.emplace_back();
    for (uint64_t i = rng->Below(4); i > 0; --i) {
      Instruction& instruction = block.instructions.emplace_back();
      for (auto* list : {&instruction.defs, &instruction.uses}) {
        for (uint64_t a = rng->OneIn(2) ? 0 : rng->Below(3); a > 0; --a) {
          const auto location =
              static_cast<int32_t>(rng->Below(function.locations.size()));
          list->push_back({.location = location});
          if (rng->OneIn(4)) list->back().extent_bytes = 1 + rng->Below(2);
        }
      }
      if (rng->OneIn(30)) instruction.kind = InstructionKind::kCall;
    }
    for (uint64_t s = rng->Below(4); s > 0; --s) {
      // Mostly forward.
      const uint64_t from = rng->OneIn(3) ? 0 : b + 1;
      if (from >= blocks) continue;
      block.successors.push_back(
          static_cast<int32_t>(from + rng->Below(blocks - from)));
    }
  }
  return function;
}

TEST(Occupancy, AgreesWithTheDefinition) {
  for (uint64_t seed = 1; seed <= 20000; ++seed) {
    SCOPED_TRACE(absl::StrCat("seed ", seed));
    Rng rng(seed);
    const Function function = RandomFunction(&rng);
    const Occupancy occupancy = DeriveOccupancy(function);
    const auto expected = BruteOccupied(function);
    for (int32_t l = 0; l < occupancy.runs.size(); ++l) {
      std::set<int32_t> occupied;
      int32_t last = -2;
      for (const Interval& run : occupancy.runs.of(l)) {
        ASSERT_GT(run.lo, last + 1) << "not maximal";
        ASSERT_LE(run.lo, run.hi);
        for (int32_t i = run.lo; i <= run.hi; ++i) occupied.insert(i);
        last = run.hi;
      }
      ASSERT_EQ(occupied, expected[l]) << "location " << l;
    }
  }
}

}  // namespace
}  // namespace berth::validation
