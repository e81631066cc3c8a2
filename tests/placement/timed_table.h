// Entries as a timed list lays them out, and the gap scan's definition over
// them: for tests and fuzz targets that hold its kernels to it.
#ifndef BERTH_TESTS_PLACEMENT_TIMED_TABLE_H_
#define BERTH_TESTS_PLACEMENT_TIMED_TABLE_H_

#include <cstdint>
#include <vector>

#include "allocator/placement/timed_scan.h"

namespace berth {

struct TimedEntry {
  uint32_t lo, hi;  // lo < hi
  uint32_t times;   // PackEntryTimes()
};

// Arrays sorted by lo, in whole blocks; what follows the last entry is never
// alive.
class TimedTable {
 public:
  explicit TimedTable(std::vector<TimedEntry> entries);

  uint32_t size() const { return size_; }
  TimedEntries<uint32_t> entries() const {
    return {lo_.data(), hi_.data(), times_.data(), size_};
  }

 private:
  std::vector<uint32_t> lo_, hi_, times_;
  uint32_t size_;
};

struct GapAnswer {
  uint32_t x;
  uint32_t position;
  friend bool operator==(const GapAnswer&, const GapAnswer&) = default;
};

// What ScanForGap() promises, entry by entry in order of address.
GapAnswer DefinedGap(const TimedTable& table,
                     const GapQuestion<uint32_t>& question, uint32_t position);

}  // namespace berth

#endif  // BERTH_TESTS_PLACEMENT_TIMED_TABLE_H_
