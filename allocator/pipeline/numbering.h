// Dense numbering (spec §5; the source: renumber_locations): from a function
// and a space to a placement problem, and back.
//
// Thread-safety: pure functions.
#ifndef BERTH_ALLOCATOR_PIPELINE_NUMBERING_H_
#define BERTH_ALLOCATOR_PIPELINE_NUMBERING_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "allocator/liveness/liveness.h"
#include "allocator/model/options.h"
#include "allocator/model/program.h"
#include "allocator/placement/problem.h"

namespace berth {

struct Numbering {
  Problem problem;  // regions are the caller's to set
  // Node id -> index in function.locations, ascending.
  std::vector<int32_t> location_of;
  // Sum over the COLLECTIVE accesses to nodes of aligned_size + bytes accessed,
  // rounded up to a page: what --allreduce-buffer-size -1 asks for (spec §9).
  uint128 auto_cc_bytes = 0;
  bool any_cc = false;

  // What the run record counts (spec §9's metrics).
  uint64_t spill_bytes = 0;  // candidates without address
  uint64_t aligned_spill_bytes = 0;
  uint64_t dram_bytes = 0;  // other DRAM of the space
  uint64_t unreferenced = 0;
  uint64_t external = 0;
  bool any_candidate = false;  // some candidate has no address
  std::vector<int32_t> unreferenced_locations;
};

// Candidates of `space` without address and with an access get ids in file
// order; pinned DRAM locations of the space become pinned neighbours.
// `function` must outlive the result (names are views).
// Cost: O(locations + runs + accesses of COLLECTIVEs).
Numbering NumberLocations(const Function& function, const Liveness& liveness,
                          Space space, SizeRounding rounding);

// w of spec §1.
uint64_t SearchSize(const Location& location, SizeRounding rounding);

}  // namespace berth

#endif  // BERTH_ALLOCATOR_PIPELINE_NUMBERING_H_
