// Generated programs over many cores, through the whole pipeline: every rule of
// spec §10 is kept and every invariant holds, whatever kind, cores and options.
#include <algorithm>
#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "allocator/base/rng.h"
#include "allocator/gen/gen.h"
#include "allocator/model/options.h"
#include "allocator/model/program.h"
#include "allocator/rendezvous/core_order.h"
#include "gtest/gtest.h"
#include "tests/pipeline/planned.h"

namespace berth {
namespace {

using testing::Planned;
using testing::PlannedProgram;

Program Generated(const std::string& kind, int32_t cores, uint64_t seed,
                  int64_t size = 120) {
  GenOptions options;
  options.kind = kind;
  options.size = size;
  options.cores = cores;
  options.seed = seed;
  absl::StatusOr<Program> program = GenerateProgram(options);
  EXPECT_TRUE(program.ok()) << program.status();
  return *std::move(program);
}

class EveryKind : public ::testing::TestWithParam<std::string> {};

TEST_P(EveryKind, PlansOverAnyNumberOfCores) {
  for (const int32_t cores : {2, 3, 8, 64}) {
    for (uint64_t seed = 1; seed <= 3; ++seed) {
      const PlannedProgram r = Planned(Generated(GetParam(), cores, seed));
      EXPECT_TRUE(r.status.ok())
          << GetParam() << " " << cores << " " << seed << ": " << r.status;
    }
  }
}

TEST_P(EveryKind, PlansUnderEveryOption) {
  const Program program = Generated(GetParam(), 4, 7);
  for (const Planner planner : {Planner::kReference, Planner::kGreedy}) {
    for (const SizeRounding rounding :
         {SizeRounding::kPage, SizeRounding::kNone}) {
      for (const int64_t cc_mib : {int64_t{-1}, int64_t{0}, int64_t{1}}) {
        PlanOptions options;
        options.planner = planner;
        options.size_rounding = rounding;
        options.allreduce_buffer_mib = cc_mib;
        options.link_mode = LinkMode::kPost;
        options.shared_mb_per_core = cc_mib == 0 ? 2048 : 0;
        const PlannedProgram r = Planned(program, options);
        EXPECT_TRUE(r.status.ok()) << r.status;
      }
    }
  }
}

// Cores meet in loops too, where every iteration passes.
TEST(Loops, OfSplitProgramsHoldRendezvous) {
  for (uint64_t seed = 1; seed <= 3; ++seed) {
    const auto order = CoreOrder::Of(Generated("loops", 3, seed));
    ASSERT_TRUE(order.ok()) << order.status();
    EXPECT_GE(order->loops().size(), 6u) << seed;
  }
}

// The order of modules in the file changes nothing.
TEST_P(EveryKind, ModuleOrderDoesNotMatter) {
  const Program program = Generated(GetParam(), 5, 3);
  const PlannedProgram expected = Planned(program);
  ASSERT_TRUE(expected.status.ok());
  Rng rng(11);
  for (int round = 0; round < 3; ++round) {
    Program shuffled = program;
    for (size_t n = shuffled.modules.size(); n > 1; --n) {
      std::swap(shuffled.modules[n - 1], shuffled.modules[rng.Below(n)]);
    }
    PlannedProgram r = Planned(shuffled);
    ASSERT_TRUE(r.status.ok());
    std::sort(r.program.modules.begin(), r.program.modules.end(),
              [](const Module& a, const Module& b) { return a.core < b.core; });
    EXPECT_EQ(r.program, expected.program);
    EXPECT_EQ(r.log(), expected.log());
  }
}

INSTANTIATE_TEST_SUITE_P(Gen, EveryKind,
                         ::testing::Values("random", "transformer", "calls",
                                           "cnn", "loops", "branches",
                                           "adversarial", "nested"),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace berth
