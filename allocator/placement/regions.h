// The regions of spec §9 that a node is tried in, one after another, on any
// first fit (concept: first_fit.h).
#ifndef BERTH_ALLOCATOR_PLACEMENT_REGIONS_H_
#define BERTH_ALLOCATOR_PLACEMENT_REGIONS_H_

#include <cstdint>
#include <optional>

#include "allocator/placement/problem.h"

namespace berth {

// Start of the region a node belongs to: where a node without bytes goes.
inline uint64_t OwnRegionStart(const Problem& problem, int32_t node) {
  return problem.cc[node] ? problem.floor : problem.cc_end;
}

// Where first fit puts the node: CC nodes try [floor, cc_end), then
// [cc_end, ceiling); others the two in the other order; last, both try
// [floor, ceiling). nullopt: it fits in none. w = 0: the start of its own
// region, without a search. Records nothing.
template <typename FirstFit>
std::optional<uint64_t> FindInRegions(FirstFit& first_fit,
                                      const Problem& problem, int32_t node) {
  if (problem.size_bytes[node] == 0) return OwnRegionStart(problem, node);
  const uint64_t floor = problem.floor;
  const uint64_t cc_end = problem.cc_end;
  const uint64_t ceiling = problem.ceiling;
  if (floor >= cc_end || cc_end >= ceiling) {  // one region is empty
    if (floor >= ceiling) return std::nullopt;
    return first_fit.Find(node, floor, ceiling);
  }
  const bool cc = problem.cc[node];
  std::optional<uint64_t> address = cc ? first_fit.Find(node, floor, cc_end)
                                       : first_fit.Find(node, cc_end, ceiling);
  if (!address.has_value()) {
    address = cc ? first_fit.Find(node, cc_end, ceiling)
                 : first_fit.Find(node, floor, cc_end);
  }
  if (!address.has_value()) address = first_fit.Find(node, floor, ceiling);
  return address;
}

// FindInRegions(), and the find is recorded: the node is placed. The one step
// of spec §9's selection that every planner shares.
template <typename FirstFit>
std::optional<uint64_t> PlaceNode(FirstFit& first_fit, const Problem& problem,
                                  int32_t node) {
  const std::optional<uint64_t> address =
      FindInRegions(first_fit, problem, node);
  if (address.has_value() && problem.size_bytes[node] > 0) {
    first_fit.Place(node, *address);
  }
  return address;
}

}  // namespace berth

#endif  // BERTH_ALLOCATOR_PLACEMENT_REGIONS_H_
