// Local search over orders, decoded by first fit: for problems that the section
// search cannot take (pins among the nodes, page rule on unaligned sizes, mixed
// alignments, very large live sets). Everything first fit obeys holds here too:
// pins, pages, alignment, regions, gaps in lifetimes.
//
// Thread-safety: none. Deterministic. Cost of a step: one live range placed by
// first fit. Memory: that of one first fit, and 24 bytes a node.
#ifndef BERTH_ALLOCATOR_PLACEMENT_TIGHT_ORDER_SEARCH_H_
#define BERTH_ALLOCATOR_PLACEMENT_TIGHT_ORDER_SEARCH_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "absl/types/span.h"
#include "allocator/base/rng.h"
#include "allocator/placement/problem.h"

namespace berth::tight {

// First fit of all nodes in `order` over the regions; nullopt as soon as one
// does not fit, or ends above `highest`. Adds the live ranges of the pins and
// of the nodes tried to `steps`.
std::optional<std::vector<uint64_t>> DecodeOrder(
    const Problem& problem, absl::Span<const int32_t> order, uint64_t highest,
    int64_t& steps);

class OrderSearch {
 public:
  // `problem` must outlive this and pass CheckProblem(). `addresses` is a valid
  // placement to start from; empty: there is none yet.
  OrderSearch(const Problem& problem, std::vector<uint64_t> addresses);

  // One more order is tried: a step for each live range of a pin or node, fewer
  // where it is given up. REQUIRES: there is a node.
  void Restart();

  bool found() const { return !addresses_.empty(); }
  // Highest end of a node with bytes, or 2^64 - 1 while nothing is found.
  uint64_t peak() const { return peak_; }
  const std::vector<uint64_t>& addresses() const { return addresses_; }
  int64_t steps() const { return steps_; }

 private:
  void Accept(std::vector<uint64_t> addresses);

  const Problem& problem_;
  std::vector<uint64_t> addresses_;
  uint64_t peak_;
  std::vector<int32_t> order_;  // of addresses_
  std::vector<int32_t> next_;
  int64_t steps_ = 0;
  int64_t tried_ = 0;
  Rng rng_;
};

}  // namespace berth::tight

#endif  // BERTH_ALLOCATOR_PLACEMENT_TIGHT_ORDER_SEARCH_H_
