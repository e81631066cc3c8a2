// Depth-first search for a packing of a SectionModel under a fixed capacity.
//
// The search builds packings from below (section_state.h has the words).
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
// (6) States are remembered, by their hash, when they are exhausted, and not
//     entered again, whatever restart comes upon them. A proof therefore holds
//     up to a collision of that hash.
//
// Nothing is allocated once the vectors have grown.
//
// Thread-safety: none. Deterministic. Memory: SectionState's, and the table of
// states, at most 2^max_table_bits * 16 bytes.
#ifndef BERTH_ALLOCATOR_PLACEMENT_TIGHT_SECTION_SEARCH_H_
#define BERTH_ALLOCATOR_PLACEMENT_TIGHT_SECTION_SEARCH_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "allocator/placement/tight/section_model.h"
#include "allocator/placement/tight/section_state.h"
#include "allocator/placement/tight/state_table.h"

namespace berth::tight {

enum class Outcome : uint8_t {
  kFound,      // addresses() is a packing
  kExhausted,  // there is none
  kLimit,      // neither, within the steps given
};

// What a run prefers. Any preference is complete; which of them is quick
// differs by problem.
struct Guide {
  std::vector<int32_t> priority;  // per item: higher ones are tried first
  // Sections where n prunes fired count as (1 + n)^(eighths / 8) times easier
  // to choose.
  int32_t prune_eighths = 4;
  // How much a section that may waste bytes counts as more candidates.
  double waste_candidates = 2.0;
};

template <typename T>
class SectionSearch {
 public:
  // T as in SectionState. `model` must outlive this.
  explicit SectionSearch(const SectionModel& model);

  // Searches for a packing in [0, capacity] until `max_steps` items have been
  // tried. Starts from nothing placed; states exhausted by earlier runs at this
  // or a greater capacity, and the prunes that sections saw, are kept.
  // REQUIRES: capacity >= model.max_load; one priority per item.
  Outcome Run(T capacity, int64_t max_steps, const Guide& guide);

  // After kFound: address per item.
  absl::Span<const T> addresses() const { return state_.addresses(); }
  // Steps of all runs: items tried, and floors raised.
  int64_t steps() const { return steps_; }
  // Of the last run: the most area (size * sections) placed at one time.
  int64_t best_area() const { return best_area_; }

 private:
  static constexpr int32_t kNone = -1;
  static constexpr int32_t kWaste = -2;
  struct Frame {
    int32_t section;
    int32_t choice_begin;  // in choices_
    int32_t choice_end;
    int32_t next_choice;
    T waste_to;       // 0: no waste
    int32_t current;  // item placed by the branch being tried, or above
    uint64_t hash;
  };

  void SetEase(int32_t section);
  void Open();
  bool Enter(Frame& frame);
  void Leave(Frame& frame);
  void Unwind();
  int32_t PickSection() const;
  bool CandidatesInValley(int32_t section) const;
  T WasteTarget(int32_t section) const;

  const SectionModel& model_;
  SectionState<T> state_;
  std::vector<int64_t> area_;  // per item
  std::vector<Frame> frames_;
  std::vector<int32_t> choices_;
  const Guide* guide_ = nullptr;  // of the run
  int64_t steps_ = 0;
  int64_t placed_area_ = 0;
  int64_t best_area_ = 0;
  std::vector<double> ease_;  // per section: factor of its score
  std::vector<int64_t> prunes_;
  StateTable table_;
};

extern template class SectionSearch<int16_t>;
extern template class SectionSearch<int32_t>;
extern template class SectionSearch<int64_t>;

}  // namespace berth::tight

#endif  // BERTH_ALLOCATOR_PLACEMENT_TIGHT_SECTION_SEARCH_H_
