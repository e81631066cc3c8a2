#include "allocator/pipeline/numbering.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "absl/types/span.h"
#include "allocator/base/int_math.h"
#include "allocator/liveness/liveness.h"
#include "allocator/model/check_program.h"
#include "allocator/model/intervals.h"
#include "allocator/model/options.h"
#include "allocator/model/program.h"
#include "allocator/placement/problem.h"

namespace berth {
namespace {

constexpr uint64_t kMaxBytes = std::numeric_limits<uint64_t>::max();

// Totals of metrics saturate: they are reported, never used to place.
void AddSaturating(uint64_t& total, uint64_t bytes) {
  total = CheckedAdd(total, bytes).value_or(kMaxBytes);
}

uint64_t Length(absl::Span<const Interval> runs) {
  uint64_t length = 0;
  for (const Interval& run : runs) length += run.hi - run.lo + 1;
  return length;
}

void AppendNode(const Location& location, absl::Span<const Interval> runs,
                SizeRounding rounding, Problem& problem) {
  problem.size_bytes.push_back(SearchSize(location, rounding));
  problem.alignment.push_back(location.alignment);
  problem.occupied_length.push_back(Length(runs));
  problem.cc.push_back(false);
  problem.live.Append(runs);
  problem.names.push_back(location.name);
}

// Marks the nodes that a COLLECTIVE accesses and sums what auto asks for.
void MarkCollectives(const Function& function,
                     const std::vector<int32_t>& node_of, Numbering& out) {
  uint128 bytes = 0;
  for (const Block& block : function.blocks) {
    for (const Instruction& instruction : block.instructions) {
      if (instruction.kind != InstructionKind::kCollective) continue;
      for (const auto* accesses : {&instruction.uses, &instruction.defs}) {
        for (const Access& access : *accesses) {
          const int32_t node = node_of[access.location];
          if (node < 0) continue;
          const Location& location = function.locations[access.location];
          out.problem.cc[node] = true;
          out.any_cc = true;
          bytes += location.aligned_size();
          bytes += AccessBytes(access, location);
        }
      }
    }
  }
  const uint128 page = kDramPageBytes;
  out.auto_cc_bytes = (bytes + page - 1) / page * page;
}

}  // namespace

uint64_t SearchSize(const Location& location, SizeRounding rounding) {
  return rounding == SizeRounding::kPage ? location.aligned_size()
                                         : location.byte_size();
}

Numbering NumberLocations(const Function& function, const Liveness& liveness,
                          Space space, SizeRounding rounding) {
  Numbering out;
  std::vector<int32_t> node_of(function.locations.size(), -1);
  for (int32_t i = 0; i < static_cast<int32_t>(function.locations.size());
       ++i) {
    const Location& location = function.locations[i];
    if (location.type != MemoryType::kDram || location.space != space) continue;
    const auto runs = liveness.occupied.of(i);
    if (!location.candidate(space)) {
      AddSaturating(out.dram_bytes, location.byte_size());
    }
    if (location.address.has_value()) {
      if (runs.empty()) continue;
      out.problem.pins.push_back(
          {*location.address, *location.address + location.byte_size()});
      out.problem.pin_live.Append(runs);
      continue;
    }
    if (!location.candidate(space)) {
      ++out.external;
      continue;
    }
    out.any_candidate = true;
    AddSaturating(out.spill_bytes, location.byte_size());
    AddSaturating(out.aligned_spill_bytes, location.aligned_size());
    if (!liveness.referenced[i]) {
      ++out.unreferenced;
      out.unreferenced_locations.push_back(i);
      continue;
    }
    node_of[i] = static_cast<int32_t>(out.location_of.size());
    out.location_of.push_back(i);
    AppendNode(location, runs, rounding, out.problem);
  }
  MarkCollectives(function, node_of, out);
  out.problem.num_times = function.num_instructions();
  out.problem.page_bytes = PageBytes(MemoryType::kDram);
  return out;
}

}  // namespace berth
