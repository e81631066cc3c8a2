// Depth-first search for a packing of a SectionModel under a fixed capacity.
//
// The search builds packings from below and branches on sections: words and
// numbered properties stand in section_state.h (1 to 3) and branching.h (4, 5).
//
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
#include "allocator/placement/tight/branching.h"
#include "allocator/placement/tight/outcome.h"
#include "allocator/placement/tight/section_model.h"
#include "allocator/placement/tight/section_state.h"
#include "allocator/placement/tight/state_table.h"

namespace berth::tight {

// What a run prefers. Any preference is complete; which of them is quick
// differs by problem.
struct Guide {
  std::vector<int32_t> priority;  // per item: higher ones are tried first
  Preferences preferences;
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

  void Open();
  bool Enter(Frame& frame);
  void Leave(Frame& frame);
  void Unwind();

  const SectionModel& model_;
  SectionState<T> state_;
  Branching<T> branching_;
  std::vector<int64_t> area_;  // per item
  std::vector<Frame> frames_;
  std::vector<int32_t> choices_;
  const Guide* guide_ = nullptr;  // of the run
  int64_t steps_ = 0;
  int64_t placed_area_ = 0;
  int64_t best_area_ = 0;
  StateTable table_;
};

extern template class SectionSearch<int16_t>;
extern template class SectionSearch<int32_t>;
extern template class SectionSearch<int64_t>;

}  // namespace berth::tight

#endif  // BERTH_ALLOCATOR_PLACEMENT_TIGHT_SECTION_SEARCH_H_
