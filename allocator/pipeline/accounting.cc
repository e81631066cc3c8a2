#include "allocator/pipeline/accounting.h"

#include <algorithm>
#include <cstdint>

#include "allocator/base/int_math.h"
#include "allocator/model/program.h"
#include "allocator/pipeline/state.h"

namespace berth {

MemoryUse MeasureUse(int32_t num_cores, const PlanReport& report) {
  MemoryUse use;
  use.private_peak.resize(num_cores);
  for (const RunReport& run : report.runs) {
    if (run.record.space == Space::kLocal) {
      uint64_t& peak = use.private_peak[run.core];
      peak = std::max(peak, run.record.peak);
    } else {
      // A slab's floor is its own; the runs stand on the lowest of all.
      use.shared_floor = report.shared_floor;
      use.shared_peak =
          std::max({use.shared_peak, use.shared_floor, run.record.peak});
    }
  }
  const auto add = [&use](uint64_t bytes) {
    use.program_total =
        CheckedAdd(use.program_total, bytes).value_or(~uint64_t{0});
  };
  for (const uint64_t peak : use.private_peak) add(peak);
  add(use.shared_bytes());
  return use;
}

}  // namespace berth
