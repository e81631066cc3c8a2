// Faults that real planners have had: for each the right placement is accepted
// and the wrong one refused.
#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"
#include "allocator/model/instance.h"
#include "allocator/model/options.h"
#include "allocator/model/program.h"
#include "allocator/validate/validate.h"
#include "gtest/gtest.h"
#include "tests/testing/program_builder.h"
#include "tests/validate/row.h"

namespace berth {
namespace {

using testing::FindLocation;
using testing::LocationSpec;
using testing::ProgramBuilder;
using testing::Row;

LocationSpec PlacedAt(uint64_t address) {
  return {.address = address, .placed_by = PlacedBy::kBerth};
}

ValidateOptions Options(LinkMode mode = LinkMode::kPre) {
  ValidateOptions options;
  options.plan.link_mode = mode;
  return options;
}

std::string Check(const Program& placed, const ValidateOptions& options) {
  return ValidateProgram(placed, nullptr, options).ToString();
}

// The report on `program` with `name` moved to `address`.
std::string CheckMoved(Program program, absl::string_view name,
                       uint64_t address,
                       const ValidateOptions& options = Options()) {
  FindLocation(program, name).address = address;
  return Check(program, options);
}

TEST(ValidateFaults, F1ClosedEndsOfInstructions) {
  const Program program = ProgramBuilder()
                              .Loc("x", 4096, PlacedAt(0))
                              .Loc("y", 4096, PlacedAt(4096))
                              .Op({"x"}, {})
                              .Op({"y"}, {"x"})  // reads x, writes y
                              .Op({}, {"y"})
                              .Build();
  EXPECT_EQ(Check(program, Options()), "");
  EXPECT_EQ(CheckMoved(program, "y", 0),
            "I1 core 0 f: 'x' [0..1] at 0..4096 meets 'y' [1..2] at 0..4096\n"
            "I8 core 0 f: peak 4096 less floor 0 is below the load 8192\n");
}

TEST(ValidateFaults, F1HalfOpenRows) {
  Instance instance = {{Row("x", 0, 5, 8, 0), Row("y", 5, 9, 8, 0)}};
  EXPECT_EQ(ValidateInstance(instance, nullptr, Options()).ToString(), "");
  instance.buffers[1].lower = 4;
  EXPECT_EQ(ValidateInstance(instance, nullptr, Options()).ToString(),
            "I1: 'x' [0, 5) at 0..8 meets 'y' [4, 9) at 0..8\n"
            "I8: peak 8 less floor 0 is below the load 16\n");
}

TEST(ValidateFaults, F2LastOfSeveralUses) {
  const Program program = ProgramBuilder()
                              .Loc("t", 4096, PlacedAt(0))
                              .Loc("u", 4096, PlacedAt(4096))
                              .Op({"t"}, {})
                              .Op({}, {"t"})
                              .Op({"u"}, {})
                              .Op({}, {"t"})
                              .Build();
  EXPECT_EQ(Check(program, Options()), "");
  EXPECT_EQ(CheckMoved(program, "u", 0),
            "I1 core 0 f: 't' [0..3] at 0..4096 meets 'u' [2..2] at 0..4096\n"
            "I8 core 0 f: peak 4096 less floor 0 is below the load 8192\n");
}

TEST(ValidateFaults, F3OutputNobodyReads) {
  const Program program = ProgramBuilder()
                              .Loc("live", 4096, PlacedAt(0))
                              .Loc("d", 4096, PlacedAt(4096))
                              .Loc("e", 4096, PlacedAt(8192))
                              .Op({"live"}, {})
                              .Op({}, {})
                              .Op({"d", "e"}, {})
                              .Op({}, {"live", "e"})
                              .Build();
  EXPECT_EQ(Check(program, Options()), "");
  EXPECT_NE(CheckMoved(program, "d", 0)
                .find("'live' [0..3] at 0..4096 meets 'd' [2..2] at 0..4096"),
            std::string::npos);
  EXPECT_NE(CheckMoved(program, "d", 8192)
                .find("'d' [2..2] at 8192..12288 meets 'e' [2..3] at "
                      "8192..12288"),
            std::string::npos);
}

TEST(ValidateFaults, F4NoUseNoDefNoAccess) {
  const Program program = ProgramBuilder()
                              .Pin("in", 4096, 0, Usage::kInput)  // no use
                              .Loc("lonely", 4096)                // no access
                              .Loc("t", 4096, PlacedAt(4096))
                              .Op({"t"}, {})
                              .Build();
  EXPECT_EQ(Check(program, Options()), "");
}

TEST(ValidateFaults, F5SizeZero) {
  const Program program = ProgramBuilder()
                              .Loc("z", 0, PlacedAt(0))
                              .Loc("t", 4096, PlacedAt(0))
                              .Op({"z", "t"}, {})
                              .Op({}, {"t", "z"})
                              .Build();
  EXPECT_EQ(Check(program, Options()), "");
  // Wherever it is: it has no bytes.
  EXPECT_EQ(CheckMoved(program, "z", 100), "");
}

Program Branches() {
  return ProgramBuilder()
      .Loc("p", 4096, PlacedAt(0))
      .Loc("q", 4096, PlacedAt(0))
      .Loc("both", 4096, PlacedAt(4096))
      .Block("if", {"then", "else"})
      .Op({"both"}, {})
      .Block("then", {"end"})
      .Op({"p"}, {})
      .Op({}, {"p"})
      .Block("else", {"end"})
      .Op({"q"}, {})
      .Op({}, {"q"})
      .Block("end")
      .Op({}, {"both"})
      .Build();
}

TEST(ValidateFaults, F6ExclusiveBranchesShareBytes) {
  EXPECT_EQ(Check(Branches(), Options()), "");
  EXPECT_EQ(CheckMoved(Branches(), "both", 0),
            "I1 core 0 f: 'both' [0..5] at 0..4096 meets 'p' [1..2] at 0..4096 "
            "(and 1 more)\n"
            "I8 core 0 f: peak 4096 less floor 0 is below the load 8192\n");
}

TEST(ValidateFaults, F7LoopInvariantValue) {
  const Program program = ProgramBuilder()
                              .Loc("w", 4096, PlacedAt(0))
                              .Loc("s", 4096, PlacedAt(4096))
                              .Block("entry", {"loop"})
                              .Op({"w"}, {})
                              .Op({}, {})
                              .Block("loop", {"loop", "exit"})
                              .Op({}, {})
                              .Op({}, {"w"})
                              .Op({"s"}, {})
                              .Op({}, {"s"})
                              .Block("exit")
                              .Build();
  EXPECT_EQ(Check(program, Options()), "");
  EXPECT_EQ(CheckMoved(program, "s", 0),
            "I1 core 0 f: 'w' [0..5] at 0..4096 meets 's' [4..5] at 0..4096\n"
            "I8 core 0 f: peak 4096 less floor 0 is below the load 8192\n");
}

TEST(ValidateFaults, F8LoopCarriedValue) {
  // c is needed at 2 and written anew at 5; u stands after its last read.
  const Program program = ProgramBuilder()
                              .Loc("c", 4096, PlacedAt(0))
                              .Loc("u", 4096, PlacedAt(0))
                              .Loc("v", 4096, PlacedAt(4096))
                              .Block("entry", {"loop"})
                              .Op({"c"}, {})
                              .Op({"v"}, {})
                              .Block("loop", {"loop", "exit"})
                              .Op({}, {"c"})
                              .Op({"u"}, {})
                              .Op({}, {"u"})
                              .Op({"c"}, {})
                              .Block("exit")
                              .Op({}, {"c"})
                              .Build();
  EXPECT_EQ(Check(program, Options()), "");
  EXPECT_NE(CheckMoved(program, "v", 0)
                .find("'c' [0..2] at 0..4096 meets 'v' [1..1] at 0..4096"),
            std::string::npos);
  // Written in part only, c keeps the rest: it occupies the whole loop.
  Program carried = program;
  Instruction& last = carried.modules[0].functions[0].blocks[1].instructions[3];
  last.defs[0].extent_bytes = 2048;
  EXPECT_NE(Check(carried, Options())
                .find("'c' [0..6] at 0..4096 meets 'u' [3..4] at 0..4096"),
            std::string::npos);
}

// in and w are pinned at 0 and 4096; t is written after the last read of both.
Program CallersInputs(uint64_t t_address) {
  return ProgramBuilder()
      .Pin("in", 4096, 0, Usage::kInput)
      .Pin("w", 4096, 4096, Usage::kWeight)
      .Loc("t", 4096, PlacedAt(t_address))
      .Op({}, {"in"})
      .Op({}, {"in", "w"})
      .Op({"t"}, {})
      .Op({}, {"t"})
      .Build();
}

TEST(ValidateFaults, F10CallersInputs) {
  const ValidateOptions pre = Options(LinkMode::kPre);
  const ValidateOptions post = Options(LinkMode::kPost);
  EXPECT_EQ(Check(CallersInputs(8192), pre), "");
  EXPECT_EQ(Check(CallersInputs(0), pre),
            "I3 core 0 f: 't' at 0..4096 lies below the floor 8192 that 'w' "
            "sets\n"
            "I8 core 0 f: peak 8192 less floor 8192 is below the load 4096\n");
  EXPECT_EQ(Check(CallersInputs(0), post), "");
  EXPECT_EQ(Check(CallersInputs(4096), post),
            "I1 core 0 f: 'w' [0..3] at 4096..8192 meets 't' [2..3] at "
            "4096..8192\n");
}

TEST(ValidateFaults, F12Sizes) {
  constexpr uint64_t k2GiB = uint64_t{1} << 31;
  const Program program = ProgramBuilder()
                              .Loc("a", k2GiB, PlacedAt(0))
                              .Loc("b", k2GiB, PlacedAt(k2GiB))
                              .Op({"a", "b"}, {})
                              .Op({}, {"a", "b"})
                              .Build();
  EXPECT_EQ(Check(program, Options()), "");
  EXPECT_EQ(CheckMoved(program, "b", k2GiB - 4096),
            "I1 core 0 f: 'a' [0..1] at 0..2147483648 meets 'b' [0..1] at "
            "2147479552..4294963200\n"
            "I8 core 0 f: peak 4294963200 less floor 0 is below the load "
            "4294967296\n");
  Program wide = program;
  FindLocation(wide, "b").elem_count = uint64_t{1} << 62;
  FindLocation(wide, "b").elem_size = 8;
  EXPECT_NE(Check(wide, Options()).find("passes 2^64 - 1"), std::string::npos);
  wide = program;
  FindLocation(wide, "b").elem_count = ~uint64_t{0};  // rounded up, too large
  EXPECT_NE(Check(wide, Options()).find("passes 2^64 - 1"), std::string::npos);
}

TEST(ValidateFaults, F12LoadsPass64Bits) {
  const Instance instance = {{Row("a", 0, 1, kNoCapacity, 0),
                              Row("b", 0, 1, kNoCapacity, 0),
                              Row("c", 0, 1, kNoCapacity, 0)}};
  EXPECT_EQ(ValidateInstance(instance, nullptr, Options()).ToString(),
            "I1: 'a' [0, 1) at 0..9223372036854775807 meets 'b' [0, 1) at "
            "0..9223372036854775807 (and 1 more)\n"
            "I8: peak 9223372036854775807 less floor 0 is below the load "
            "27670116110564327421\n");
}

TEST(ValidateFaults, F13Alignment) {
  Program program = ProgramBuilder()
                        .Loc("small", 256, PlacedAt(0))
                        .Loc("page", 4096, PlacedAt(4096))
                        .Op({"small", "page"}, {})
                        .Op({}, {"small", "page"})
                        .Build();
  ValidateOptions options = Options();
  options.plan.size_rounding = SizeRounding::kNone;
  EXPECT_EQ(Check(program, options), "");
  EXPECT_EQ(CheckMoved(program, "page", 256, options),
            "I2 core 0 f: 'page' at 256..4352 crosses a boundary of 4096-byte "
            "pages\n");
  FindLocation(program, "small").alignment = 512;
  EXPECT_EQ(Check(program, options), "");
  EXPECT_EQ(CheckMoved(program, "small", 8448, options),
            "I2 core 0 f: 'small' at 8448..8704 is not at a multiple of its "
            "alignment 512\n");
}

TEST(ValidateFaults, F14PinsThatCollide) {
  const auto program = [](uint64_t r) {
    ProgramBuilder builder;
    builder.Pin("p", 8192, 4096).Pin("r", 4096, r).Op({"p"}, {});
    for (int i = 1; i < 5; ++i) builder.Op({}, {"p"});
    return builder.Op({"r"}, {"p"}).Op({}, {"r"}).Op({}, {"p"}).Build();
  };
  EXPECT_EQ(Check(program(8192), Options()),
            "I1 core 0 f: 'p' [0..7] at 4096..12288 meets 'r' [5..6] at "
            "8192..12288\n");
  EXPECT_EQ(Check(program(12288), Options()), "");
}

TEST(ValidateFaults, F15UnalignedPinnedNeighbour) {
  const auto program = [](uint64_t t, uint64_t u) {
    return ProgramBuilder()
        .Pin("p", 200, 100, Usage::kConstant)  // live for ever
        .Loc("t", 4096, PlacedAt(t))           // one page: never straddles
        .Loc("u", 8192, PlacedAt(u))           // two pages: takes the raw gap
        .Op({"t"}, {"p"})
        .Op({}, {"t"})
        .Op({"u"}, {})
        .Op({}, {"u"})
        .Build();
  };
  ValidateOptions options = Options(LinkMode::kPost);
  options.full = true;
  EXPECT_EQ(Check(program(4096, 300), options), "");
  EXPECT_EQ(Check(program(300, 300), options),
            "I2 core 0 f: 't' at 300..4396 crosses a boundary of 4096-byte "
            "pages\n");
  EXPECT_EQ(Check(program(4096, 4096), options),
            "I9 core 0 f: 'u' at 4096..12288 would also fit at 300\n");
  EXPECT_EQ(Check(program(4096, 299), options),
            "I1 core 0 f: 'p' [0..3] at 100..300 meets 'u' [2..3] at "
            "299..8491\n");
}

TEST(ValidateFaults, F16NoPlacementInFirstTry) {
  const auto rows = [](uint64_t a, uint64_t b, uint64_t c, uint64_t d,
                       uint64_t e) {
    return Instance{{Row("a", 0, 3, 2, a), Row("b", 2, 5, 2, b),
                     Row("c", 0, 2, 3, c), Row("d", 3, 5, 3, d),
                     Row("e", 1, 4, 1, e)}};
  };
  ValidateOptions options = Options();
  options.plan.capacity_bytes = 6;  // the lower bound
  EXPECT_EQ(ValidateInstance(rows(1, 4, 3, 1, 0), nullptr, options).ToString(),
            "");
  EXPECT_EQ(ValidateInstance(rows(3, 5, 0, 0, 7), nullptr, options).ToString(),
            "I3: 'b' at 5..7 ends past the ceiling 6 (and 1 more)\n");
  options.plan.capacity_bytes = 8;  // first fit by decreasing size
  options.full = true;
  EXPECT_EQ(ValidateInstance(rows(3, 5, 0, 0, 7), nullptr, options).ToString(),
            "");
}

}  // namespace
}  // namespace berth
