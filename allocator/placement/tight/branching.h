// What both searches of a SectionModel branch on, and how they choose it.
//
//   valley = sections joined by unplaced items, of equal effective floor e,
//            whose joined neighbours are all higher
//
// (4) In any packing that goes on from here, the lowest unplaced item of a
//     valley's section starts at e, or above. An item with lowest = e lies
//     wholly inside the valley, so nothing unplaced can be below it.
// (5) Branching: one section of a valley is chosen. Either one of its supported
//     items with lowest = e starts at e, or e is wasted there and the floor
//     rises: to the next `lowest` in the section, or to the least end of an
//     item outside the section that may lie under one of its items (a packing
//     in which everything rests on something exists whenever any does). These
//     branches exclude each other and leave out only packings that could be
//     moved down, so an exhausted search is a proof.
//
// Thread-safety: none. Deterministic. Cost: PickSection O(sections), the others
// O(unplaced items).
#ifndef BERTH_ALLOCATOR_PLACEMENT_TIGHT_BRANCHING_H_
#define BERTH_ALLOCATOR_PLACEMENT_TIGHT_BRANCHING_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "allocator/placement/tight/section_model.h"
#include "allocator/placement/tight/section_state.h"

namespace berth::tight {

// Which sections are preferred. Any preference is complete; which of them is
// quick differs by problem.
struct Preferences {
  // Sections where n prunes fired count as (1 + n)^(eighths / 8) times easier
  // to choose. With 0, not at all, the easier problems end soonest.
  int32_t prune_eighths = 0;
  // How much a section that may waste bytes counts as more candidates.
  double waste_candidates = 1.0;
};

template <typename T>
class Branching {
 public:
  // Looks at `state`, which must outlive this, as does its model.
  Branching(const SectionModel& model, const SectionState<T>& state);

  // For what follows. Prunes noted before still count.
  void Prefer(const Preferences& preferences);
  // For searches that begin anew.
  void ForgetPrunes() { prunes_.assign(prunes_.size(), 0); }
  // The change just refused counts for the section without room, if any.
  void NotePrune();

  // The section with the fewest branches, in some valley; those that waste, lie
  // high or have not pruned yet are put off. REQUIRES: an item is unplaced.
  int32_t PickSection() const;
  // Where the floor of `section` goes when no candidate starts at it; 0 if its
  // slack does not allow that.
  T WasteTarget(int32_t section) const;
  // Adds the supported items of the section that may start at its floor.
  void AddCandidates(int32_t section, std::vector<int32_t>& items) const;
  // Of twins among items[first...] only the first stays.
  void DropTwins(size_t first, std::vector<int32_t>& items) const;

 private:
  void SetEase(int32_t section);
  bool CandidatesInValley(int32_t section) const;

  const SectionModel& model_;
  const SectionState<T>& state_;
  Preferences preferences_;
  std::vector<double> ease_;  // per section: factor of its score
  std::vector<int64_t> prunes_;
};

extern template class Branching<int16_t>;
extern template class Branching<int32_t>;
extern template class Branching<int64_t>;

}  // namespace berth::tight

#endif  // BERTH_ALLOCATOR_PLACEMENT_TIGHT_BRANCHING_H_
