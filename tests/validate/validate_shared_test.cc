// The shared invariants of a program with phases: what the pipeline places is
// right, and each way in which it can be wrong is named.
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "allocator/model/options.h"
#include "allocator/model/program.h"
#include "allocator/pipeline/plan_program.h"
#include "allocator/pipeline/state.h"
#include "allocator/validate/validate.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/testing/program_builder.h"

namespace berth {
namespace {

using testing::FindLocation;
using testing::ProgramBuilder;

constexpr uint64_t kPage = 4096;
constexpr uint64_t kMiB = uint64_t{1} << 20;

// a lives in phases 0..2, b in 2..4, c in 4: p is one page, so the floor is 1.
// L = 2 pages. Pressures: a 1, b 2, c 1 page; all low but b (2 + 1 > 2). Push
// a; then b, c tie at (1, 1): b first. Popped c b a: c at 1, b at 2, a at 1.
Program Input() {
  return ProgramBuilder()
      .Core(0)
      .Loc("p", kPage)
      .Shared("a", kPage)
      .Shared("b", kPage)
      .Shared("c", kPage)
      .Op({"a", "p"}, {})
      .Barrier("x")
      .Op({"b"}, {})
      .Barrier("y")
      .Op({"c"}, {})
      .Core(1)
      .SharedCopy("a", kPage, 0)
      .SharedCopy("b", kPage, 0)
      .Barrier("x")
      .Op({}, {"a"})
      .Barrier("y")
      .Op({}, {"b"})
      .Build();
}

Program Placed(const PlanOptions& options = {}) {
  Program program = Input();
  PlanReport report;
  EXPECT_TRUE(PlanProgram(options, nullptr, nullptr, program, report).ok());
  return program;
}

std::string Check(const Program& program, bool with_input = true) {
  ValidateOptions options;
  options.full = true;
  Program input = Input();
  ClearOrPin(false, input);
  return ValidateProgram(program, with_input ? &input : nullptr, options)
      .ToString();
}

// Moves a tensor on every core.
void Move(Program& program, const std::string& name, uint64_t address) {
  for (int32_t core = 0; core < 2; ++core) {
    for (Location& location : program.modules[core].functions[0].locations) {
      if (location.name == name) location.address = address;
    }
  }
}

TEST(ValidateShared, PhasesLetTensorsShareBytes) {
  const Program program = Placed();
  EXPECT_EQ(FindLocation(program, "a").address, kPage);
  EXPECT_EQ(FindLocation(program, "b").address, 2 * kPage);
  EXPECT_EQ(FindLocation(program, "c").address, kPage);
  EXPECT_EQ(Check(program), "");
  EXPECT_EQ(Check(program, false), "");
}

// a and b meet in phase 2, on whatever core.
TEST(ValidateShared, I1AcrossCores) {
  Program program = Placed();
  Move(program, "b", kPage);
  EXPECT_EQ(Check(program),
            "I1: 'a' (core 0 f) [0..2] at 4096..8192 meets 'b' (core 0 f) "
            "[2..4] at 4096..8192\n"
            "I8: peak 8192 less floor 4096 is below the load 8192\n"
            "I8 core 0 f: the run record says peak 12288, but it is 8192\n"
            "I8 core 0 f: the run record says peak_without_cc_reserve 12288, "
            "but it is 8192\n");
}

// One core's copy alone is shifted.
TEST(ValidateShared, I4OneCopyShifted) {
  Program program = Placed();
  FindLocation(program, "a", 1).address = 3 * kPage;
  EXPECT_EQ(Check(program),
            "I4 core 1 f: copy 'a' has 12288, its owner 4096 ('a' of core "
            "0)\n");
}

// Without phases nothing shows that shared tensors are apart: that is said.
TEST(ValidateShared, RendezvousThatDoNotHoldTogetherAreAFinding) {
  const auto report = [](const Program& program) {
    return ValidateProgram(program, nullptr, ValidateOptions()).ToString();
  };
  Program program = Placed();
  EXPECT_EQ(report(program), "");
  auto& code = program.modules[1].functions[0].blocks[0].instructions;
  std::swap(code[0], code[2]);  // the barriers
  EXPECT_THAT(report(program),
              ::testing::HasSubstr("I8 and I9 hangs on that is not checked: "
                                   "cores 0 and 1 pass the rendezvous of all "
                                   "cores in different orders or numbers (2 "
                                   "and 2)"));
  std::swap(code[0], code[2]);
  // Both barriers of core 1 stand in an arm.
  std::vector<Block>& blocks = program.modules[1].functions[0].blocks;
  blocks.push_back({"exit", {}, {}});
  blocks.push_back({"arm", {1}, std::move(blocks[0].instructions)});
  blocks[0].instructions.clear();
  blocks[0].successors = {1, 2};
  EXPECT_THAT(report(program),
              ::testing::HasSubstr("core 1, function 'f': rendezvous 'x' is "
                                   "not on every path"));
  // In a loop they cut nothing, as those of core 0 do.
  blocks[0].successors = {2};
  blocks[2].successors = {2, 1};
  EXPECT_THAT(report(program), ::testing::HasSubstr("or numbers (2 and 0)"));
}

TEST(ValidateShared, I9InPhases) {
  Program program = Placed();
  Move(program, "c", 3 * kPage);
  const std::string report = Check(program);
  EXPECT_NE(report.find("I9: 'c' (core 0 f) at 12288..16384 would also fit at "
                        "4096"),
            std::string::npos)
      << report;
}

TEST(ValidateShared, SlabsAreChecked) {
  PlanOptions options;
  options.shared_mb_per_core = 1;
  Program program = Placed(options);
  EXPECT_EQ(Check(program), "");
  // A tensor of core 0 in the slab of core 1.
  Move(program, "b", kPage + kMiB);
  const std::string report = Check(program);
  EXPECT_NE(
      report.find(absl::StrCat("I3 core 0: 'b' (core 0 f) at ", kPage + kMiB)),
      std::string::npos)
      << report;
}

// The record of a slab that says it ends elsewhere.
TEST(ValidateShared, RecordsOfSlabsMustEndWhereTheNextBegins) {
  PlanOptions options;
  options.shared_mb_per_core = 1;
  Program program = ProgramBuilder()
                        .Core(0)
                        .Op({}, {})
                        .Core(1)
                        .Shared("s", kPage)
                        .Op({"s"}, {})
                        .Build();
  PlanReport report;
  ASSERT_TRUE(PlanProgram(options, nullptr, nullptr, program, report).ok());
  EXPECT_TRUE(ValidateProgram(program, nullptr, {}).ok());
  for (RunRecord& run : program.modules[1].functions[0].runs) {
    if (run.space == Space::kShared) run.ceiling += kMiB;
  }
  EXPECT_EQ(ValidateProgram(program, nullptr, {}).ToString(),
            "I3 core 1 f: the run record says ceiling 3145728, but the slab "
            "ends at 2097152\n");
}

}  // namespace
}  // namespace berth
