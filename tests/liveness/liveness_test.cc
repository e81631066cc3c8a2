#include "allocator/liveness/liveness.h"

#include <cstdint>
#include <string>
#include <vector>

#include "allocator/model/program.h"
#include "gtest/gtest.h"
#include "tests/liveness/liveness_text.h"
#include "tests/testing/program_builder.h"

namespace berth {
namespace {

using testing::BlockLocal;
using testing::LivenessOf;
using testing::Occupied;
using testing::ProgramBuilder;
using testing::UndefinedUses;

// --- rows of the list of faults that planners have had ---

TEST(Liveness, F1LastReadAndFirstWriteOfOneInstructionMeet) {
  const Program program = ProgramBuilder()
                              .Loc("x", 8)
                              .Loc("y", 8)
                              .Op({"x"}, {})
                              .Op({}, {})
                              .Op({}, {})
                              .Op({}, {})
                              .Op({}, {})
                              .Op({"y"}, {"x"})
                              .Op({}, {"y"})
                              .Build();
  EXPECT_EQ(Occupied(program, "x"), "0-5");
  EXPECT_EQ(Occupied(program, "y"), "5-6");
}

TEST(Liveness, F2LastOfSeveralUses) {
  const Program program = ProgramBuilder()
                              .Loc("T", 8)
                              .Loc("U", 8)
                              .Op({"T"}, {})
                              .Op({}, {"T"})
                              .Op({"U"}, {})
                              .Op({}, {"T"})
                              .Build();
  EXPECT_EQ(Occupied(program, "T"), "0-3");
  EXPECT_EQ(Occupied(program, "U"), "2-2");
}

TEST(Liveness, F3OutputNobodyReads) {
  const Program program = ProgramBuilder()
                              .Loc("D", 8)
                              .Loc("E", 8)
                              .Loc("G", 8)
                              .Op({"G"}, {})
                              .Op({}, {})
                              .Op({"D", "E"}, {})
                              .Op({}, {"E", "G"})
                              .Build();
  EXPECT_EQ(Occupied(program, "D"), "2-2");
  EXPECT_EQ(Occupied(program, "E"), "2-3");
  EXPECT_EQ(Occupied(program, "G"), "0-3");
}

TEST(Liveness, F4NoUseOrNoAccess) {
  const Program program = ProgramBuilder()
                              .In("unused_input", 8)
                              .Out("unwritten_output", 8)
                              .In("overwritten", 8)
                              .Loc("untouched", 8)
                              .Op({"overwritten"}, {})
                              .Build();
  EXPECT_EQ(Occupied(program, "unused_input"), "");
  EXPECT_EQ(Occupied(program, "unwritten_output"), "");
  EXPECT_EQ(Occupied(program, "untouched"), "");
  EXPECT_EQ(Occupied(program, "overwritten"), "0-0");
  const Liveness liveness = LivenessOf(program.modules[0].functions[0]);
  EXPECT_EQ(liveness.referenced,
            (std::vector<bool>{false, false, true, false}));
  EXPECT_EQ(UndefinedUses(program), "");
}

TEST(Liveness, F4UseThatNoDefReaches) {
  const Program program = ProgramBuilder()
                              .Loc("never", 8)
                              .Loc("late", 8)
                              .Op({}, {"never", "late"})
                              .Op({"late"}, {})
                              .Op({}, {"late", "never"})
                              .Build();
  EXPECT_EQ(UndefinedUses(program), "never@0 never@2 late@0");
  // No def reaches the gap between them, so nothing has to be kept there.
  EXPECT_EQ(Occupied(program, "never"), "0-0 2-2");
  EXPECT_EQ(Occupied(program, "late"), "0-2");
}

TEST(Liveness, F6ExclusiveBranches) {
  const Program program = ProgramBuilder()
                              .Loc("P", 8)
                              .Loc("Q", 8)
                              .Block("entry", {"then", "else"})
                              .Op({}, {})
                              .Block("then", {"join"})
                              .Op({"P"}, {})
                              .Op({}, {"P"})
                              .Block("else", {"join"})
                              .Op({"Q"}, {})
                              .Op({}, {"Q"})
                              .Block("join")
                              .Op({}, {})
                              .Build();
  EXPECT_EQ(Occupied(program, "P"), "1-2");
  EXPECT_EQ(Occupied(program, "Q"), "3-4");
  EXPECT_TRUE(BlockLocal(program, "P"));
}

TEST(Liveness, F7LoopInvariantValue) {
  const Program program = ProgramBuilder()
                              .Loc("W", 8)
                              .Loc("S", 8)
                              .Block("entry", {"loop"})
                              .Op({"W"}, {})
                              .Op({}, {})
                              .Block("loop", {"loop", "exit"})
                              .Op({}, {})
                              .Op({}, {"W"})
                              .Op({"S"}, {})
                              .Op({}, {"S"})
                              .Block("exit")
                              .Op({}, {})
                              .Build();
  EXPECT_EQ(Occupied(program, "W"), "0-5");
  EXPECT_EQ(Occupied(program, "S"), "4-5");
  EXPECT_TRUE(BlockLocal(program, "S"));
  EXPECT_FALSE(BlockLocal(program, "W"));
}

// The value goes around the back edge, so all that is live at 5 or 2 is kept
// off C. At 3 and 4 it holds nothing: the old value was read last at 2, the new
// one is not written yet (spec §3: a full def kills).
TEST(Liveness, F8LoopCarriedValue) {
  const Program program = ProgramBuilder()
                              .Loc("C", 8)
                              .Block("entry", {"loop"})
                              .Op({"C"}, {})
                              .Op({}, {})
                              .Block("loop", {"loop", "exit"})
                              .Op({}, {"C"})
                              .Op({}, {})
                              .Op({}, {})
                              .Op({"C"}, {})
                              .Block("exit")
                              .Op({}, {})
                              .Build();
  EXPECT_EQ(Occupied(program, "C"), "0-2 5-5");
  EXPECT_FALSE(BlockLocal(program, "C"));
}

// Where the def keeps part of the old value, in place or byte-wise, C occupies
// the whole loop.
TEST(Liveness, F8LoopCarriedValueUpdatedInPlace) {
  const auto occupied_with_update = [](const testing::AccessSpecs& defs,
                                       const testing::AccessSpecs& uses) {
    return Occupied(ProgramBuilder()
                        .Loc("C", 8)
                        .Block("entry", {"loop"})
                        .Op({"C"}, {})
                        .Op({}, {})
                        .Block("loop", {"loop", "exit"})
                        .Op({}, {"C"})
                        .Op({}, {})
                        .Op({}, {})
                        .Op(defs, uses)
                        .Block("exit")
                        .Op({}, {})
                        .Build(),
                    "C");
  };
  EXPECT_EQ(occupied_with_update({"C"}, {"C"}), "0-5");
  EXPECT_EQ(occupied_with_update({{"C", 0, 4}}, {}), "0-5");
  EXPECT_EQ(occupied_with_update({{"C", 0, 8}}, {}), "0-2 5-5");
}

// --- full and partial defs ---

// x defined, then redefined by `defs` (and `uses`), then read.
std::string OccupiedWhenRedefined(const testing::AccessSpecs& defs,
                                  const testing::AccessSpecs& uses) {
  return Occupied(ProgramBuilder()
                      .Loc("x", 100)
                      .Op({"x"}, {})
                      .Op({}, {})
                      .Op(defs, uses)
                      .Op({}, {})
                      .Op({}, {{"x", 99, 1}})
                      .Build(),
                  "x");
}

TEST(Liveness, OnlyAFullDefKills) {
  EXPECT_EQ(OccupiedWhenRedefined({"x"}, {}), "0-0 2-4");
  EXPECT_EQ(OccupiedWhenRedefined({{"x", 0, 100}}, {}), "0-0 2-4");
  EXPECT_EQ(OccupiedWhenRedefined({{"x", 0, 99}}, {}), "0-4");
  EXPECT_EQ(OccupiedWhenRedefined({{"x", 1, 99}}, {}), "0-4");
}

TEST(Liveness, ADefIsNotFullWhereItsInstructionUses) {
  EXPECT_EQ(OccupiedWhenRedefined({"x"}, {"x"}), "0-4");
  EXPECT_EQ(OccupiedWhenRedefined({"x"}, {{"x", 5, 1}}), "0-4");
}

TEST(Liveness, OneAccessMustCoverTheWhole) {
  EXPECT_EQ(OccupiedWhenRedefined({{"x", 0, 50}, {"x", 50, 50}}, {}), "0-4");
  // The partial one is an implied use, whatever the other one covers.
  EXPECT_EQ(OccupiedWhenRedefined({"x", {"x", 0, 50}}, {}), "0-4");
}

TEST(Liveness, PartialDefIsNoUndefinedUse) {
  const Program program = ProgramBuilder()
                              .Loc("tiles", 100)
                              .Op({}, {})
                              .Op({{"tiles", 0, 50}}, {})
                              .Op({{"tiles", 50, 50}}, {})
                              .Op({}, {"tiles"})
                              .Build();
  EXPECT_EQ(UndefinedUses(program), "");
  EXPECT_EQ(Occupied(program, "tiles"), "1-3");
  EXPECT_TRUE(BlockLocal(program, "tiles"));
}

TEST(Liveness, SizeZeroIsCoveredByAnyAccess) {
  const Program program = ProgramBuilder()
                              .Loc("z", 0)
                              .Op({"z"}, {})
                              .Op({}, {})
                              .Op({{"z", 0, 0}}, {})
                              .Op({}, {"z"})
                              .Build();
  EXPECT_EQ(Occupied(program, "z"), "0-0 2-3");
}

// --- boundaries ---

TEST(Liveness, BoundariesByUsage) {
  const Program program = ProgramBuilder()
                              .In("in", 8)
                              .Out("out", 8)
                              .Weight("weight", 8)
                              .Constant("constant", 8)
                              .Spill("spill", 8)
                              .Op({}, {})
                              .Op({"out", "spill"}, {"in", "weight"})
                              .Op({}, {"constant", "spill"})
                              .Op({}, {})
                              .Build();
  EXPECT_EQ(Occupied(program, "in"), "0-1");
  EXPECT_EQ(Occupied(program, "out"), "1-3");
  EXPECT_EQ(Occupied(program, "weight"), "0-3");
  EXPECT_EQ(Occupied(program, "constant"), "0-3");
  EXPECT_EQ(Occupied(program, "spill"), "1-2");
  for (const char* name : {"in", "out", "weight", "constant"}) {
    EXPECT_FALSE(BlockLocal(program, name)) << name;
  }
  EXPECT_TRUE(BlockLocal(program, "spill"));
}

TEST(Liveness, UnaccessedWithAnAddress) {
  const auto pinned = [](Usage usage) {
    return Occupied(ProgramBuilder()
                        .Pin("p", 8, 4096, usage)
                        .Op({}, {})
                        .Block("unreachable")
                        .Op({}, {})
                        .Build(),
                    "p");
  };
  EXPECT_EQ(pinned(Usage::kWeight), "0-1");
  EXPECT_EQ(pinned(Usage::kConstant), "0-1");
  EXPECT_EQ(pinned(Usage::kInput), "");
  EXPECT_EQ(pinned(Usage::kOutput), "");
  EXPECT_EQ(pinned(Usage::kIntermediate), "");
}

TEST(Liveness, UnaccessedInAFunctionWithoutInstructions) {
  const Program program =
      ProgramBuilder().Pin("w", 8, 0, Usage::kWeight).Block("only").Build();
  EXPECT_EQ(Occupied(program, "w"), "");
}

TEST(Liveness, FunctionWithoutBlocks) {
  const Program program =
      ProgramBuilder().Pin("w", 8, 0, Usage::kWeight).In("x", 8).Build();
  EXPECT_EQ(Occupied(program, "w"), "");
  EXPECT_EQ(Occupied(program, "x"), "");
}

TEST(Liveness, OnlyDramTakesPart) {
  const Program program =
      ProgramBuilder()
          .Loc("sbuf", 8, {.type = MemoryType::kSbuf})
          .Loc("psum", 8, {.type = MemoryType::kPsum, .address = 0})
          .Loc("weight", 8,
               {.type = MemoryType::kSbuf,
                .usage = Usage::kWeight,
                .address = 0})
          .Op({"psum"}, {"sbuf"})
          .Build();
  EXPECT_EQ(Occupied(program, "sbuf"), "");
  EXPECT_EQ(Occupied(program, "psum"), "");
  EXPECT_EQ(Occupied(program, "weight"), "");
  EXPECT_EQ(UndefinedUses(program), "");
  EXPECT_EQ(LivenessOf(program.modules[0].functions[0]).referenced,
            (std::vector<bool>{true, true, false}));
}

// --- shapes of the CFG ---

TEST(Liveness, SeveralExitsAndNone) {
  const Program exits = ProgramBuilder()
                            .Out("o", 8)
                            .Block("entry", {"left", "right"})
                            .Op({}, {})
                            .Op({"o"}, {})
                            .Block("left")
                            .Op({}, {})
                            .Block("right")
                            .Op({}, {})
                            .Build();
  EXPECT_EQ(Occupied(exits, "o"), "1-3");
  const Program none = ProgramBuilder()
                           .Out("o", 8)
                           .Weight("w", 8)
                           .Block("entry", {"entry"})
                           .Op({}, {})
                           .Op({"o"}, {"w"})
                           .Op({}, {})
                           .Build();
  EXPECT_EQ(Occupied(none, "o"), "1-1");
  EXPECT_EQ(Occupied(none, "w"), "0-2") << "needed again in the next round";
}

TEST(Liveness, EmptyBlocksPassValuesOn) {
  const Program program = ProgramBuilder()
                              .Loc("x", 8)
                              .Block("entry", {"empty", "other"})
                              .Op({"x"}, {})
                              .Block("other", {"join"})
                              .Op({"x"}, {})
                              .Block("join")
                              .Op({}, {"x"})
                              .Block("empty", {"empty2"})
                              .Block("empty2", {"join"})
                              .Build();
  EXPECT_EQ(Occupied(program, "x"), "0-2");
  EXPECT_EQ(UndefinedUses(program), "");
}

TEST(Liveness, UnreachableBlocksFollowTheSameRules) {
  const Program program = ProgramBuilder()
                              .Loc("x", 8)
                              .In("in", 8)
                              .Block("entry")
                              .Op({}, {"in"})
                              .Block("dead", {"dead2"})
                              .Op({"x"}, {})
                              .Op({}, {})
                              .Block("dead2")
                              .Op({}, {"x", "in"})
                              .Build();
  EXPECT_EQ(Occupied(program, "x"), "1-3");
  EXPECT_EQ(Occupied(program, "in"), "0-0 3-3");
  EXPECT_EQ(UndefinedUses(program), "in@3");
}

// The loop keeps what is read at its start and written at its end of the round
// before; what is written first stays within a round.
TEST(Liveness, OneBlockInALoop) {
  const Program program = ProgramBuilder()
                              .Loc("carried", 8)
                              .Loc("local", 8)
                              .Block("loop", {"loop"})
                              .Op({"local"}, {})
                              .Op({}, {"carried"})
                              .Op({}, {"local"})
                              .Op({"carried"}, {})
                              .Op({}, {})
                              .Build();
  EXPECT_EQ(Occupied(program, "carried"), "0-1 3-4");
  EXPECT_EQ(Occupied(program, "local"), "0-2");
  EXPECT_FALSE(BlockLocal(program, "carried"));
  EXPECT_TRUE(BlockLocal(program, "local"));
  EXPECT_EQ(UndefinedUses(program), "")
      << "the def of the round before reaches";
}

// One straight line, whether it is one block or two.
TEST(Liveness, AccessedInTwoBlocksOfAChainIsNotBlockLocal) {
  const Program program = ProgramBuilder()
                              .Loc("one", 8)
                              .Loc("two", 8)
                              .Block("a", {"b"})
                              .Op({"one", "two"}, {})
                              .Op({}, {"one"})
                              .Block("b")
                              .Op({"two"}, {})
                              .Build();
  EXPECT_EQ(Occupied(program, "one"), "0-1");
  EXPECT_EQ(Occupied(program, "two"), "0-0 2-2");
  EXPECT_TRUE(BlockLocal(program, "one"));
  EXPECT_FALSE(BlockLocal(program, "two"));
}

// Nothing enters or leaves the block that writes it anew, but a WEIGHT's value
// passes that block by.
TEST(Liveness, AccessedInOneBlockOnlyButLiveBesideIt) {
  const Program program = ProgramBuilder()
                              .Weight("w", 8)
                              .Block("entry", {"forever", "exit"})
                              .Op({}, {})
                              .Block("forever", {"forever"})
                              .Op({"w"}, {})
                              .Op({}, {"w"})
                              .Block("exit")
                              .Op({}, {})
                              .Build();
  EXPECT_EQ(Occupied(program, "w"), "0-3");
  EXPECT_FALSE(BlockLocal(program, "w"));
}

// Layout order is not the order of control flow.
TEST(Liveness, BlocksLaidOutBackwards) {
  const Program program = ProgramBuilder()
                              .Loc("x", 8)
                              .Block("entry", {"first"})
                              .Op({}, {})
                              .Block("second")
                              .Op({}, {"x"})
                              .Op({}, {})
                              .Block("first", {"second"})
                              .Op({}, {})
                              .Op({"x"}, {})
                              .Build();
  EXPECT_EQ(Occupied(program, "x"), "1-1 4-4");
  EXPECT_EQ(UndefinedUses(program), "");
}

// The value passes few blocks, far apart and in another order than laid out.
TEST(Liveness, ScatteredLayout) {
  ProgramBuilder builder;
  builder.Loc("x", 8);
  const auto name = [](int32_t block) { return "b" + std::to_string(block); };
  for (int32_t block = 0; block < 200; ++block) {
    const int32_t next = block == 0 ? 150 : block == 150 ? 40 : 199;
    const bool on_path = block == 0 || block == 40 || block == 150;
    builder.Block(name(block), on_path ? std::vector<std::string>{name(next)}
                                       : std::vector<std::string>{});
    if (block == 0) {
      builder.Op({"x"}, {});
    } else if (block == 199) {
      builder.Op({}, {"x"});
    } else {
      builder.Op({}, {});
    }
  }
  EXPECT_EQ(Occupied(builder.Build(), "x"), "0-0 40-40 150-150 199-199");
}

// --- calls ---

TEST(Liveness, CallTakesTheClosedHull) {
  const Program program = ProgramBuilder()
                              .Fn("main")
                              .Loc("x", 8)
                              .Loc("y", 8)
                              .Op({"x", "y"}, {})
                              .Op({}, {"x", "y"})
                              .Op({}, {})
                              .Op({"x", "y"}, {})
                              .Call("callee", {}, {"x"})
                              .Op({}, {"y"})
                              .Fn("callee")
                              .Op({}, {})
                              .Build();
  EXPECT_EQ(Occupied(program, "x"), "0-4");
  EXPECT_EQ(Occupied(program, "y"), "0-1 3-5");
  EXPECT_FALSE(BlockLocal(program, "x"));
  EXPECT_TRUE(BlockLocal(program, "y"));
}

}  // namespace
}  // namespace berth
