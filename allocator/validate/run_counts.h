// What a run record counts (spec §9's metrics), counted anew from the program.
#ifndef BERTH_ALLOCATOR_VALIDATE_RUN_COUNTS_H_
#define BERTH_ALLOCATOR_VALIDATE_RUN_COUNTS_H_

#include <cstdint>

#include "allocator/base/int_math.h"
#include "allocator/model/program.h"
#include "allocator/validate/findings.h"
#include "allocator/validate/program_facts.h"

namespace berth::validation {

struct RunCounts {
  uint128 spill_bytes = 0;          // of candidates that are not pinned
  uint128 aligned_spill_bytes = 0;  // the same, each rounded up to its page
  uint128 dram_bytes = 0;           // of what is not placeable
  uint64_t locations = 0;           // candidates that are accessed
  uint64_t unreferenced = 0;        // candidates that are not
  uint64_t external = 0;            // not placeable, left to the runtime
  uint64_t live_ranges = 0;         // of the accessed candidates

  // Counts one DRAM location of the run's space; `live_ranges` is the caller's.
  void Add(const Location& location, Role role, bool accessed);
};

// That the record's counts are these (I8); sums of bytes saturate at 2^64 - 1.
// Its intervals may be more than the live ranges, which per-edge emission cuts.
void CheckCounts(const RunRecord& record, const RunCounts& counts,
                 const Where& where, Findings* findings);

}  // namespace berth::validation

#endif  // BERTH_ALLOCATOR_VALIDATE_RUN_COUNTS_H_
