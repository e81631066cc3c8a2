#include "tools/show/from_model.h"

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "allocator/gen/gen.h"
#include "allocator/model/instance.h"
#include "allocator/model/options.h"
#include "allocator/model/program.h"
#include "allocator/pipeline/plan_program.h"
#include "allocator/pipeline/state.h"
#include "gtest/gtest.h"
#include "tests/testing/program_builder.h"
#include "tools/show/memory_map.h"

namespace berth::show {
namespace {

using ::berth::testing::FindLocation;
using ::berth::testing::LocationSpec;
using ::berth::testing::ProgramBuilder;

void PlaceAt(Program& program, absl::string_view name, uint64_t address) {
  Location& location = FindLocation(program, name);
  location.address = address;
  location.placed_by = PlacedBy::kBerth;
}

const MapMark* FindMark(const MapPanel& panel, MarkKind kind) {
  for (const MapMark& mark : panel.marks) {
    if (mark.kind == kind) return &mark;
  }
  return nullptr;
}

TEST(FromProgram, DrawsEveryLiveRangeOfWhatHasAnAddress) {
  Program program = ProgramBuilder()
                        .Comment("why")
                        .Pin("p", 100, 8192)
                        .Loc("twice", 4096)
                        .Loc("cc", 5000)
                        .Loc("nowhere", 10)
                        .Weight("w", 100)
                        .Op({"p", "twice"}, {"w"})
                        .Op({"nowhere"}, {"twice", "p"})
                        .Collective("all", {"cc"}, {"nowhere"})
                        .Op({"twice"}, {"cc"})
                        .Op({}, {"twice"})
                        .Build();
  PlaceAt(program, "twice", 0);
  PlaceAt(program, "cc", 12288);
  const absl::StatusOr<MemoryMap> map = FromProgram(program, "t");
  ASSERT_TRUE(map.ok()) << map.status();
  EXPECT_EQ(map->title, "t");
  EXPECT_EQ(map->note, "why");
  ASSERT_EQ(map->panels.size(), 1u);
  const MapPanel& panel = map->panels[0];
  EXPECT_EQ(panel.title, "core 0, f");
  ASSERT_EQ(panel.ranges.size(), 4u);
  EXPECT_EQ(panel.ranges[0].label, "p");
  EXPECT_TRUE(panel.ranges[0].pinned);
  EXPECT_EQ(panel.ranges[1].label, "twice");
  EXPECT_EQ(panel.ranges[1].lo, 0);
  EXPECT_EQ(panel.ranges[1].hi, 1);
  EXPECT_EQ(panel.ranges[2].label, "twice");
  EXPECT_EQ(panel.ranges[2].lo, 3);
  EXPECT_EQ(panel.ranges[2].hi, 4);
  EXPECT_EQ(panel.ranges[3].label, "cc");
  EXPECT_TRUE(panel.ranges[3].cc);
  EXPECT_FALSE(panel.ranges[3].pinned);
  EXPECT_EQ(panel.num_unplaced, 1);  // nowhere; the weight is the runtime's
  // Without a record: derived. At 3 there are twice (4096) and cc (8192).
  EXPECT_EQ(FindMark(panel, MarkKind::kPeak)->address, 17288u);
  EXPECT_EQ(FindMark(panel, MarkKind::kLowerBound)->address, 12288u);
}

TEST(FromProgram, TakesLinesFromTheRunRecord) {
  Program program = ProgramBuilder().Loc("t", 4096).Op({"t"}, {}).Build();
  PlaceAt(program, "t", 1 << 20);
  RunRecord run;
  run.floor = 1 << 20;
  run.cc_end = 2 << 20;
  run.ceiling = uint64_t{24} << 30;
  run.lower_bound = 4096;
  run.peak = (1 << 20) + 4096;
  program.modules[0].functions[0].runs.push_back(run);
  const absl::StatusOr<MemoryMap> map = FromProgram(program, "t");
  ASSERT_TRUE(map.ok()) << map.status();
  const MapPanel& panel = map->panels[0];
  EXPECT_EQ(FindMark(panel, MarkKind::kFloor)->label, "floor 1 MiB");
  EXPECT_EQ(FindMark(panel, MarkKind::kLowerBound)->address, run.peak);
  EXPECT_EQ(FindMark(panel, MarkKind::kPeak)->label,
            "peak 1 MiB (1.000 x bound)");
  EXPECT_EQ(FindMark(panel, MarkKind::kCeiling)->label, "ceiling 24 GiB");
  ASSERT_TRUE(panel.cc_region.has_value());
  EXPECT_EQ(panel.cc_region->hi, run.cc_end);
}

TEST(FromProgram, ShowsCoresInOrderAndLeavesOutEmptyFunctions) {
  const Program program = ProgramBuilder()
                              .Core(1)
                              .Fn("b")
                              .Pin("p", 10, 0)
                              .Op({"p"}, {})
                              .Core(0)
                              .Fn("a")
                              .Pin("p", 10, 0)
                              .Op({"p"}, {})
                              .Fn("nothing")
                              .In("i", 10)
                              .Op({}, {"i"})
                              .Build();
  const absl::StatusOr<MemoryMap> map = FromProgram(program, "t");
  ASSERT_TRUE(map.ok()) << map.status();
  ASSERT_EQ(map->panels.size(), 2u);
  EXPECT_EQ(map->panels[0].title, "core 0, a");
  EXPECT_EQ(map->panels[1].title, "core 1, b");
}

TEST(FromProgram, ShowsSharedSlabsByPhasesApart) {
  GenOptions options;
  options.kind = "transformer";
  options.size = 60;
  options.cores = 2;
  absl::StatusOr<Program> program = GenerateProgram(options);
  ASSERT_TRUE(program.ok()) << program.status();
  for (const uint64_t slab_mib : {0, 1024}) {
    PlanOptions plan;
    plan.shared_mb_per_core = slab_mib;
    PlanReport report;
    ASSERT_TRUE(PlanProgram(plan, nullptr, nullptr, *program, report).ok());
    const absl::StatusOr<MemoryMap> map = FromProgram(*program, "t");
    ASSERT_TRUE(map.ok()) << map.status();
    std::vector<std::string> titles;
    for (const MapPanel& panel : map->panels) titles.push_back(panel.title);
    const std::vector<std::string> shared =
        slab_mib == 0 ? std::vector<std::string>{"shared space"}
                      : std::vector<std::string>{"shared, slab of core 0",
                                                 "shared, slab of core 1"};
    ASSERT_EQ(titles.size(), 2 + shared.size());
    for (size_t i = 0; i < shared.size(); ++i) {
      const MapPanel& panel = map->panels[2 + i];
      EXPECT_EQ(panel.title, shared[i]);
      EXPECT_EQ(panel.time_label, "phase");
      ASSERT_FALSE(panel.ranges.empty());
      const MapMark* floor = FindMark(panel, MarkKind::kFloor);
      const MapMark* peak = FindMark(panel, MarkKind::kPeak);
      ASSERT_TRUE(floor != nullptr && peak != nullptr);
      for (const MapRange& range : panel.ranges) {
        EXPECT_GE(range.address, floor->address);
        EXPECT_LE(range.address + range.size_bytes, peak->address);
      }
    }
    // No function shows what is shared.
    for (size_t core = 0; core < 2; ++core) {
      const MapMark* peak = FindMark(map->panels[core], MarkKind::kPeak);
      ASSERT_TRUE(peak != nullptr);
      for (const MapRange& range : map->panels[core].ranges) {
        if (range.pinned) continue;
        EXPECT_LE(range.address + range.size_bytes, peak->address);
      }
    }
  }
}

TEST(FromInstance, DrawsPiecesBetweenGaps) {
  Instance instance;
  instance.buffers.push_back({.id = "a",
                              .lower = -10,
                              .upper = 10,
                              .size = 4,
                              .gaps = {{-5, -2}, {0, 3}},
                              .offset = 0});
  instance.buffers.push_back(
      {.id = "b", .lower = -5, .upper = 0, .size = 3, .gaps = {}, .offset = 4});
  instance.buffers.push_back(
      {.id = "c", .lower = 0, .upper = 1, .size = 0, .gaps = {}, .offset = {}});
  const MemoryMap map = FromInstance(instance, "csv");
  ASSERT_EQ(map.panels.size(), 1u);
  const MapPanel& panel = map.panels[0];
  std::vector<std::vector<int64_t>> times;
  for (const MapRange& range : panel.ranges)
    times.push_back({range.lo, range.hi});
  EXPECT_EQ(times, (std::vector<std::vector<int64_t>>{
                       {-10, -6}, {-2, -1}, {3, 9}, {-5, -1}}));
  EXPECT_EQ(panel.num_unplaced, 1);
  EXPECT_EQ(FindMark(panel, MarkKind::kLowerBound)->address, 7u);
  EXPECT_EQ(FindMark(panel, MarkKind::kPeak)->label,
            "peak 7 B (1.000 x bound)");
}

TEST(FromInstance, SurvivesNothingAndHugeOffsets) {
  EXPECT_TRUE(FromInstance(Instance(), "t").panels.empty());
  Instance instance;
  for (const char* id : {"a", "b"}) {
    instance.buffers.push_back({.id = id,
                                .lower = 0,
                                .upper = 1,
                                .size = (uint64_t{1} << 63) - 1,
                                .gaps = {},
                                .offset = ~uint64_t{0}});
  }
  const MemoryMap map = FromInstance(instance, "t");
  EXPECT_EQ(FindMark(map.panels[0], MarkKind::kPeak)->address, ~uint64_t{0});
}

}  // namespace
}  // namespace berth::show
