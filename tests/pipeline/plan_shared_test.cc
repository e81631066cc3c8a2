// Placements of programs over several cores. Expected addresses are worked by
// hand in the comments: never paste what the tool prints.
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "allocator/model/options.h"
#include "allocator/model/program.h"
#include "allocator/pipeline/accounting.h"
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
constexpr uint64_t kMiB = uint64_t{1} << 20;

// Two cores hand three tensors over, each across one barrier. Phases:
//
//   core 0   def p, S  | b |          | c | use T, def U | d |
//   core 1   def q     | b | def T... | c |              | d | use U
//   phase    0           1   2          3   4              5   6
//
// S [0, 2], T [2, 4], U [4, 6]; 1, 2, 3 pages.
ProgramBuilder HandOver() {
  return ProgramBuilder()
      .Core(0)
      .Fn("main")
      .Loc("p", 2 * kPage)
      .Shared("S", kPage)
      .SharedCopy("T", 2 * kPage, 1)
      .Shared("U", 3 * kPage)
      .Op({"p"}, {})
      .Op({"S"}, {"p"})
      .Barrier("b")
      .Barrier("c")
      .Op({"U"}, {"T"})
      .Barrier("d")
      .Core(1)
      .Fn("main")
      .Loc("q", kPage)
      .SharedCopy("s", kPage, 0, "S")
      .Shared("T", 2 * kPage)
      .SharedCopy("U", 3 * kPage, 0)
      .Op({"q"}, {})
      .Barrier("b")
      .Op({"T"}, {"s", "q"})
      .Barrier("c")
      .Barrier("d")
      .Op({}, {"U"});
}

// Private: p and q at 0. The shared floor is where p ends: 2 pages. Loads by
// phase (pages): 1 1 3 2 5 3 3, so L = K = 5. Pressures: S 2, T 1 + 3 = 4, U 2.
// low: S 3, U 5; T 6 > 5. Push S (2, 1). T then has 3 + 2 = 5, low; U (2, 3)
// comes before T (3, 2). Popped T U S.
// T at 2. U meets T: 4. S meets T, not U: 4.
TEST(PlanShared, PhasesAreTimeAndOwnersArePlacedAboveEveryCore) {
  const PlannedProgram r = Planned(HandOver());
  ASSERT_TRUE(r.status.ok()) << r.status;
  EXPECT_EQ(r.at(0, "p"), 0u);
  EXPECT_EQ(r.at(1, "q"), 0u);
  EXPECT_EQ(r.at(1, "T"), 2 * kPage);
  EXPECT_EQ(r.at(0, "U"), 4 * kPage);
  EXPECT_EQ(r.at(0, "S"), 4 * kPage);
  const RunRecord& run = r.shared_record();
  EXPECT_EQ(run.floor, 2 * kPage);
  EXPECT_EQ(run.lower_bound, 5 * kPage);
  EXPECT_EQ(run.peak, 7 * kPage);
  EXPECT_EQ(run.locations, 3u);
  EXPECT_EQ(run.intervals, 3u);
  EXPECT_EQ(run.spill_bytes, 6 * kPage);
  EXPECT_TRUE(run.dram_allocation_result);
}

TEST(PlanShared, SyncGivesEveryCopyAddressPartitionAndBank) {
  Program program = HandOver().Build();
  FindLocation(program, "S", 0).partition = 3;
  FindLocation(program, "S", 0).bank = 7;
  FindLocation(program, "s", 1).bank = 9;  // the owner's counts
  const PlannedProgram r = Planned(program);
  ASSERT_TRUE(r.status.ok()) << r.status;
  const Location& owner = FindLocation(r.program, "S", 0);
  const Location& copy = FindLocation(r.program, "s", 1);
  EXPECT_EQ(owner.placed_by, PlacedBy::kBerth);
  EXPECT_EQ(copy.placed_by, PlacedBy::kSync);
  EXPECT_EQ(copy.address, owner.address);
  EXPECT_EQ(copy.partition, 3u);
  EXPECT_EQ(copy.bank, 7u);
  const Location& other = FindLocation(r.program, "U", 1);
  EXPECT_EQ(other.address, 4 * kPage);
  EXPECT_EQ(other.partition, 0u);
  EXPECT_EQ(other.bank, 0u);
  for (const Module& module : r.program.modules) {
    for (const Location& location : module.functions[0].locations) {
      EXPECT_EQ(location.shared_post_dram_alloc,
                location.space == Space::kShared)
          << location.name;
    }
  }
}

TEST(PlanShared, TheLogSaysWhoOwnsAndWhoFollows) {
  const std::string log = Planned(HandOver()).log();
  EXPECT_THAT(log, HasSubstr("core 1: Skipping shared tensor allocations on "
                             "core 1, marking as remoteLocalTarget instead\n"));
  EXPECT_THAT(log, HasSubstr("all cores: allocating spills in DRAM pre_link "
                             "mode for address space SHARED\n"));
  EXPECT_THAT(log, HasSubstr("all cores: Already used DRAM hwm: 8191\n"));
  EXPECT_THAT(log, HasSubstr("core 1 main: Assigned memloc s to address 16384 "
                             "based on its remote local target\n"));
}

// Neither the order of modules in the file nor a second planning matters.
TEST(PlanShared, ModuleOrderDoesNotMatterAndPlanningAgainGivesTheSame) {
  const PlannedProgram r = Planned(HandOver());
  Program reversed = HandOver().Build();
  std::swap(reversed.modules[0], reversed.modules[1]);
  PlannedProgram other = Planned(reversed);
  ASSERT_TRUE(other.status.ok()) << other.status;
  std::swap(other.program.modules[0], other.program.modules[1]);
  EXPECT_EQ(other.program, r.program);
  EXPECT_EQ(other.log(), r.log());
  EXPECT_EQ(Planned(r.program).program, r.program);
}

TEST(PlanShared, KeepPinsOwnersAndCopies) {
  const PlannedProgram first = Planned(HandOver());
  PlanOptions keep;
  keep.keep = true;
  const PlannedProgram r = Planned(first.program, keep);
  ASSERT_TRUE(r.status.ok()) << r.status;
  EXPECT_EQ(PlacementHash(r.program), PlacementHash(first.program));
  EXPECT_EQ(FindLocation(r.program, "s", 1).placed_by, PlacedBy::kInput);
  EXPECT_TRUE(r.shared_record().dram_allocation_result);
  EXPECT_EQ(r.shared_record().locations, 0u);
}

// Slabs of 1 MiB above the floor of 2 pages: S and U of core 0 in the first, T
// of core 1 in the second. In slab 0 L = 3; S and U never meet: both at floor.
TEST(PlanShared, SlabsGiveEachOwnerCoreItsOwnRange) {
  PlanOptions options;
  options.shared_mb_per_core = 1;
  const PlannedProgram r = Planned(HandOver(), options);
  ASSERT_TRUE(r.status.ok()) << r.status;
  EXPECT_EQ(r.at(0, "S"), 2 * kPage);
  EXPECT_EQ(r.at(0, "U"), 2 * kPage);
  EXPECT_EQ(r.at(1, "T"), 2 * kPage + kMiB);
  EXPECT_EQ(r.at(0, "T"), 2 * kPage + kMiB);
  ASSERT_EQ(r.report.runs.size(), 4u);
  const RunRecord& second = r.report.runs[3].record;
  EXPECT_EQ(second.slab, 1);
  EXPECT_EQ(second.floor, 2 * kPage + kMiB);
  EXPECT_EQ(second.ceiling, 2 * kPage + 2 * kMiB);
}

TEST(PlanShared, WhatDoesNotFitItsSlabIsNamed) {
  PlanOptions options;
  options.shared_mb_per_core = 1;
  const PlannedProgram r = Planned(ProgramBuilder()
                                       .Core(0)
                                       .Loc("p", kPage)
                                       .Op({"p"}, {})
                                       .Core(1)
                                       .Shared("big", kMiB + 1)
                                       .Op({"big"}, {}),
                                   options);
  EXPECT_TRUE(absl::IsResourceExhausted(r.status));
  EXPECT_THAT(r.message(),
              HasSubstr("shared space, slab 1: 'big' of 1052672 bytes does not "
                        "fit: largest gap 1048576 bytes, floor 1052672 (slab 1 "
                        "of 1 MiB above 4096, where 'p' of core 0 f ends at "
                        "4096), ceiling 2101248"));
  EXPECT_FALSE(FindLocation(r.program, "p").address.has_value());
  EXPECT_FALSE(FindLocation(r.program, "big", 1).shared_post_dram_alloc);
}

// A slab past the window has no room at all.
TEST(PlanShared, ASlabIsCutByTheWindow) {
  PlanOptions options;
  options.shared_mb_per_core = 1;
  options.hbm_per_core_bytes = kMiB + 2 * kPage;
  const auto program = [](uint64_t bytes) {
    return ProgramBuilder()
        .Core(0)
        .Op({}, {})
        .Core(1)
        .Shared("s", bytes)
        .Op({"s"}, {});
  };
  const PlannedProgram fits = Planned(program(2 * kPage), options);
  ASSERT_TRUE(fits.status.ok()) << fits.status;
  EXPECT_EQ(fits.at(1, "s"), kMiB);
  EXPECT_TRUE(
      absl::IsResourceExhausted(Planned(program(3 * kPage), options).status));
  options.hbm_per_core_bytes = kMiB - kPage;
  EXPECT_TRUE(absl::IsResourceExhausted(Planned(program(1), options).status));
}

// The COLLECTIVE stands on core 1, the owner on core 0 is a CC location all the
// same: at the floor, in the CC region of 1 MiB. t is none: above it.
ProgramBuilder CollectiveThroughACopy() {
  return ProgramBuilder()
      .Core(0)
      .Shared("t", kPage)
      .Shared("c", kPage)
      .Op({"t", "c"}, {})
      .Barrier("go")
      .Core(1)
      .SharedCopy("t", kPage, 0)
      .SharedCopy("c", kPage, 0)
      .Barrier("go")
      .Collective("sum", {{"c", 0, 100}}, {"c"})
      .Op({}, {"t", "c"});
}

TEST(PlanShared, ACollectiveThroughAnyCopyIsTheOwners) {
  PlanOptions options;
  options.allreduce_buffer_mib = 1;
  const PlannedProgram r = Planned(CollectiveThroughACopy(), options);
  ASSERT_TRUE(r.status.ok()) << r.status;
  EXPECT_EQ(r.at(0, "c"), 0u);
  EXPECT_EQ(r.at(0, "t"), kMiB);
  EXPECT_EQ(r.shared_record().real_cc_buffer_size, kPage);
}

// Two access records: 1 page + 1 page, and 1 page + 100 bytes: 4 pages.
TEST(PlanShared, AutoSizingCountsTheAccessesOfEveryCopy) {
  PlanOptions options;
  options.allreduce_buffer_mib = -1;
  const PlannedProgram r = Planned(CollectiveThroughACopy(), options);
  ASSERT_TRUE(r.status.ok()) << r.status;
  EXPECT_EQ(r.shared_record().cc_end, 4 * kPage);
}

// One core: its barriers are phases too, and there is nobody to sync with.
// a [0, 2], b [2, 4], c [4, 4]: c may take a's bytes.
TEST(PlanShared, OneCore) {
  const PlannedProgram r = Planned(ProgramBuilder()
                                       .Shared("a", kPage)
                                       .Shared("b", kPage)
                                       .Shared("c", kPage)
                                       .Op({"a"}, {})
                                       .Barrier("x")
                                       .Op({"b"}, {"a"})
                                       .Barrier("y")
                                       .Op({"c"}, {"b"}));
  ASSERT_TRUE(r.status.ok()) << r.status;
  EXPECT_EQ(r.shared_record().lower_bound, 2 * kPage);
  EXPECT_EQ(r.shared_record().peak, 2 * kPage);
  EXPECT_EQ(r.at("a"), r.at("c"));
  EXPECT_FALSE(FindLocation(r.program, "a").partition.has_value());
}

// The alignment of every copy holds.
TEST(PlanShared, AlignmentsOfCopiesCountToo) {
  Program program = ProgramBuilder()
                        .Core(0)
                        .Loc("p", kPage)
                        .Shared("s", kPage)
                        .Op({"p", "s"}, {})
                        .Barrier("b")
                        .Core(1)
                        .SharedCopy("s", kPage, 0)
                        .Barrier("b")
                        .Op({}, {"s"})
                        .Build();
  FindLocation(program, "s", 0).alignment = 8192;
  FindLocation(program, "s", 1).alignment = 12288;
  const PlannedProgram r = Planned(program);
  ASSERT_TRUE(r.status.ok()) << r.status;
  EXPECT_EQ(r.at(0, "s"), 24576u);
  FindLocation(program, "s", 0).alignment = uint64_t{1} << 63;
  const PlannedProgram never = Planned(program);
  EXPECT_TRUE(absl::IsInvalidArgument(never.status));
  EXPECT_THAT(never.message(), HasSubstr("no common multiple"));
}

// Pinned copies keep their address, and what they take is below the floor.
TEST(PlanShared, PinnedTensorsSetTheFloor) {
  const auto pinned = [](uint64_t address, int32_t owner = -1) {
    testing::LocationSpec spec;
    spec.space = Space::kShared;
    spec.address = address;
    spec.placed_by = PlacedBy::kInput;
    if (owner >= 0) spec.remote_target = RemoteTarget{owner, "s"};
    return spec;
  };
  const PlannedProgram r = Planned(ProgramBuilder()
                                       .Core(0)
                                       .Loc("s", kPage, pinned(kPage))
                                       .Shared("t", kPage)
                                       .Loc("p", kPage)
                                       .Op({"s", "t", "p"}, {})
                                       .Barrier("b")
                                       .Core(1)
                                       .Loc("s", kPage, pinned(kPage, 0))
                                       .Barrier("b")
                                       .Op({}, {"s"}));
  ASSERT_TRUE(r.status.ok()) << r.status;
  EXPECT_EQ(r.at(0, "s"), kPage);
  EXPECT_EQ(r.at(1, "s"), kPage);
  EXPECT_EQ(FindLocation(r.program, "s", 1).placed_by, PlacedBy::kInput);
  EXPECT_EQ(r.at(0, "p"), 2 * kPage);  // LOCAL counts pinned SHARED ones
  EXPECT_EQ(r.at(0, "t"), 3 * kPage);
}

// HandOver in a window of 6 pages: p takes 2, so K = 4. Only S is low (2 + 1).
// Then T has 3 + 2 and U 2 + 3: neither; T has the lesser hi_ratio (2 * 3, U
// 3 * 3). Popped U T S: U at 2, and above it one page is left for T. Phase 4 is
// the first with the load of 5 pages.
TEST(PlanShared, OverBudgetSaysWhatItWouldTake) {
  PlanOptions options;
  options.hbm_per_core_bytes = 6 * kPage;
  const PlannedProgram r = Planned(HandOver(), options);
  EXPECT_TRUE(absl::IsResourceExhausted(r.status));
  EXPECT_EQ(r.message(),
            "shared space: 'T' of 8192 bytes does not fit: largest gap 4096 "
            "bytes, floor 8192 ('p' of core 0 main ends at 8192), ceiling "
            "24576\n"
            "over budget: the window is 24576 bytes; without it these would be "
            "needed:\n"
            "  core 0: private peak 8192\n"
            "  core 1: private peak 4096\n"
            "  shared peak 28672\n"
            "shared space has its greatest load, 20480 bytes, first at phase "
            "4; largest of 2 live there:\n"
            "  12288 bytes 'U'\n"
            "  8192 bytes 'T'");
  // Nothing of either planning stays but the record of the run that failed.
  Program expected = HandOver().Build();
  const RunRecord failed = r.program.modules[0].functions[0].runs.at(0);
  EXPECT_FALSE(failed.dram_allocation_result);
  EXPECT_EQ(failed.space, Space::kShared);
  for (Module& module : expected.modules) module.functions[0].runs = {failed};
  EXPECT_EQ(r.program, expected);
}

// F17: 8 MiB shared by two cores are 8 MiB of the program.
TEST(PlanShared, F17SharedBytesCountOnce) {
  const PlannedProgram r = Planned(ProgramBuilder()
                                       .Core(0)
                                       .Loc("p", kPage)
                                       .Shared("S", 8 * kMiB)
                                       .Op({"S", "p"}, {})
                                       .Barrier("b")
                                       .Core(1)
                                       .Loc("p", 2 * kPage)
                                       .SharedCopy("S", 8 * kMiB, 0)
                                       .Barrier("b")
                                       .Op({"p"}, {"S"}));
  ASSERT_TRUE(r.status.ok()) << r.status;
  const MemoryUse use = MeasureUse(2, r.report);
  EXPECT_EQ(use.private_peak, (std::vector<uint64_t>{kPage, 2 * kPage}));
  EXPECT_EQ(use.shared_floor, 2 * kPage);
  EXPECT_EQ(use.shared_peak, 2 * kPage + 8 * kMiB);
  EXPECT_EQ(use.program_total, 3 * kPage + 8 * kMiB);
}

// With slabs the peak is that of the highest, the floor that of all.
TEST(PlanShared, SlabsCountFromTheCommonFloor) {
  PlanOptions options;
  options.shared_mb_per_core = 1;
  const MemoryUse use = MeasureUse(2, Planned(HandOver(), options).report);
  EXPECT_EQ(use.shared_floor, 2 * kPage);
  EXPECT_EQ(use.shared_peak, 4 * kPage + kMiB);
  EXPECT_EQ(use.program_total, 3 * kPage + 2 * kPage + kMiB);
}

// Structural gate: LOCAL is not placed, SHARED is, and the check says so.
TEST(PlanShared, WithoutLocalAllocationTheCheckNamesWhatHasNoAddress) {
  PlanOptions options;
  options.disable_dram_allocation = true;
  const PlannedProgram r = Planned(HandOver(), options);
  EXPECT_TRUE(absl::IsResourceExhausted(r.status));
  EXPECT_EQ(r.message(),
            "2 accessed locations have no address: 'p' of core 0 main, 'q' of "
            "core 1 main");
  EXPECT_FALSE(FindLocation(r.program, "S", 0).address.has_value());
  options.allow_unaddressed = true;
  const PlannedProgram allowed = Planned(HandOver(), options);
  ASSERT_TRUE(allowed.status.ok()) << allowed.status;
  EXPECT_FALSE(FindLocation(allowed.program, "p", 0).address.has_value());
  EXPECT_EQ(allowed.at(1, "T"), 0u);
}

}  // namespace
}  // namespace berth
