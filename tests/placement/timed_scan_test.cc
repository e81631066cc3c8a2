// Every kernel of the gap scan that this machine supports, against the
// definition: entry by entry, in order of address.
#include "allocator/placement/timed_scan.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "allocator/base/rng.h"
#include "gtest/gtest.h"

namespace berth {
namespace {

constexpr uint32_t kMost = std::numeric_limits<uint32_t>::max();
constexpr int32_t kTimes = 12;

struct Entry {
  uint32_t lo, hi, times;
};

// Arrays as a timed list lays them out: whole blocks, the rest never alive.
struct Table {
  std::vector<uint32_t> lo, hi, times;
  uint32_t size = 0;

  explicit Table(std::vector<Entry> entries) {
    std::sort(entries.begin(), entries.end(),
              [](const Entry& a, const Entry& b) { return a.lo < b.lo; });
    size = static_cast<uint32_t>(entries.size());
    while (entries.size() % kTimedBlock != 0) {
      entries.push_back({0, kMost, kAliveBits});  // bytes that are anything
    }
    for (const Entry& entry : entries) {
      lo.push_back(entry.lo);
      hi.push_back(entry.hi);
      times.push_back(entry.times);
    }
  }
  TimedEntries<uint32_t> entries() const {
    return {lo.data(), hi.data(), times.data(), size};
  }
};

struct Answer {
  uint32_t x;
  uint32_t position;
  bool operator==(const Answer&) const = default;
};

Answer Define(const Table& table, const GapQuestion<uint32_t>& question,
              uint32_t position) {
  uint64_t x = question.from;
  for (uint32_t i = position; i < table.size; ++i) {
    if (!AliveInPart(table.times[i], question.asked)) continue;
    if (table.lo[i] >= x + question.size) {
      return {static_cast<uint32_t>(x), i / kTimedBlock * kTimedBlock};
    }
    x = std::max<uint64_t>(x, table.hi[i]);
  }
  return {static_cast<uint32_t>(x),
          (std::max(table.size, position) + kTimedBlock - 1) / kTimedBlock *
              kTimedBlock};
}

// Entries over [base, base + reach), the longest `longest`.
std::vector<Entry> RandomEntries(Rng& rng, uint32_t base, uint32_t reach,
                                 uint32_t longest) {
  std::vector<Entry> entries(rng.Below(120));
  for (Entry& entry : entries) {
    const auto first = static_cast<int32_t>(rng.Below(kTimes));
    const auto last = static_cast<int32_t>(rng.Between(first, kTimes - 1));
    entry.lo = base + static_cast<uint32_t>(rng.Below(reach - longest));
    entry.hi = entry.lo + 1 + static_cast<uint32_t>(rng.Below(longest));
    entry.times = PackEntryTimes(first, last);
  }
  return entries;
}

void ExpectAllKernelsRight(const Table& table,
                           const GapQuestion<uint32_t>& question,
                           uint32_t begin) {
  const Answer want = Define(table, question, begin);
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
    const Table table(RandomEntries(rng, base, reach,
                                    1 + static_cast<uint32_t>(rng.Below(150))));
    const auto first = static_cast<int32_t>(rng.Below(kTimes));
    GapQuestion<uint32_t> question;
    question.asked = PackAskedTimes(
        first, static_cast<int32_t>(rng.Between(first, kTimes - 1)));
    question.from = base + static_cast<uint32_t>(rng.Below(reach));
    question.size = 1 + static_cast<uint32_t>(rng.Below(120));
    const auto begin = static_cast<uint32_t>(
        rng.Below(table.size / kTimedBlock + 1) * kTimedBlock);
    ASSERT_NO_FATAL_FAILURE(ExpectAllKernelsRight(table, question, begin));
    gaps += Define(table, question, begin).position < table.size;
  }
  EXPECT_GT(gaps, 300);  // both ends of the question are met
}

TEST(TimedScan, SumsThatWrapAreNoGaps) {
  const uint32_t always = PackEntryTimes(0, kTimes - 1);
  const uint32_t asked = PackAskedTimes(0, kTimes - 1);
  const Table table({{10, kMost - 5, always},
                     {kMost - 4, kMost - 2, always},
                     {kMost - 1, kMost, always}});
  for (const uint32_t size : {1u, 2u, 5u, 100u, kMost}) {
    ExpectAllKernelsRight(table, {20, size, asked}, 0);
    ExpectAllKernelsRight(table, {0, size, asked}, 0);
  }
}

TEST(TimedScan, NoEntriesAndNoneAlive) {
  const Table none({});
  ExpectAllKernelsRight(none, {7, 3, PackAskedTimes(0, 3)}, 0);
  const Table later({{0, 10, PackEntryTimes(5, 6)}});
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
