#include "tests/placement/timed_table.h"

#include <algorithm>
#include <limits>

namespace berth {

TimedTable::TimedTable(std::vector<TimedEntry> entries)
    : size_(static_cast<uint32_t>(entries.size())) {
  std::sort(
      entries.begin(), entries.end(),
      [](const TimedEntry& a, const TimedEntry& b) { return a.lo < b.lo; });
  while (entries.size() % kTimedBlock != 0) {
    // Bytes that are anything.
    entries.push_back({0, std::numeric_limits<uint32_t>::max(), kAliveBits});
  }
  for (const TimedEntry& entry : entries) {
    lo_.push_back(entry.lo);
    hi_.push_back(entry.hi);
    times_.push_back(entry.times);
  }
}

GapAnswer DefinedGap(const TimedTable& table,
                     const GapQuestion<uint32_t>& question, uint32_t position) {
  const TimedEntries<uint32_t> entries = table.entries();
  uint64_t x = question.from;
  for (uint32_t i = position; i < entries.size; ++i) {
    if (!AliveInPart(entries.times[i], question.asked)) continue;
    if (entries.lo[i] >= x + question.size) {
      return {static_cast<uint32_t>(x), i / kTimedBlock * kTimedBlock};
    }
    x = std::max<uint64_t>(x, entries.hi[i]);
  }
  const uint32_t end = std::max(entries.size, position);
  return {static_cast<uint32_t>(x),
          (end + kTimedBlock - 1) / kTimedBlock * kTimedBlock};
}

}  // namespace berth
