// Every kernel of the gap scan that this machine supports, against the
// definition: entry by entry, in order of address.
#include "allocator/placement/timed_scan.h"

#include <cstdint>
#include <limits>
#include <vector>

#include "allocator/base/rng.h"
#include "gtest/gtest.h"
#include "tests/placement/timed_table.h"

namespace berth {
namespace {

constexpr uint32_t kMost = std::numeric_limits<uint32_t>::max();
constexpr int32_t kTimes = 12;

// Entries over [base, base + reach), the longest `longest`.
std::vector<TimedEntry> RandomEntries(Rng& rng, uint32_t base, uint32_t reach,
                                      uint32_t longest) {
  std::vector<TimedEntry> entries(rng.Below(120));
  for (TimedEntry& entry : entries) {
    const auto first = static_cast<int32_t>(rng.Below(kTimes));
    const auto last = static_cast<int32_t>(rng.Between(first, kTimes - 1));
    entry.lo = base + static_cast<uint32_t>(rng.Below(reach - longest));
    entry.hi = entry.lo + 1 + static_cast<uint32_t>(rng.Below(longest));
    entry.times = PackEntryTimes(first, last);
  }
  return entries;
}

void ExpectAllKernelsRight(const TimedTable& table,
                           const GapQuestion<uint32_t>& question,
                           uint32_t begin) {
  const GapAnswer want = DefinedGap(table, question, begin);
  for (const GapScan* kernel : AllGapScans()) {
    uint32_t position = begin;
    const uint32_t x = kernel->scan(table.entries(), question, position);
    ASSERT_EQ(x, want.x) << kernel->name;
    ASSERT_EQ(position, want.position) << kernel->name;
  }
}

TEST(TimedScan, EveryKernelEqualsTheDefinition) {
  int gaps = 0;
  for (uint64_t seed = 1; seed <= 3000; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Rng rng(seed);
    const uint32_t reach = 200 + static_cast<uint32_t>(rng.Below(3000));
    const uint32_t base = rng.Below(2) == 0 ? 0 : kMost - reach;
    const TimedTable table(RandomEntries(
        rng, base, reach, 1 + static_cast<uint32_t>(rng.Below(150))));
    const auto first = static_cast<int32_t>(rng.Below(kTimes));
    GapQuestion<uint32_t> question;
    question.asked = PackAskedTimes(
        first, static_cast<int32_t>(rng.Between(first, kTimes - 1)));
    question.from = base + static_cast<uint32_t>(rng.Below(reach));
    question.size = 1 + static_cast<uint32_t>(rng.Below(120));
    const auto begin = static_cast<uint32_t>(
        rng.Below(table.size() / kTimedBlock + 1) * kTimedBlock);
    ASSERT_NO_FATAL_FAILURE(ExpectAllKernelsRight(table, question, begin));
    gaps += DefinedGap(table, question, begin).position < table.size();
  }
  EXPECT_GT(gaps, 300);  // both ends of the question are met
}

TEST(TimedScan, SumsThatWrapAreNoGaps) {
  const uint32_t always = PackEntryTimes(0, kTimes - 1);
  const uint32_t asked = PackAskedTimes(0, kTimes - 1);
  const TimedTable table({{10, kMost - 5, always},
                          {kMost - 4, kMost - 2, always},
                          {kMost - 1, kMost, always}});
  for (const uint32_t size : {1u, 2u, 5u, 100u, kMost}) {
    ExpectAllKernelsRight(table, {20, size, asked}, 0);
    ExpectAllKernelsRight(table, {0, size, asked}, 0);
  }
}

TEST(TimedScan, NoEntriesAndNoneAlive) {
  const TimedTable none({});
  ExpectAllKernelsRight(none, {7, 3, PackAskedTimes(0, 3)}, 0);
  const TimedTable later({{0, 10, PackEntryTimes(5, 6)}});
  ExpectAllKernelsRight(later, {7, 3, PackAskedTimes(0, 3)}, 0);
}

TEST(TimedScan, TheBestKernelIsOneOfThem) {
  bool found = false;
  for (const GapScan* kernel : AllGapScans()) {
    found = found || kernel == &BestGapScan();
  }
  EXPECT_TRUE(found);
}

}  // namespace
}  // namespace berth
