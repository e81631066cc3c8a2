// address_rotation_dram: addresses worked by hand, when it stands back, and
// what it saves.
#include "allocator/pipeline/address_rotation.h"

#include <cstdint>
#include <optional>
#include <string>

#include "allocator/base/int_math.h"
#include "allocator/dependence/dependence.h"
#include "allocator/dependence/program_dependences.h"
#include "allocator/gen/gen.h"
#include "allocator/model/options.h"
#include "allocator/model/program.h"
#include "allocator/placement/problem.h"
#include "allocator/simulate/simulate.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/pipeline/planned.h"
#include "tests/testing/program_builder.h"

namespace berth {
namespace {

using ::testing::HasSubstr;
using testing::Planned;
using testing::PlannedProgram;
using testing::ProgramBuilder;

constexpr uint64_t kPage = kDramPageBytes;

PlanOptions Rotate(uint64_t cap_bytes = kDefaultRotationCapBytes) {
  PlanOptions options;
  options.dram_rotation = true;
  options.dram_rotation_cap_bytes = cap_bytes;
  return options;
}

int64_t PlacementEdges(const PlannedProgram& planned) {
  const DependenceSummary found = Summarise(planned.report.dependences);
  return found.local[DependenceKind::kAnti] +
         found.local[DependenceKind::kOutput];
}

void ExpectRuns(const PlannedProgram& planned) {
  const auto run = Simulate(planned.program, planned.report.dependences, {});
  ASSERT_TRUE(run.ok()) << run.status();
  EXPECT_TRUE(run->ok()) << run->fault->message;
}

// Four tensors, one page each, one after another: all in one page, unless they
// are rotated.
ProgramBuilder OneAfterAnother() {
  ProgramBuilder b;
  for (const char* name : {"a", "b", "c", "d"}) b.Loc(name, kPage);
  for (const char* name : {"a", "b", "c", "d"}) {
    b.Op({name}, {}).Op({}, {name});
  }
  return b;
}

TEST(AddressRotation, TheCursorGoesOnAndRoundAgain) {
  const PlannedProgram still = Planned(OneAfterAnother());
  EXPECT_EQ(still.at("d"), 0u);
  EXPECT_EQ(PlacementEdges(still), 6);
  const PlannedProgram wide = Planned(OneAfterAnother(), Rotate());
  EXPECT_EQ(wide.at("a"), 0u);
  EXPECT_EQ(wide.at("b"), kPage);
  EXPECT_EQ(wide.at("c"), 2 * kPage);
  EXPECT_EQ(wide.at("d"), 3 * kPage);
  EXPECT_EQ(PlacementEdges(wide), 0);
  EXPECT_TRUE(wide.record().rotated);
  EXPECT_EQ(wide.record().peak, 4 * kPage);
  EXPECT_THAT(wide.log(), HasSubstr("6 dependences of placement before, 0 "));
  // Room for three: the fourth starts again at cc_end.
  const PlannedProgram three = Planned(OneAfterAnother(), Rotate(3 * kPage));
  EXPECT_EQ(three.at("c"), 2 * kPage);
  EXPECT_EQ(three.at("d"), 0u);
  EXPECT_EQ(PlacementEdges(three), 2);
  ExpectRuns(three);
}

TEST(AddressRotation, WithoutFewerEdgesTheOldPlacementStands) {
  const PlannedProgram one = Planned(OneAfterAnother(), Rotate(kPage));
  EXPECT_EQ(one.at("d"), 0u);
  EXPECT_FALSE(one.record().rotated);
  EXPECT_THAT(one.log(), HasSubstr("6 dependences of placement would not be "
                                   "fewer than 6"));
}

TEST(AddressRotation, WithoutRoomTheOldPlacementStands) {
  const PlannedProgram none = Planned(OneAfterAnother(), Rotate(kPage - 1));
  EXPECT_EQ(none.at("d"), 0u);
  EXPECT_FALSE(none.record().rotated);
  EXPECT_THAT(none.log(), HasSubstr("'a' would find no room"));
}

// What collectives access stays; what is pinned is avoided; w = 0 stays.
TEST(AddressRotation, CollectivesAndPinsStay) {
  ProgramBuilder b = ProgramBuilder()
                         .Pin("p", kPage, 3 * kPage)
                         .Loc("cc", kPage)
                         .Loc("a", kPage)
                         .Loc("b", kPage)
                         .Loc("empty", 0)
                         .Op({"p", "cc"}, {})
                         .Collective("sum", {"cc"}, {"cc"})
                         .Op({"a", "empty"}, {})
                         .Op({}, {"a"})
                         .Op({"b"}, {})
                         .Op({}, {"b", "p"});
  PlanOptions options = Rotate();
  options.link_mode = LinkMode::kPost;
  options.allreduce_buffer_mib = -1;  // two accesses of two pages each
  const PlannedProgram planned = Planned(b, options);
  EXPECT_EQ(planned.record().cc_end, 4 * kPage);
  EXPECT_EQ(planned.at("cc"), 0u);
  EXPECT_EQ(planned.at("a"), 4 * kPage);
  EXPECT_EQ(planned.at("b"), 5 * kPage);
  EXPECT_EQ(planned.at("empty"), 4 * kPage);
}

// A caller starts above what its callee has moved up to.
TEST(AddressRotation, CallersArePlacedAnewAboveTheirCallees) {
  ProgramBuilder b = ProgramBuilder().Fn("main").Loc("t", kPage);
  b.Op({"t"}, {}).Call("g").Op({}, {"t"}).Fn("g");
  for (const char* name : {"a", "b", "c"}) b.Loc(name, kPage);
  for (const char* name : {"a", "b", "c"}) b.Op({name}, {}).Op({}, {name});
  const PlannedProgram still = Planned(b);
  EXPECT_EQ(still.at("t", "main"), kPage);
  const PlannedProgram wide = Planned(b, Rotate());
  EXPECT_EQ(wide.at("c", "g"), 2 * kPage);
  EXPECT_EQ(wide.at("t", "main"), 3 * kPage);
  ExpectRuns(wide);
  // No room for main above it: nothing of the module has moved.
  PlanOptions options = Rotate();
  options.hbm_per_core_bytes = 3 * kPage;
  const PlannedProgram tight = Planned(b, options);
  EXPECT_EQ(tight.at("c", "g"), 0u);
  EXPECT_EQ(tight.at("t", "main"), kPage);
  EXPECT_THAT(tight.log(), HasSubstr("'main' would find no room"));
}

// The bar: with four times the peak at least half of the edges go.
TEST(AddressRotation, HalfTheEdgesOfATransformerGo) {
  for (uint64_t seed = 1; seed <= 3; ++seed) {
    GenOptions gen;
    gen.kind = "transformer";
    gen.size = 600;
    gen.seed = seed;
    const auto program = GenerateProgram(gen);
    ASSERT_TRUE(program.ok()) << program.status();
    PlanOptions options;
    options.hbm_per_core_bytes = uint64_t{1} << 45;
    options.allreduce_buffer_mib = 0;
    const PlannedProgram still = Planned(*program, options);
    options.dram_rotation = true;
    options.dram_rotation_cap_bytes = 4 * still.record().peak;
    const PlannedProgram wide = Planned(*program, options);
    EXPECT_TRUE(wide.record().rotated) << wide.log();
    EXPECT_LE(2 * PlacementEdges(wide), PlacementEdges(still))
        << "seed " << seed;
    ExpectRuns(wide);
  }
}

TEST(RotatePlacement, NamesTheNodeThatFails) {
  Problem problem;
  problem.size_bytes = {2, 2};
  problem.alignment = {1, 1};
  problem.occupied_length = {1, 1};
  problem.cc = {false, false};
  problem.live.Append({{0, 1}});
  problem.live.Append({{1, 2}});
  problem.num_times = 3;
  problem.ceiling = 10;
  Placement placement;
  placement.address = {0, 2};
  int32_t failed = -1;
  EXPECT_FALSE(RotatePlacement(problem, placement, 3, failed).has_value());
  EXPECT_EQ(failed, 1);
  EXPECT_TRUE(RotatePlacement(problem, placement, 4, failed).has_value());
}

}  // namespace
}  // namespace berth
