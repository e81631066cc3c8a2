// CSV problems: half-open lifetimes, gaps, pins, capacity, page rule.
#include "allocator/pipeline/plan_instance.h"

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "allocator/model/instance.h"
#include "allocator/model/options.h"
#include "allocator/validate/validate.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace berth {
namespace {

using ::testing::HasSubstr;

struct Result {
  absl::Status status;
  Instance instance;
  RunReport report;

  std::vector<uint64_t> offsets() const {
    std::vector<uint64_t> out;
    for (const Buffer& b : instance.buffers) out.push_back(b.offset.value());
    return out;
  }
};

Result Planned(std::vector<Buffer> buffers, const PlanOptions& options = {}) {
  Result result;
  result.instance.buffers = std::move(buffers);
  const Instance input = result.instance;
  result.status =
      PlanInstance(options, nullptr, nullptr, result.instance, result.report);
  if (result.status.ok()) {
    ValidateOptions validate;
    validate.plan = options;
    validate.full = true;
    const Report report = ValidateInstance(result.instance, &input, validate);
    EXPECT_TRUE(report.ok()) << report.ToString();
  } else {
    EXPECT_EQ(result.instance, input);
  }
  return result;
}

// In [2, 4) only the upper half of a is live: b lies in its lower half, and c,
// which meets all of a, above it. Load 10 + 4, 5 + 4 + 5, 10.
TEST(PlanInstance, WindowsLeaveTheRestOfTheBytes) {
  for (const Planner planner : {Planner::kReference, Planner::kBriggs,
                                Planner::kGreedy, Planner::kTight}) {
    PlanOptions options;
    options.planner = planner;
    Buffer a = {"a", 0, 6, 10};
    a.gaps = {{2, 4, ByteWindow{5, 10}}};
    const Result r = Planned({a, {"b", 2, 4, 5}, {"c", 1, 4, 4}}, options);
    ASSERT_TRUE(r.status.ok()) << r.status;
    EXPECT_EQ(r.report.record.lower_bound, 14u);
    EXPECT_EQ(r.report.record.peak, 14u);
    // b within a's lower half.
    EXPECT_EQ(*r.instance.buffers[1].offset, *r.instance.buffers[0].offset);
  }
}

// Load says 8, but only 4 bytes lie below the pin, which a smaller gap follows.
TEST(PlanInstance, BoundsSayWhatBinds) {
  const Result load = Planned({{"a", 0, 6, 10}, {"b", 2, 4, 5}});
  EXPECT_EQ(load.report.peak_bound, 15u);
  EXPECT_EQ(load.report.peak_bound_kind, "load");
  EXPECT_TRUE(load.report.proved_optimal);
  Buffer pin = {"pin", 0, 6, 10};
  pin.offset = 4;
  const Result pins = Planned({pin, {"a", 0, 6, 5}, {"b", 0, 6, 3}});
  ASSERT_TRUE(pins.status.ok());
  EXPECT_EQ(pins.report.record.lower_bound, 8u);
  EXPECT_EQ(pins.report.peak_bound, 19u);
  EXPECT_EQ(pins.report.peak_bound_kind, "node");
  EXPECT_TRUE(pins.report.proved_optimal);
}

// The bytes of a pinned buffer's window are avoided, and no others.
TEST(PlanInstance, WindowsOfAPinnedBuffer) {
  Buffer a = {"a", 0, 6, 10};
  a.gaps = {{2, 4, ByteWindow{5, 10}}};
  a.offset = 0;
  const Result r = Planned({a, {"b", 2, 4, 6}, {"c", 2, 3, 5}});
  ASSERT_TRUE(r.status.ok()) << r.status;
  EXPECT_EQ(*r.instance.buffers[1].offset, 10u);
  EXPECT_EQ(*r.instance.buffers[2].offset, 0u);
}

TEST(PlanInstance, F1HalfOpenEndsDoNotMeet) {
  const Result r = Planned({{"x", 0, 5, 10}, {"y", 5, 9, 10}});
  ASSERT_TRUE(r.status.ok());
  EXPECT_EQ(r.offsets(), (std::vector<uint64_t>{0, 0}));
  EXPECT_EQ(r.report.record.lower_bound, 10u);
  EXPECT_EQ(r.report.record.peak, 10u);
}

// The lower bound is 6 and reachable; what is missed is reported as a gap to
// it.
TEST(PlanInstance, F16TheGapToTheBoundIsReported) {
  const std::vector<Buffer> rows = {{"a", 0, 3, 2},
                                    {"b", 2, 5, 2},
                                    {"c", 0, 2, 3},
                                    {"d", 3, 5, 3},
                                    {"e", 1, 4, 1}};
  const Result r = Planned(rows);
  ASSERT_TRUE(r.status.ok());
  EXPECT_EQ(r.report.record.lower_bound, 6u);
  EXPECT_GE(r.report.record.peak, 6u);
  EXPECT_LE(r.report.record.peak, 8u);
}

// Nothing of g is live in [3, 6): h may share its bytes there.
TEST(PlanInstance, GapsInLifetimesAreUsed) {
  Buffer g{"g", 0, 9, 10};
  g.gaps = {{3, 6}};
  const Result r = Planned({g, {"h", 3, 6, 10}});
  ASSERT_TRUE(r.status.ok());
  EXPECT_EQ(r.offsets(), (std::vector<uint64_t>{0, 0}));
  EXPECT_EQ(r.report.record.intervals, 3u);
}

TEST(PlanInstance, PinsStayAndAreAvoidedByLiveness) {
  Buffer p{"p", 0, 10, 8};
  p.offset = 4;
  // t meets p: [0, 4) is too small, so 12. u does not: 0.
  const Result r = Planned({p, {"t", 5, 9, 6}, {"u", 10, 12, 6}});
  ASSERT_TRUE(r.status.ok());
  EXPECT_EQ(r.offsets(), (std::vector<uint64_t>{4, 12, 0}));
}

TEST(PlanInstance, ClashingPinsAreNamed) {
  Buffer p{"p", 0, 10, 8};
  p.offset = 4;
  Buffer q{"q", 9, 11, 8};
  q.offset = 11;
  EXPECT_THAT(std::string(Planned({p, q}).status.message()),
              HasSubstr("'p' at [4, 12) and 'q' at [11, 19) share bytes"));
}

TEST(PlanInstance, CapacityIsTheCeiling) {
  PlanOptions options;
  options.capacity_bytes = 15;
  const Result r = Planned({{"a", 0, 2, 10}, {"b", 1, 3, 10}}, options);
  EXPECT_TRUE(absl::IsResourceExhausted(r.status));
  EXPECT_THAT(std::string(r.status.message()),
              HasSubstr("of 10 bytes does not fit: largest gap 5 bytes, floor "
                        "0, ceiling 15"));
}

TEST(PlanInstance, AlignmentHolds) {
  Buffer b{"b", 0, 2, 8};
  b.alignment = 16;
  const Result r = Planned({{"a", 0, 2, 10}, b});
  ASSERT_TRUE(r.status.ok());
  EXPECT_EQ(r.instance.buffers[1].offset.value() % 16, 0u);
}

// --memory=dram: two objects of 3000 bytes do not share a page.
TEST(PlanInstance, DramHasThePageRule) {
  PlanOptions options;
  options.csv_memory = CsvMemory::kDram;
  options.size_rounding = SizeRounding::kNone;
  const Result r = Planned({{"a", 0, 2, 3000}, {"b", 0, 2, 3000}}, options);
  ASSERT_TRUE(r.status.ok());
  EXPECT_EQ(r.offsets(), (std::vector<uint64_t>{4096, 0}));
}

TEST(PlanInstance, ExtremeTimesAndSizesAreExact) {
  constexpr int64_t kMin = std::numeric_limits<int64_t>::min();
  constexpr int64_t kMax = std::numeric_limits<int64_t>::max();
  const uint64_t half = uint64_t{1} << 62;
  const Result r = Planned({{"a", kMin, kMax, half}, {"b", -5, 7, half - 1}});
  ASSERT_TRUE(r.status.ok()) << r.status;
  EXPECT_EQ(r.report.record.peak, 2 * half - 1);
  const Result no =
      Planned({{"a", kMin, kMax, 2 * half - 1}, {"b", -5, 7, 2 * half - 1}});
  EXPECT_TRUE(absl::IsResourceExhausted(no.status));
}

TEST(PlanInstance, NothingToPlace) {
  const Result r = Planned({});
  ASSERT_TRUE(r.status.ok());
  EXPECT_EQ(r.report.record.peak, 0u);
}

}  // namespace
}  // namespace berth
