#include "allocator/validate/cc_region.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "allocator/base/int_math.h"
#include "allocator/model/options.h"
#include "allocator/model/program.h"
#include "allocator/validate/checks.h"

namespace berth::validation {
namespace {

uint128 RoundUpToPage(uint128 bytes) {
  return (bytes + kDramPageBytes - 1) / kDramPageBytes * kDramPageBytes;
}

CollectiveAccess Measure(const Access& access, const Location& location) {
  const uint128 bytes = uint128{location.elem_count} * location.elem_size;
  return {
      .location = access.location,
      .auto_bytes = RoundUpToPage(bytes) +
                    (access.extent_bytes == 0 ? bytes : access.extent_bytes)};
}

}  // namespace

std::vector<CollectiveAccess> CollectiveAccesses(const Function& function) {
  std::vector<CollectiveAccess> accesses;
  for (const Block& block : function.blocks) {
    for (const Instruction& instruction : block.instructions) {
      if (instruction.kind != InstructionKind::kCollective) continue;
      for (const auto* list : {&instruction.defs, &instruction.uses}) {
        for (const Access& access : *list) {
          accesses.push_back(
              Measure(access, function.locations[access.location]));
        }
      }
    }
  }
  return accesses;
}

Regions RegionsByOptions(const PlanOptions& options, uint64_t floor,
                         uint64_t ceiling, bool any_cc, uint128 auto_bytes) {
  Regions regions = {.floor = floor, .cc_end = floor, .ceiling = ceiling};
  if (!any_cc || floor > ceiling) return regions;
  const int64_t mib = options.allreduce_buffer_mib;
  const uint128 limit = mib < 0 ? RoundUpToPage(auto_bytes)
                                : uint128{static_cast<uint64_t>(mib)} << 20;
  regions.cc_end =
      floor + static_cast<uint64_t>(std::min<uint128>(limit, ceiling - floor));
  return regions;
}

}  // namespace berth::validation
