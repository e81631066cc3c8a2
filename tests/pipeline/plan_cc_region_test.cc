// The region for what collectives access, worked by hand.
#include <cstdint>

#include "allocator/model/options.h"
#include "allocator/model/program.h"
#include "allocator/pipeline/plan_program.h"
#include "gtest/gtest.h"
#include "tests/pipeline/planned.h"
#include "tests/testing/program_builder.h"

namespace berth {
namespace {

using testing::Planned;
using testing::PlannedProgram;
using testing::ProgramBuilder;

constexpr uint64_t kPage = 4096;

// 1 MiB of CC. c (1 page) is a collective's: at 0. t is not: at 1 MiB.
TEST(PlanProgram, CollectivesGoToTheCcRegion) {
  PlanOptions options;
  options.allreduce_buffer_mib = 1;
  const uint64_t mib = uint64_t{1} << 20;
  PlannedProgram r = Planned(ProgramBuilder()
                                 .Loc("t", 3 * kPage)
                                 .Loc("c", kPage)
                                 .Op({"t", "c"}, {})
                                 .Collective("sum", {"c"}, {"c"})
                                 .Op({}, {"t", "c"}),
                             options);
  ASSERT_TRUE(r.status.ok()) << r.status;
  EXPECT_EQ(r.at("c"), 0u);
  EXPECT_EQ(r.at("t"), mib);
  EXPECT_EQ(r.record().cc_end, mib);
  EXPECT_EQ(r.record().real_cc_buffer_size, kPage);
  EXPECT_EQ(r.record().allreduce_dram_hwm, kPage);
  EXPECT_EQ(r.record().peak, mib + 3 * kPage);
  EXPECT_EQ(r.record().peak_without_cc_reserve, 4 * kPage);
  EXPECT_EQ(r.record().cc_overflow_bytes, 0u);
  EXPECT_EQ(r.record().cc_intruder_bytes, 0u);
}

// The auto size: the collective's two accesses of c (3 pages + 3 pages each).
TEST(PlanProgram, AutoSizesTheCcRegionFromItsAccesses) {
  PlanOptions options;
  options.allreduce_buffer_mib = -1;
  PlannedProgram r = Planned(ProgramBuilder()
                                 .Loc("c", 3 * kPage)
                                 .Op({"c"}, {})
                                 .Collective("sum", {"c"}, {"c"})
                                 .Op({}, {"c"}),
                             options);
  ASSERT_TRUE(r.status.ok()) << r.status;
  EXPECT_EQ(r.record().cc_end, 12 * kPage);
}

// No CC region at all (0 MiB): c goes to the general one and is counted.
TEST(PlanProgram, CcOverflowIsCounted) {
  PlanOptions options;
  options.allreduce_buffer_mib = 0;
  PlannedProgram r = Planned(ProgramBuilder()
                                 .Loc("c", kPage)
                                 .Op({"c"}, {})
                                 .Collective("sum", {"c"}, {"c"}),
                             options);
  ASSERT_TRUE(r.status.ok()) << r.status;
  EXPECT_EQ(r.at("c"), 0u);
  EXPECT_EQ(r.record().cc_overflow_bytes, kPage);
}

// A window of 257 pages: CC [0, 256), general [256, 257). t (2 pages) does not
// fit in general: it intrudes at 0 or above c. L = 3, pressures c 2, t 1: t is
// pushed first, c pops first: 0; t then at 1.
TEST(PlanProgram, WhatDoesNotFitIntrudesIntoCc) {
  PlanOptions options;
  options.allreduce_buffer_mib = 1;
  options.hbm_per_core_bytes = 257 * kPage;
  PlannedProgram r = Planned(ProgramBuilder()
                                 .Loc("t", 2 * kPage)
                                 .Loc("c", kPage)
                                 .Op({"t", "c"}, {})
                                 .Collective("sum", {"c"}, {"c"})
                                 .Op({}, {"t", "c"}),
                             options);
  ASSERT_TRUE(r.status.ok()) << r.status;
  EXPECT_EQ(r.at("c"), 0u);
  EXPECT_EQ(r.at("t"), kPage);
  EXPECT_EQ(r.record().cc_intruder_bytes, 2 * kPage);
}

}  // namespace
}  // namespace berth
