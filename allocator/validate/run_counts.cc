#include "allocator/validate/run_counts.h"

#include <algorithm>
#include <cstdint>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "allocator/base/int_math.h"
#include "allocator/model/program.h"
#include "allocator/validate/findings.h"
#include "allocator/validate/program_facts.h"
#include "allocator/validate/validate.h"

namespace berth::validation {

void RunCounts::Add(const Location& location, Role role, bool accessed) {
  const uint128 bytes = uint128{location.elem_count} * location.elem_size;
  if (!location.placeable()) {
    dram_bytes += bytes;
    if (!location.address) ++external;
    return;
  }
  if (role != Role::kPlaced && role != Role::kOpen) return;
  const uint128 page = PageBytes(location.type);
  spill_bytes += bytes;
  aligned_spill_bytes += (bytes + page - 1) / page * page;
  ++(accessed ? locations : unreferenced);
}

void CheckCounts(const RunRecord& record, const RunCounts& counts,
                 const Where& where, Findings* findings) {
  const auto equal = [&](absl::string_view field, uint64_t said, uint128 is) {
    findings->AddUnlessEqual(where, Invariant::kI8, field, said,
                             std::min<uint128>(is, ~uint64_t{0}));
  };
  equal("spill_bytes", record.spill_bytes, counts.spill_bytes);
  equal("aligned_spill_bytes", record.aligned_spill_bytes,
        counts.aligned_spill_bytes);
  equal("dram_bytes", record.dram_bytes, counts.dram_bytes);
  equal("unreferenced", record.unreferenced, counts.unreferenced);
  equal("external", record.external, counts.external);
  if (!record.dram_allocation_result) return;  // the rest was not reached
  equal("locations", record.locations, counts.locations);
  // What clean-up merged may be live in more pieces than what was placed.
  if (record.cleaned || record.intervals >= counts.live_ranges) return;
  findings->Add(
      where, Invariant::kI8,
      absl::StrCat("the run record says intervals ", record.intervals,
                   ", but there are ", counts.live_ranges, " live ranges"));
}

}  // namespace berth::validation
