// How much memory a planned program takes (spec §10): private bytes per core,
// shared bytes once.
//
// Thread-safety: pure functions.
#ifndef BERTH_ALLOCATOR_PIPELINE_ACCOUNTING_H_
#define BERTH_ALLOCATOR_PIPELINE_ACCOUNTING_H_

#include <cstdint>
#include <vector>

#include "allocator/pipeline/state.h"

namespace berth {

struct MemoryUse {
  // By core: the highest peak of its LOCAL runs, 0 without any.
  std::vector<uint64_t> private_peak;
  // Highest peak of the SHARED runs, and the floor that they all stand on; both
  // 0 without any.
  uint64_t shared_peak = 0;
  uint64_t shared_floor = 0;
  // Sum of private peaks + shared bytes; saturates at 2^64 - 1.
  uint64_t program_total = 0;

  uint64_t shared_bytes() const { return shared_peak - shared_floor; }
};

// Cost: O(runs + cores).
MemoryUse MeasureUse(int32_t num_cores, const PlanReport& report);

}  // namespace berth

#endif  // BERTH_ALLOCATOR_PIPELINE_ACCOUNTING_H_
