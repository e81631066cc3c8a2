// Each reason that the validator can give for a placement of a program: a right
// one with one thing broken, and the report word for word.
#include <cstdint>
#include <string>
#include <utility>

#include "allocator/model/options.h"
#include "allocator/model/program.h"
#include "allocator/validate/validate.h"
#include "gtest/gtest.h"
#include "tests/testing/program_builder.h"
#include "tests/validate/right_program.h"

namespace berth {
namespace {

using testing::AccessSpec;
using testing::Broken;
using testing::FindLocation;
using testing::InputOfRightProgram;
using testing::Main;
using testing::MoveTo;
using testing::NameOf;
using testing::Options;
using testing::PlacedAt;
using testing::ProgramBuilder;
using testing::RightProgram;
using testing::RightProgramWithRecords;

TEST(ValidateProgram, AcceptsTheRightPlacement) {
  const Program input = InputOfRightProgram();
  EXPECT_EQ(ValidateProgram(RightProgram(), &input, Options()).ToString(), "");
  EXPECT_EQ(ValidateProgram(RightProgram(), nullptr, Options()).ToString(), "");
  EXPECT_TRUE(ValidateProgram(RightProgram(), nullptr, Options()).ok());
}

TEST(ValidateProgram, AcceptsTrueRecords) {
  const Program input = InputOfRightProgram();
  // The records must do: the options are others.
  ValidateOptions options = Options();
  options.plan.allreduce_buffer_mib = 7;
  options.plan.link_mode = LinkMode::kPost;
  options.plan.size_rounding = SizeRounding::kNone;
  EXPECT_EQ(
      ValidateProgram(RightProgramWithRecords(), &input, options).ToString(),
      "");
}

TEST(ValidateProgram, AcceptsTheEmptyProgram) {
  EXPECT_TRUE(ValidateProgram(Program(), nullptr, Options()).ok());
  const Program no_code = ProgramBuilder().Pin("p", 10, 0).Build();
  EXPECT_TRUE(ValidateProgram(no_code, nullptr, Options()).ok());
}
// --- placements, judged without records ---

class BrokenPlacement : public ::testing::TestWithParam<Broken> {};

TEST_P(BrokenPlacement, IsReported) {
  Program placed = RightProgram();
  GetParam().breaks(placed);
  EXPECT_EQ(
      ValidateProgram(placed, nullptr, Options(GetParam().full)).ToString(),
      GetParam().report + "\n");
}

INSTANTIATE_TEST_SUITE_P(
    All, BrokenPlacement,
    ::testing::Values(
        Broken{"Unplaced",
               [](Program& p) { FindLocation(p, "c").address.reset(); },
               "unplaced core 0 main: 'c' is accessed but has no address"},
        Broken{"UnplacedShared",
               [](Program& p) {
                 FindLocation(p, "s", 0).address.reset();
                 FindLocation(p, "s", 1).address.reset();
               },
               "unplaced: 's' (core 0 main) is accessed but has no address"},
        Broken{"UnplacedZeroSize",
               [](Program& p) { FindLocation(p, "z").address.reset(); },
               "unplaced core 0 main: 'z' is accessed but has no address"},
        Broken{"I1Nodes", [](Program& p) { MoveTo(p, "r", 12288); },
               "I1 core 0 main: 'b' [2..4] at 12288..16384 meets 'r' [3..4] at "
               "12288..16384"},
        Broken{"I1Resized",
               [](Program& p) {
                 FindLocation(p, "b").elem_count = 8192;  // r lies within it
               },
               "I1 core 0 main: 'b' [2..4] at 12288..20480 meets 'r' [3..4] "
               "at 16384..20480"},
        Broken{"I1Pins", [](Program& p) { MoveTo(p, "in", 3000); },
               "I1 core 0 main: 'in' [0..0] at 3000..5048 meets 'w' [0..5] at "
               "4096..8192"},
        Broken{"I1Count",
               [](Program& p) {
                 for (const char* name : {"b", "r", "c"})
                   MoveTo(p, name, 16384);
               },
               "I1 core 0 main: 'b' [2..4] at 16384..20480 meets 'r' [3..4] at "
               "16384..20480 (and 1 more)"},
        Broken{"I2Straddle", [](Program& p) { MoveTo(p, "a", 1060000); },
               "I2 core 0 main: 'a' at 1060000..1064096 crosses a boundary of "
               "4096-byte pages"},
        Broken{"I2Alignment",
               [](Program& p) { FindLocation(p, "c").alignment = 3; },
               "I2 core 0 main: 'c' at 1060864..1064960 is not at a multiple "
               "of its alignment 3"},
        Broken{"I3Floor", [](Program& p) { MoveTo(p, "b", 8192); },
               "I3 core 0 main: 'b' at 8192..12288 lies below the floor 12288 "
               "that 'h' sets\n"
               "I10 core 0 main: 'b' at 8192..12288 is not in the CC region "
               "12288..1060864"},
        Broken{
            "I3FloorOfPins",
            [](Program& p) { FindLocation(p, "h", 0, "helper").address = 0; },
            "I3 core 0 helper: 'h' at 0..4096 lies below the floor 8192 "
            "that 'w' sets\n"
            "I8 core 0 helper: peak 8192 less floor 8192 is below the load "
            "4096"},
        Broken{
            "I3Ceiling",
            [](Program& p) {
              FindLocation(p, "s", 0).address = 25769803776 - 4095;
              FindLocation(p, "s", 1).address = 25769803776 - 4095;
            },
            "I2: 's' (core 0 main) at 25769799681..25769803777 crosses a "
            "boundary of 4096-byte pages\n"
            "I3: 's' (core 0 main) at 25769799681..25769803777 ends past the "
            "ceiling 25769803776"},
        Broken{"I3FloorOfShared",
               [](Program& p) { FindLocation(p, "p", 1).address = 1064960; },
               "I3: 's' (core 0 main) at 1064960..1069056 lies below the floor "
               "1069056 that 'p' sets\n"
               "I8: peak 1069056 less floor 1069056 is below the load 4096\n"
               "I11 core 1 main: private 'p' at 1064960..1069056 meets shared "
               "'s' at 1064960..1069056 of core 0"},
        Broken{"I3EndPasses64Bits",
               [](Program& p) { MoveTo(p, "c", ~uint64_t{0} - 4094); },
               "I3: 's' (core 0 main) at 1064960..1069056 lies below the floor "
               "18446744073709551615 that 'c' sets\n"
               "I8: peak 18446744073709551615 less floor 18446744073709551615 "
               "is below the load 4096\n"
               "I3 core 0 main: 'c' at 18446744073709547521 has an end that "
               "passes 2^64 - 1"},
        Broken{
            "I3SizePasses64Bits",
            [](Program& p) {
              FindLocation(p, "c").elem_count = uint64_t{1} << 62;
              FindLocation(p, "c").elem_size = 8;
            },
            "I3: 's' (core 0 main) at 1064960..1069056 lies below the floor "
            "18446744073709551615 that 'c' sets\n"
            "I8: peak 18446744073709551615 less floor 18446744073709551615 "
            "is below the load 4096\n"
            "I3 core 0 main: 'c' at 1060864 has an end that passes 2^64 - 1"},
        Broken{
            "I4Address",
            [](Program& p) { FindLocation(p, "s", 1).address = 2000000; },
            "I4 core 1 main: copy 's' has 2000000, its owner 1064960 ('s' of "
            "core 0)"},
        Broken{
            "I4NoAddress",
            [](Program& p) { FindLocation(p, "s", 1).address.reset(); },
            "I4 core 1 main: copy 's' has no address, its owner 1064960 ('s' "
            "of core 0)"},
        Broken{
            "I4Partition",
            [](Program& p) { FindLocation(p, "s", 1).partition = 3; },
            "I4 core 1 main: copy 's' is in partition 3, its owner in 0 ('s' "
            "of core 0)"},
        Broken{"I4Bank", [](Program& p) { FindLocation(p, "s", 0).bank = 2; },
               "I4 core 1 main: copy 's' is in bank 0, its owner in 2 ('s' of "
               "core 0)"},
        Broken{
            "I4Size",
            [](Program& p) { FindLocation(p, "s", 1).elem_count = 4000; },
            "I4 core 1 main: copy 's' has 4000 bytes, its owner 4096 ('s' of "
            "core 0)"},
        Broken{"I4Dangling",
               [](Program& p) {
                 FindLocation(p, "s", 1).remote_target = RemoteTarget{0, "a"};
               },
               "I4 core 1 main: the remote targets of 's' lead to no shared "
               "location"},
        Broken{"I4Circle",
               [](Program& p) {
                 FindLocation(p, "s", 0).remote_target = RemoteTarget{1, "s"};
               },
               "I4 core 0 main: the remote targets of 's' lead to no shared "
               "location\n"
               "I4 core 1 main: the remote targets of 's' lead to no shared "
               "location"},
        Broken{"I9", [](Program& p) { MoveTo(p, "r", 20480); },
               "I9 core 0 main: 'r' at 20480..24576 would also fit at 16384",
               true},
        Broken{"I9Shared",
               [](Program& p) {
                 FindLocation(p, "s", 0).address = 1069056;
                 FindLocation(p, "s", 1).address = 1069056;
               },
               "I9: 's' (core 0 main) at 1069056..1073152 would also fit at "
               "1064960",
               true},
        Broken{"I10",
               [](Program& p) {
                 MoveTo(p, "b", 1060864);
                 MoveTo(p, "a", 16384);
                 MoveTo(p, "c", 12288);
               },
               "I10 core 0 main: 'b' at 1060864..1064960 is not in the CC "
               "region 12288..1060864"},
        Broken{"I11",
               [](Program& p) {
                 // All below the floor of all others: a pin in a pin.
                 FindLocation(p, "s", 0).address = 2048;
                 FindLocation(p, "s", 1).address = 2048;
                 FindLocation(p, "s", 0).placed_by = PlacedBy::kInput;
                 FindLocation(p, "s", 1).placed_by = PlacedBy::kInput;
                 FindLocation(p, "p", 1).address = 8192;
               },
               "I11 core 0 main: private 'w' at 4096..8192 meets shared 's' at "
               "2048..6144 of core 0"}),
    NameOf);
// --- the input beside the result ---

class BrokenAgainstInput : public ::testing::TestWithParam<Broken> {};

TEST_P(BrokenAgainstInput, IsReported) {
  const Program input = InputOfRightProgram();
  Program placed = RightProgram();
  GetParam().breaks(placed);
  EXPECT_EQ(ValidateProgram(placed, &input, Options()).ToString(),
            GetParam().report + "\n");
}

INSTANTIATE_TEST_SUITE_P(
    All, BrokenAgainstInput,
    ::testing::Values(
        Broken{"Moved", [](Program& p) { MoveTo(p, "in", 1024); },
               "I5 core 0 main: 'in' is pinned at 0 and is now at 1024"},
        Broken{"MovedThoughSaidToBePlaced",
               [](Program& p) {
                 MoveTo(p, "in", 1024);
                 FindLocation(p, "in").placed_by = PlacedBy::kBerth;
               },
               "I5 core 0 main: 'in' is pinned at 0 and is now at 1024"},
        Broken{"Unpinned",
               [](Program& p) { FindLocation(p, "in").address.reset(); },
               "I5 core 0 main: 'in' is pinned at 0 and is now without "
               "address"},
        Broken{"Resized",
               [](Program& p) { FindLocation(p, "r").elem_count = 1; },
               "I5 core 0 main: 'r' is another tensor than in the input (type, "
               "space, usage, size or alignment)"},
        Broken{"External", [](Program& p) { MoveTo(p, "out", 2048); },
               "I5 core 0 main: 'out' is not placeable and is now at 2048"},
        Broken{
            "Added",
            [](Program& p) { Main(p).locations.emplace_back().name = "new"; },
            "I5 core 0 main: 'new' is not in the input"},
        Broken{"Renamed",
               [](Program& p) { FindLocation(p, "out").name = "other"; },
               "I5 core 0 main: 'other' is not in the input (and 1 more)"},
        Broken{"DroppedUse",
               [](Program& p) {
                 Main(p).blocks[0].instructions[4].uses.pop_back();
               },
               "I5 core 0 main: block 'entry': instruction 4 is not that "
               "of the input"},
        Broken{"DroppedInstruction",
               [](Program& p) {
                 p.modules[0].functions[1].blocks[0].instructions.pop_back();
               },
               "I5 core 0 helper: block 'entry': instruction 1 of the input "
               "is missing"},
        Broken{"Looped",
               [](Program& p) {
                 p.modules[0].functions[1].blocks[0].successors = {0};
               },
               "I5 core 0 helper: block 'entry' has other successors than in "
               "the input"},
        Broken{"MissingFunction",
               [](Program& p) { p.modules[1].functions.clear(); },
               "I5 core 1: function 'main' of the input is missing"},
        Broken{"MissingCore", [](Program& p) { p.modules.pop_back(); },
               "I5 core 1: the core of the input is missing"},
        Broken{
            "AddedCore",
            [](Program& p) {
              p.modules.push_back(
                  ProgramBuilder().Core(2).Pin("x", 8, 0).Build().modules[0]);
            },
            "I5 core 2 f: 'x' is not in the input"}),
    NameOf);

TEST(ValidateAgainstInput, LostLocationIsNamed) {
  Program input = InputOfRightProgram();
  Main(input).locations.emplace_back().name = "lost";
  EXPECT_EQ(ValidateProgram(RightProgram(), &input, Options()).ToString(),
            "I5 core 0 main: 'lost' of the input is missing\n");
}

TEST(ValidateAgainstInput, OrderOfNamesIsFree) {
  Program input = InputOfRightProgram();
  std::swap(input.modules[0], input.modules[1]);
  std::swap(input.modules[1].functions[0], input.modules[1].functions[1]);
  input.modules[1].functions[1].blocks[0].instructions[1].callee = 0;
  EXPECT_EQ(ValidateProgram(RightProgram(), &input, Options()).ToString(), "");
}

// Two copies side by side, or the one that may stand in their place.
Program Copies(const AccessSpec& to, const AccessSpec& from, bool merged) {
  ProgramBuilder builder;
  builder.Loc("a", 64, PlacedAt(0)).Loc("b", 64, PlacedAt(4096));
  builder.Op({"a"}, {});
  if (merged) {
    builder.Copy(to, from);
  } else {
    builder.Copy({"b", 16, 16}, {"a", 16, 16});
    builder.Copy({"b", 0, 16}, {"a", 0, 16});
  }
  return builder.Op({}, {"b"}).Build();
}

TEST(ValidateAgainstInput, AdjacentCopiesMayBeOne) {
  const Program input = Copies("a", "b", false);
  const auto report = [&input](const AccessSpec& to, const AccessSpec& from) {
    return ValidateProgram(Copies(to, from, true), &input, Options())
        .ToString();
  };
  EXPECT_EQ(report({"b", 0, 32}, {"a", 0, 32}), "");
  const std::string broken =
      "I5 core 0 f: block 'entry': instruction 1 is not that of the "
      "input\n";
  EXPECT_EQ(report({"b", 0, 31}, {"a", 0, 31}), broken);
  EXPECT_EQ(report({"b", 0, 33}, {"a", 0, 33}), broken);
  EXPECT_EQ(report({"b", 1, 32}, {"a", 0, 32}), broken);
  EXPECT_EQ(report({"b", 1, 32}, {"a", 1, 32}), broken);
  EXPECT_EQ(report({"b", 16, 16}, {"a", 16, 16}),
            "I5 core 0 f: block 'entry': instruction 2 is not that of the "
            "input\n");
}

// `plan` clears what BERTH and SYNC placed, --keep pins it.
TEST(ValidateAgainstInput, KeepPinsEveryAddress) {
  const Program input = RightProgram();
  Program placed = RightProgram();
  FindLocation(placed, "r").address = 20480;
  ValidateOptions options = Options(false);
  EXPECT_EQ(ValidateProgram(placed, &input, options).ToString(), "");
  options.plan.keep = true;
  const Report report = ValidateProgram(placed, &input, options);
  ASSERT_EQ(report.violations.size(), 1u) << report.ToString();
  EXPECT_EQ(report.violations[0].invariant, Invariant::kI5);
  EXPECT_EQ(report.violations[0].first, "r");
}

}  // namespace
}  // namespace berth
