// A part of a problem: nodes that share no time with any other part, in one
// region. Says whether the section search may take it (addresses are free) and
// in which units.
//
// Thread-safety: pure functions, values.
#ifndef BERTH_ALLOCATOR_PLACEMENT_TIGHT_PART_H_
#define BERTH_ALLOCATOR_PLACEMENT_TIGHT_PART_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "absl/types/span.h"
#include "allocator/placement/problem.h"
#include "allocator/placement/tight/section_model.h"

namespace berth::tight {

// Where the addresses of a part are free: floor + any sum of units obeys the
// alignment and the page rule of every node.
struct FreeAddresses {
  uint64_t floor = 0;  // bytes; the part's floor rounded up
  uint64_t unit = 1;   // bytes
  // Bytes from floor that no pin is in the way of, and the ceiling allows.
  uint64_t room = 0;
  bool pins_above = false;  // a pin, not the ceiling, ends the room
  // Sizes had to be rounded up to the alignment: what is lost above the topmost
  // node makes bounds in units inexact.
  bool rounded = false;
  std::vector<int64_t> size_units;  // parallel to the nodes
};

// nullopt where addresses are not free, or not below 2^60 units.
// REQUIRES: all nodes have bytes.
std::optional<FreeAddresses> FindFreeAddresses(const Problem& problem,
                                               absl::Span<const int32_t> nodes,
                                               uint64_t floor,
                                               uint64_t ceiling);

// The problem of these nodes alone in [floor, ceiling), as one region, with the
// pins that meet them. Node i of it is nodes[i].
Problem SubProblem(const Problem& problem, absl::Span<const int32_t> nodes,
                   uint64_t floor, uint64_t ceiling);

}  // namespace berth::tight

#endif  // BERTH_ALLOCATOR_PLACEMENT_TIGHT_PART_H_
