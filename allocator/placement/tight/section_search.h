// Depth-first search for a packing of a SectionModel under a fixed capacity.
//
// The search builds packings from below. Every section has a floor, the top of
// what is placed in it; every unplaced item a lowest address, the highest floor
// of its sections.
//
//   effective floor of a section = max(floor, least `lowest` of its unplaced)
//   valley = sections joined by unplaced items, of equal effective floor e,
//            whose joined neighbours are all higher
//
// (1) In any packing that goes on from here, the lowest unplaced item of a
//     valley's section starts at e, or above. An item with lowest = e lies
//     wholly inside the valley, so nothing unplaced can be below it.
// (2) Branching: one section of a valley is chosen. Either one of its items
// with
//     lowest = e starts at e, or e is wasted there and the floor rises: to the
//     next `lowest` in the section, or to the least end of an item outside the
//     section that may lie under one of its items (a packing in which
//     everything rests on something exists whenever any does). These branches
//     exclude each other and leave nothing out, so an exhausted search is a
//     proof.
// (3) Pruning, per section: for every address x, x + the sizes of unplaced
// items
//     with lowest >= x must not pass the capacity (one machine with release
//     dates). Only sections in which some `lowest` rose are looked at again.
// (4) The rest of the search depends only on the set of placed items (identical
//     ones being one) and the effective floors: exhausted states are remembered
//     by a 64-bit hash and not entered again, whatever restart comes upon them.
//     A proof therefore holds up to a collision of that hash.
//
// Everything is kept incrementally and undone from a trail; nothing is
// allocated once the vectors have grown.
//
// Thread-safety: none. Deterministic. Memory: O(live entries of the model) and
// the table of states, at most 2^max_table_bits * 16 bytes.
#ifndef BERTH_ALLOCATOR_PLACEMENT_TIGHT_SECTION_SEARCH_H_
#define BERTH_ALLOCATOR_PLACEMENT_TIGHT_SECTION_SEARCH_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "allocator/placement/tight/section_model.h"
#include "allocator/placement/tight/state_table.h"

namespace berth::tight {

enum class Outcome : uint8_t {
  kFound,      // addresses() is a packing
  kExhausted,  // there is none
  kLimit,      // neither, within the steps given
};

// T: int32_t or int64_t; capacity plus the largest size must fit in it.
template <typename T>
class SectionSearch {
 public:
  // `model` must outlive this.
  explicit SectionSearch(const SectionModel& model);

  // Searches for a packing in [0, capacity], trying items of higher priority
  // first, until `max_steps` items have been tried. Starts from nothing placed;
  // states exhausted by earlier runs at this or a greater capacity, and the
  // weights that sections earned, are kept.
  // REQUIRES: capacity >= model.max_load; one priority per item.
  Outcome Run(T capacity, int64_t max_steps,
              absl::Span<const int32_t> priority);

  // After kFound: address per item.
  absl::Span<const T> addresses() const { return address_; }
  // Steps of all runs: items tried, and floors raised.
  int64_t steps() const { return steps_; }
  // Of the last run: the most area (size * sections) placed at one time.
  int64_t best_area() const { return best_area_; }

 private:
  // What is kept per item.
  struct Item {
    T lowest = 0;  // maximum of T once placed
    T size = 0;
  };
  // What is kept per section.
  struct Section {
    T floor = 0;
    T remaining = 0;  // sizes of unplaced items
    T effective = 0;
    int32_t candidates = 0;  // unplaced items with lowest == effective
    int32_t live = 0;        // unplaced items
  };
  // An entry undoes one change.
  struct ItemChange {
    int32_t item;
    T lowest;
  };
  struct SectionChange {
    int32_t section;
    int32_t moved_at;  // >= 0: an item was taken out of this place
    int32_t moved_item;
    int32_t saved_begin;  // < saved_end: live list entries in saved_
    int32_t saved_count;
    Section old;
  };
  struct Risen {
    int32_t low = 0;
    int32_t high = 0;
    bool any = false;
    bool sorted = true;
    bool fits = true;
  };
  struct Frame {
    int32_t section;
    int32_t choice_begin;  // in choices_
    int32_t choice_end;
    int32_t next_choice;
    T waste_to;       // 0: no waste
    int32_t current;  // item placed by the branch being tried, or below
    int32_t item_mark;
    int32_t section_mark;
    uint64_t hash;
  };
  static constexpr int32_t kNone = -1;
  static constexpr int32_t kWaste = -2;

  bool Place(int32_t item);
  bool Waste(int32_t section, T floor);
  void LeaveBranch(Frame& frame);
  void Unwind();
  void RaiseItem(int32_t item, T to);
  bool RecheckTouched(int32_t except_item, int32_t except_section, T top);
  bool RecheckSection(int32_t section, T top);
  Risen FindRisen(int32_t section, T top) const;
  bool Fits(int32_t section, T top) const {
    return FindRisen(section, top).fits;
  }
  void NotePrune(int32_t section);
  void Refresh(int32_t section);
  SectionChange& Save(int32_t section);
  void Undo(int32_t item_mark, int32_t section_mark);
  bool CandidatesInValley(int32_t section) const;
  int32_t PickSection() const;
  T WasteTarget(int32_t section) const;
  void Open();

  const SectionModel& model_;
  const int32_t num_items_;
  const int32_t num_sections_;
  std::vector<int64_t> area_;
  std::vector<int32_t> first_section_;
  std::vector<int32_t> last_section_;
  std::vector<uint8_t> gapped_;  // covers not all sections from first to last
  bool any_gapped_ = false;
  std::vector<int32_t> twin_;          // least item of equal sections and size
  std::vector<uint64_t> item_key_;     // equal for twins; summed over placed
  std::vector<uint64_t> section_key_;  // times the effective floor, summed

  // The state.
  std::vector<Item> item_;
  std::vector<T> address_;
  std::vector<Section> section_;
  std::vector<int32_t>
      joined_;  // unplaced items that cover section i and i + 1
  // Per section its unplaced items by descending `lowest`; same offsets as
  // model_.items_of.
  std::vector<int32_t> live_;
  uint64_t hash_ = 0;
  int32_t num_placed_ = 0;
  int64_t placed_area_ = 0;
  // Sections that the last raises may have changed: [touched_lo_, touched_hi_].
  int32_t touched_lo_ = 0;
  int32_t touched_hi_ = -1;
  int32_t last_prune_ = -1;  // the section whose prune fired last

  std::vector<ItemChange> item_trail_;
  std::vector<SectionChange> section_trail_;
  std::vector<int32_t> saved_;
  std::vector<int32_t> raised_scratch_;

  std::vector<Frame> frames_;
  std::vector<int32_t> choices_;
  absl::Span<const int32_t> priority_;
  T capacity_ = 0;
  int64_t steps_ = 0;
  int64_t best_area_ = 0;
  std::vector<double> ease_;  // per section: 1 / (1 + prunes that fired there)
  std::vector<int64_t> prunes_;
  StateTable table_;
};

extern template class SectionSearch<int32_t>;
extern template class SectionSearch<int64_t>;

}  // namespace berth::tight

#endif  // BERTH_ALLOCATOR_PLACEMENT_TIGHT_SECTION_SEARCH_H_
