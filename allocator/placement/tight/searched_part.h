// One part of a problem while planner tight works on it: its nodes, its best
// placement so far, and the search that looks for a better one.
//
// Thread-safety: none. Deterministic.
#ifndef BERTH_ALLOCATOR_PLACEMENT_TIGHT_SEARCHED_PART_H_
#define BERTH_ALLOCATOR_PLACEMENT_TIGHT_SEARCHED_PART_H_

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include "absl/types/span.h"
#include "allocator/placement/problem.h"
#include "allocator/placement/tight/order_search.h"
#include "allocator/placement/tight/part.h"
#include "allocator/placement/tight/part_search.h"
#include "allocator/placement/tight/section_model.h"

namespace berth::tight {

class SearchedPart {
 public:
  static constexpr uint64_t kNoPeak = std::numeric_limits<uint64_t>::max();

  // `piece` in [floor, ceiling), where piece.below ends at `floor`.
  // `incumbent`: addresses per node of the problem, or empty. `problem` must
  // outlive this.
  SearchedPart(const Problem& problem, Piece piece, uint64_t floor,
               uint64_t ceiling, absl::Span<const uint64_t> incumbent);

  // Goes on for a few milliseconds. A peak at `goal` is good enough.
  // REQUIRES: !done().
  void Restart(uint64_t goal);

  uint64_t peak() const { return peak_; }  // kNoPeak: nothing found
  bool done() const { return done_; }
  // done(), and found nothing because there is nothing.
  bool proved_infeasible() const { return infeasible_; }
  // No placement of this part has a lower peak (bytes).
  uint64_t lower_bound() const { return lower_bound_; }
  int64_t steps() const {
    return (exact_ ? exact_->steps() : 0) + (orders_ ? orders_->steps() : 0);
  }
  const Piece& piece() const { return piece_; }
  // Per node of the piece; empty while nothing is found.
  absl::Span<const uint64_t> addresses() const { return addresses_; }

 private:
  void OpenExact();
  void OpenOrders();
  void TakeExact();

  const Problem& problem_;
  Piece piece_;
  uint64_t floor_;
  uint64_t ceiling_;
  std::vector<uint64_t> addresses_;
  uint64_t peak_ = kNoPeak;
  uint64_t lower_bound_ = 0;
  bool done_ = false;
  bool infeasible_ = false;
  std::optional<FreeAddresses> free_;
  std::optional<SectionModel> model_;
  std::unique_ptr<PartSearch> exact_;
  std::unique_ptr<Problem> sub_;
  std::unique_ptr<OrderSearch> orders_;
};

}  // namespace berth::tight

#endif  // BERTH_ALLOCATOR_PLACEMENT_TIGHT_SEARCHED_PART_H_
