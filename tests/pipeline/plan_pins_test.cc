// Pre-placed locations: what they keep, forbid and leave free. Expected
// addresses are worked by hand.
#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "allocator/model/options.h"
#include "allocator/model/program.h"
#include "allocator/pipeline/plan_program.h"
#include "allocator/pipeline/state.h"
#include "allocator/validate/validate.h"
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

constexpr uint64_t kPage = 4096;

// A pin that came with placed_by unset must not look like a placed location to
// who checks the result without the input.
TEST(PlanProgram, PinsAreMarkedSoThatAResultCanBeCheckedAlone) {
  PlannedProgram r = Planned(ProgramBuilder()
                                 .Loc("p", kPage, {.address = 5})
                                 .Loc("t", kPage)
                                 .Op({"p"}, {})
                                 .Op({"t"}, {"p"})
                                 .Op({}, {"t"}));
  ASSERT_TRUE(r.status.ok()) << r.status;
  EXPECT_EQ(r.at("p"), 5u);
  const Report alone = ValidateProgram(r.program, nullptr, {});
  EXPECT_TRUE(alone.ok()) << alone.ToString();
}

TEST(PlanProgram, F14PrePlacedCollisionNamesBoth) {
  const PlannedProgram r = Planned(ProgramBuilder()
                                       .Pin("P", 2 * kPage, kPage)
                                       .Pin("R", 2 * kPage, 2 * kPage)
                                       .Op({"P"}, {})
                                       .Op({"R"}, {})
                                       .Op({}, {"P", "R"}));
  EXPECT_TRUE(absl::IsInvalidArgument(r.status));
  EXPECT_THAT(std::string(r.status.message()),
              HasSubstr("'P' at [4096, 12288) and 'R' at [8192, 16384)"));
}

TEST(PlanProgram, PinsOfOneBytesThatAreNeverLiveTogetherAreFine) {
  const PlannedProgram r = Planned(ProgramBuilder()
                                       .Pin("P", kPage, 0)
                                       .Pin("R", kPage, 0)
                                       .Op({"P"}, {})
                                       .Op({}, {"P"})
                                       .Op({"R"}, {})
                                       .Op({}, {"R"}));
  EXPECT_TRUE(r.status.ok()) << r.status;
}

// P [100, 300) for ever. T (one page): [0, 100) is too small, 300 would cross a
// page: 4096. U (two pages): the raw start of the gap, 300.
TEST(PlanProgram, F15UnalignedPrePlacedNeighbour) {
  PlanOptions options;
  options.link_mode = LinkMode::kPost;
  PlannedProgram r = Planned(ProgramBuilder()
                                 .Pin("P", 200, 100, Usage::kWeight)
                                 .Loc("T", kPage)
                                 .Loc("U", 2 * kPage)
                                 .Op({"T"}, {"P"})
                                 .Op({}, {"T"})
                                 .Op({"U"}, {})
                                 .Op({}, {"U"}),
                             options);
  ASSERT_TRUE(r.status.ok()) << r.status;
  EXPECT_EQ(r.at("T"), kPage);
  EXPECT_EQ(r.at("U"), 300u);
}

TEST(PlanProgram, PinsPastTheWindowAndSharedAgainstLocalPins) {
  PlanOptions small;
  small.hbm_per_core_bytes = kPage;
  EXPECT_THAT(
      std::string(
          Planned(ProgramBuilder().Pin("p", kPage, 1).Op({"p"}, {}), small)
              .status.message()),
      HasSubstr("'p' at [1, 4097) of core 0 f ends past the window of 4096"));
  EXPECT_THAT(
      std::string(Planned(ProgramBuilder()
                              .Pin("p", kPage, 0)
                              .Loc("s", kPage,
                                   {.space = Space::kShared, .address = 4095})
                              .Op({"p", "s"}, {}))
                      .status.message()),
      HasSubstr("LOCAL 'p' at [0, 4096) of core 0 f and SHARED 's' at [4095, "
                "8191) of core 0 f share bytes"));
}

TEST(PlanProgram, PinsOffTheirPageAreWarnedOf) {
  const PlannedProgram r =
      Planned(ProgramBuilder().Pin("p", 200, 4000).Op({"p"}, {}));
  ASSERT_TRUE(r.status.ok());
  EXPECT_EQ(ToLine(r.report.events[1]),
            "core 0 f: warning: 'p' is pre-placed at 4000, off its page or "
            "alignment; it stays there");
}

}  // namespace
}  // namespace berth
