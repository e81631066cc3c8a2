// Placements of whole programs. Expected addresses are worked by hand in the
// comments: never paste what the tool prints.
#include "allocator/pipeline/plan_program.h"

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "allocator/model/options.h"
#include "allocator/model/program.h"
#include "allocator/pipeline/state.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/pipeline/planned.h"
#include "tests/testing/program_builder.h"

namespace berth {
namespace {

using testing::FindLocation;
using ::testing::HasSubstr;
using testing::Planned;
using testing::PlannedProgram;
using testing::ProgramBuilder;

constexpr uint64_t kPage = 4096;

// DESIGN.md's worked example, where each step stands.
TEST(PlanProgram, WorkedExample) {
  PlannedProgram r = Planned(ProgramBuilder()
                                 .Pin("x", 2 * kPage, 0, Usage::kInput)
                                 .Pin("w", kPage, 2 * kPage, Usage::kWeight)
                                 .Pin("y", kPage, 3 * kPage, Usage::kOutput)
                                 .Loc("h", 2 * kPage)
                                 .Loc("a", kPage)
                                 .Loc("b", 3 * kPage)
                                 .Spill("s", 600)
                                 .Loc("c", 2 * kPage)
                                 .Op({"h"}, {"x", "w"})
                                 .Op({"a"}, {"h"})
                                 .Op({"b"}, {"a"})
                                 .Op({"s"}, {"b"})
                                 .Op({"c"}, {"a"})
                                 .Op({"y"}, {"s", "c"}));
  ASSERT_TRUE(r.status.ok()) << r.status;
  EXPECT_EQ(r.at("s"), 4 * kPage);
  EXPECT_EQ(r.at("a"), 5 * kPage);
  EXPECT_EQ(r.at("b"), 6 * kPage);
  EXPECT_EQ(r.at("c"), 6 * kPage);
  EXPECT_EQ(r.at("h"), 6 * kPage);
  EXPECT_EQ(r.record().floor, 4 * kPage);
  EXPECT_EQ(r.record().lower_bound, 5 * kPage);
  EXPECT_EQ(r.record().peak, 9 * kPage);
  EXPECT_EQ(r.record().intervals, 5u);
  EXPECT_EQ(r.record().locations, 5u);
  EXPECT_EQ(r.record().spill_bytes, 8 * kPage + 600);
  EXPECT_EQ(r.record().aligned_spill_bytes, 9 * kPage);
  EXPECT_EQ(r.record().dram_bytes, 4 * kPage);
  EXPECT_TRUE(r.record().dram_allocation_result);
  EXPECT_EQ(FindLocation(r.program, "s").placed_by, PlacedBy::kBerth);
}

// Exclusive arms share bytes. p, q two pages each; t one page, over all.
// Flat: 0 def t | 1 def p, 2 use p | 3 def q, 4 use q | 5 use t.
// t occupies 0..5, p 1..2, q 3..4. L = 3 pages.
// Pressures (pages): t 4, p 1, q 1. low: p 3, q 3; t 5 > 3. p, q tie: p first.
// Then t has 2 + 1 = 3: low (2, 1), q (1, 2): q, then t. Popped t q p.
// t at 0; q meets t: 1; p meets t: 1.
TEST(PlanProgram, F6ExclusiveBranchesShareBytes) {
  PlannedProgram r = Planned(ProgramBuilder()
                                 .Loc("t", kPage)
                                 .Loc("p", 2 * kPage)
                                 .Loc("q", 2 * kPage)
                                 .Block("entry", {"then", "else"})
                                 .Op({"t"}, {})
                                 .Block("then", {"exit"})
                                 .Op({"p"}, {})
                                 .Op({}, {"p"})
                                 .Block("else", {"exit"})
                                 .Op({"q"}, {})
                                 .Op({}, {"q"})
                                 .Block("exit")
                                 .Op({}, {"t"}));
  ASSERT_TRUE(r.status.ok()) << r.status;
  EXPECT_EQ(r.at("t"), 0u);
  EXPECT_EQ(r.at("p"), kPage);
  EXPECT_EQ(r.at("q"), kPage);
  EXPECT_EQ(r.record().peak, 3 * kPage);
}

// Callees first: leaf is placed from 0, main above all that leaf occupies.
// leaf: u (1 page) at 0. main: v (1 page) over the call at page 1, and z, dead
// after instruction 0, is apart from v in time: v [0,1]? v is defined at 0 and
// used at 2, z defined and used at 3: both at page 1.
TEST(PlanProgram, FunctionsArePlacedCalleesFirstAboveOneAnother) {
  PlannedProgram r = Planned(ProgramBuilder()
                                 .Fn("main")
                                 .Loc("v", kPage)
                                 .Loc("z", kPage)
                                 .Op({"v"}, {})
                                 .Call("leaf")
                                 .Op({}, {"v"})
                                 .Op({"z"}, {})
                                 .Fn("leaf")
                                 .Loc("u", kPage)
                                 .Op({"u"}, {})
                                 .Op({}, {"u"}));
  ASSERT_TRUE(r.status.ok()) << r.status;
  ASSERT_EQ(r.report.runs.size(), 2u);
  EXPECT_EQ(r.report.runs[0].function, "leaf");
  EXPECT_EQ(r.report.runs[1].function, "main");
  EXPECT_EQ(r.at("u", "leaf"), 0u);
  EXPECT_EQ(r.at("v", "main"), kPage);
  EXPECT_EQ(r.at("z", "main"), kPage);
  EXPECT_EQ(r.report.runs[1].record.floor, kPage);
}

ProgramBuilder InputThenTemporary() {
  // a [0,1], b [1,2], T [2,3]; IN lives 0..1, W everywhere.
  return ProgramBuilder()
      .Pin("IN", 2 * kPage, 0, Usage::kInput)
      .Pin("W", kPage, 2 * kPage, Usage::kWeight)
      .Loc("a", kPage)
      .Loc("b", kPage)
      .Loc("T", 2 * kPage)
      .Op({"a"}, {"IN"})
      .Op({"b"}, {"IN", "W", "a"})
      .Op({"T"}, {"b"})
      .Op({}, {"T"});
}

TEST(PlanProgram, F10LinkModePreIsAboveWhatIsPrePlaced) {
  PlannedProgram r = Planned(InputThenTemporary());
  ASSERT_TRUE(r.status.ok()) << r.status;
  EXPECT_GE(r.at("T"), 3 * kPage);
  EXPECT_EQ(r.record().floor, 3 * kPage);
}

// L = b + T = 3 pages = K. Pressures: a 1, b 3, T 1. low: a 2, T 3; b 4 > 3.
// a (1, 1) first; then b 2 + 1 is low at (2, 1), T (1, 2): T, then b.
// Popped b T a. b meets IN (at 1), W: gaps [3, ...): 3. T meets W and b: [0, 2)
// is free after IN's last read: 0. a meets IN, W, b: 4.
TEST(PlanProgram, F10LinkModePostReusesAnInputAfterItsLastReadNeverAWeight) {
  PlanOptions options;
  options.link_mode = LinkMode::kPost;
  PlannedProgram r = Planned(InputThenTemporary(), options);
  ASSERT_TRUE(r.status.ok()) << r.status;
  EXPECT_EQ(r.at("b"), 3 * kPage);
  EXPECT_EQ(r.at("T"), 0u);
  EXPECT_EQ(r.at("a"), 4 * kPage);
  EXPECT_EQ(r.record().floor, 0u);
}

// In mode post the pins of other functions still set the floor.
TEST(PlanProgram, LinkModePostCountsPinsOfOtherFunctions) {
  PlanOptions options;
  options.link_mode = LinkMode::kPost;
  PlannedProgram r = Planned(ProgramBuilder()
                                 .Fn("f")
                                 .Pin("own", kPage, 9 * kPage)
                                 .Loc("t", kPage)
                                 .Op({"t"}, {"own"})
                                 .Fn("g")
                                 .Pin("other", kPage, 2 * kPage)
                                 .Op({}, {"other"}),
                             options);
  ASSERT_TRUE(r.status.ok()) << r.status;
  EXPECT_EQ(r.record().floor, 3 * kPage);
  EXPECT_EQ(r.at("t", "f"), 3 * kPage);
}

// 256 bytes, then one page, sizes as they are. L = 4352; both are low, T has
// the less pressure (256) and is pushed first, so s pops first: 0. T would be
// at 256 and cross a page: 4096.
TEST(PlanProgram, F13OnePageNeverStraddles) {
  PlanOptions options;
  options.size_rounding = SizeRounding::kNone;
  PlannedProgram r = Planned(ProgramBuilder()
                                 .Loc("s", 256)
                                 .Loc("T", kPage)
                                 .Op({"s", "T"}, {})
                                 .Op({}, {"s", "T"}),
                             options);
  ASSERT_TRUE(r.status.ok()) << r.status;
  EXPECT_EQ(r.at("s"), 0u);
  EXPECT_EQ(r.at("T"), kPage);
}

TEST(PlanProgram, F5SizeZeroGoesToTheStartOfItsRegion) {
  PlannedProgram r = Planned(ProgramBuilder()
                                 .Pin("w", kPage, 0, Usage::kWeight)
                                 .Loc("Z", 0)
                                 .Loc("t", kPage)
                                 .Op({"Z", "t"}, {"w"})
                                 .Op({}, {"Z", "t"}));
  ASSERT_TRUE(r.status.ok()) << r.status;
  EXPECT_EQ(r.at("Z"), kPage);
  EXPECT_EQ(r.at("t"), kPage);
  EXPECT_EQ(r.record().peak, 2 * kPage);
}

TEST(PlanProgram, F4NoUseOrNoAccessIsNamed) {
  PlannedProgram r = Planned(ProgramBuilder()
                                 .In("unused_input", kPage)
                                 .Loc("nobody", kPage)
                                 .Loc("nki", kPage, {.nki = true})
                                 .Loc("t", kPage)
                                 .Op({"t"}, {}));
  ASSERT_TRUE(r.status.ok()) << r.status;
  EXPECT_EQ(r.record().unreferenced, 2u);
  EXPECT_EQ(r.record().external, 1u);
  std::string warned;
  for (const Event& event : r.report.events) {
    if (event.kind == EventKind::kUnreferenced) warned += event.name + ";";
  }
  EXPECT_EQ(warned, "nobody;");
  EXPECT_FALSE(FindLocation(r.program, "nobody").address.has_value());
}

TEST(PlanProgram, AUseThatNoDefReachesIsNamed) {
  const PlannedProgram r = Planned(
      ProgramBuilder().Loc("t", kPage).Op("add", {}, {"t"}).Op({"t"}, {}));
  EXPECT_TRUE(absl::IsInvalidArgument(r.status));
  EXPECT_THAT(std::string(r.status.message()),
              HasSubstr("instruction 'add' uses 't', which no def reaches"));
}

// Two locations of 2^31 bytes live together: addresses pass 32 bits.
TEST(PlanProgram, F12LargeSizesAreExact) {
  const uint64_t size = uint64_t{1} << 31;
  PlannedProgram r = Planned(ProgramBuilder()
                                 .Loc("a", size)
                                 .Loc("b", size)
                                 .Op({"a", "b"}, {})
                                 .Op({}, {"a", "b"}));
  ASSERT_TRUE(r.status.ok()) << r.status;
  EXPECT_EQ(r.record().peak, 2 * size);
  EXPECT_EQ(r.record().lower_bound, 2 * size);
}

TEST(PlanProgram, WhatDoesNotFitIsNamedAndNothingIsWritten) {
  PlanOptions options;
  options.hbm_per_core_bytes = 3 * kPage;
  PlannedProgram r = Planned(ProgramBuilder()
                                 .Fn("leaf")
                                 .Loc("u", kPage)
                                 .Op({"u"}, {})
                                 .Fn("main")
                                 .Loc("big", 2 * kPage)
                                 .Loc("small", kPage)
                                 .Op({"big", "small"}, {})
                                 .Call("leaf")
                                 .Op({}, {"big", "small"}),
                             options);
  EXPECT_TRUE(absl::IsResourceExhausted(r.status));
  // Floor 1 page (leaf's u), so K = min(3, 3 - 1) = 2 pages: neither is low.
  // small has the lesser hi_ratio and is pushed first; big pops first, at 1.
  // Without a window: leaf's 1 page below main's 3 pages.
  EXPECT_EQ(std::string(r.status.message()),
            "core 0 main: 'small' of 4096 bytes does not fit: largest gap 0 "
            "bytes, floor 4096 ('u' of core 0 leaf ends at 4096), ceiling "
            "12288\n"
            "over budget: the window is 12288 bytes; without it these would be "
            "needed:\n"
            "  core 0: private peak 16384\n"
            "  shared peak 0\n"
            "core 0 main has its greatest load, 12288 bytes, first at "
            "instruction 0; largest of 2 live there:\n"
            "  8192 bytes 'big'\n"
            "  4096 bytes 'small'");
  EXPECT_FALSE(FindLocation(r.program, "u", 0, "leaf").address.has_value());
  const Module& module = r.program.modules[0];
  EXPECT_TRUE(module.functions[0].runs.empty());
  ASSERT_EQ(module.functions[1].runs.size(), 1u);
  EXPECT_FALSE(module.functions[1].runs[0].dram_allocation_result);
}

TEST(PlanProgram, EarlyExitWhenEveryCandidateHasAnAddress) {
  PlannedProgram r = Planned(ProgramBuilder().Pin("p", kPage, 5).Op({"p"}, {}));
  ASSERT_TRUE(r.status.ok()) << r.status;
  EXPECT_EQ(r.report.events.back().kind, EventKind::kNoCandidate);
  EXPECT_EQ(ToLine(r.report.events.back()),
            "core 0 f: No candidate, DRAM allocation successful");
  EXPECT_TRUE(r.record().dram_allocation_result);
  EXPECT_EQ(r.at("p"), 5u);
}

TEST(PlanProgram, PlanningAgainGivesTheSameAndKeepKeepsIt) {
  const ProgramBuilder builder = InputThenTemporary();
  PlannedProgram first = Planned(builder);
  ASSERT_TRUE(first.status.ok());
  PlanReport report;
  Program again = first.program;
  ASSERT_TRUE(PlanProgram({}, nullptr, nullptr, again, report).ok());
  EXPECT_EQ(again, first.program);
  PlanOptions keep;
  keep.keep = true;
  Program kept = first.program;
  ASSERT_TRUE(PlanProgram(keep, nullptr, nullptr, kept, report).ok());
  EXPECT_EQ(PlacementHash(kept), PlacementHash(first.program));
  EXPECT_EQ(FindLocation(kept, "T").placed_by, PlacedBy::kInput);
}

}  // namespace
}  // namespace berth
