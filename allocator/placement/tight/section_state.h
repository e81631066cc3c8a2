// A partial packing of a SectionModel under a capacity, changed by one placed
// item or one wasted floor at a time and changed back.
//
// Packings grow from below. Each unplaced item has a lowest address: the
// highest end of what is placed, or wasted, in its sections. What follows of a
// section
//
//   effective floor  least lowest address of its unplaced items
//   candidates       number of its unplaced items whose lowest address that is
//
// is recomputed where a change may have reached, one vector of sections at a
// time: an item's row holds its size in the sections that it covers and 0 in
// those between. That needs unplaced items in the order of their lowest
// addresses, which is kept.
//
// (1) A change is refused if it leaves some section without room: for an
// address x, x + the sizes of its unplaced items with lowest >= x must not pass
// the capacity (one machine with release dates). (2) Wasting bytes is refused
// if an item could have lain in them with nothing else moved: then a packing
// with it there exists whenever any does. (3) An item whose lowest address was
// wasted up to, and on which no placed item ends, is unsupported: it could be
// moved down.
//
// Under TrackStrain() two more are kept of a section: its completion, the
// highest x + sizes of (1), and from that the strain of the state, the sum over
// sections of a function of the room that is left: how near prunes are. A
// section without unplaced items keeps the completion that it had.
//
// hash() depends on the set of placed items (identical items being one), and on
// the lowest address and support of the others: that is all that decides what
// can still be done.
//
// Thread-safety: none. Cost of a change: O(unplaced items + sections of those
// that share a time with what changed / items per vector). Memory: rows, which
// take sizeof(T) bytes per item and section from its first to its last.
#ifndef BERTH_ALLOCATOR_PLACEMENT_TIGHT_SECTION_STATE_H_
#define BERTH_ALLOCATOR_PLACEMENT_TIGHT_SECTION_STATE_H_

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "absl/types/span.h"
#include "allocator/placement/tight/section_model.h"

namespace berth::tight {

// T: int16_t, int32_t or int64_t; capacity plus the largest size must be less
// than its maximum.
template <typename T>
class SectionState {
 public:
  static constexpr T kPlaced = std::numeric_limits<T>::max();
  // The strain of a section without room.
  static constexpr int64_t kStrainUnit = 1 << 16;
  static constexpr int32_t kNone = -1;

  // `model` must outlive this.
  explicit SectionState(const SectionModel& model);

  // REQUIRES: nothing is placed or wasted; capacity >= model.max_load.
  void SetCapacity(T capacity) { capacity_ = capacity; }
  T capacity() const { return capacity_; }

  // Places an unplaced item at its lowest address. False if refused: then only
  // Undo() may follow.
  // REQUIRES: no section of the item has a lower effective floor than that.
  bool Place(int32_t item);
  // No unplaced item of the section starts below `floor`. Like Place().
  // REQUIRES: floor is above the section's effective floor, and no item of the
  // section has its lowest address strictly between.
  bool Waste(int32_t section, T floor);
  // Takes back the last Place() or Waste() that was not.
  void Undo();

  // From now on completions and strain() are kept; strain falls by the room of
  // a section (capacity - completion) as kStrainUnit * half / (room + half):
  // half is the room, in units, that halves it. REQUIRES: as SetCapacity().
  void TrackStrain(T half);
  int64_t strain() const { return now_.strain; }
  T completion(int32_t section) const { return now_.completion[section]; }

  // All that changes make, to come back to whichever way. Undo() reaches back
  // to the last Load() only. Capacity and strain must be as when it was saved.
  struct Snapshot {
    struct Item {
      T lowest = 0;  // kPlaced once placed
      T size = 0;
      int32_t first = 0;  // sections
      int32_t last = 0;
    };
    std::vector<Item> item;
    std::vector<T> address;
    std::vector<uint8_t> unsupported;
    std::vector<int32_t> order;  // unplaced from num_placed on, a sentinel last
    std::vector<T> effective;
    std::vector<T> candidates;
    std::vector<T> remaining;
    std::vector<int32_t> joined;
    std::vector<T> completion;
    int32_t num_unsupported = 0;
    int32_t num_placed = 0;
    uint64_t hash = 0;
    int64_t strain = 0;
  };
  void Save(Snapshot& snapshot) const;
  void Load(const Snapshot& snapshot);
  static size_t SnapshotBytes(const SectionModel& model);

  // After a refusal: the section without room; kNone: refused by rule (2).
  int32_t failed_section() const { return failed_section_; }

  int32_t num_placed() const { return now_.num_placed; }
  uint64_t hash() const { return now_.hash; }
  T lowest(int32_t item) const { return now_.item[item].lowest; }
  T size(int32_t item) const { return now_.item[item].size; }
  int32_t first_section(int32_t item) const { return now_.item[item].first; }
  int32_t last_section(int32_t item) const { return now_.item[item].last; }
  bool gapped(int32_t item) const { return gapped_[item]; }
  bool any_gapped() const { return any_gapped_; }
  bool unsupported(int32_t item) const { return now_.unsupported[item]; }
  // The first of the items that equal this one.
  int32_t twin(int32_t item) const { return twin_[item]; }
  bool Covers(int32_t item, int32_t section) const;
  // Unplaced items with lowest address >= `from`, ascending by it.
  absl::Span<const int32_t> UnplacedFrom(T from) const;

  // Per section. Without unplaced items `effective` is kPlaced and `remaining`,
  // the sizes of unplaced items, is 0.
  T effective(int32_t section) const { return now_.effective[section]; }
  T remaining(int32_t section) const { return now_.remaining[section]; }
  T candidates(int32_t section) const { return now_.candidates[section]; }
  // Unplaced items that cover this section and the next.
  int32_t joined(int32_t section) const { return now_.joined[section]; }

  // Address per item, of placed ones.
  absl::Span<const T> addresses() const { return now_.address; }

 private:
  using Item = typename Snapshot::Item;
  struct Risen {
    int32_t item;
    int32_t position;  // in order, before
    T lowest;          // before
    bool unsupported;  // before
  };
  // What Undo() needs of one change.
  struct Change {
    int32_t item = kNone;  // placed, or none
    int32_t position = 0;  // of it in order, before
    int32_t end = 0;       // place in order behind those that rose
    int32_t num_risen = 0;
    int32_t num_supported = 0;  // in supported_
    int32_t saved_first = 0;    // sections whose state is in saved_
    int32_t saved_count = 0;
    int32_t num_unsupported = 0;  // before
    uint64_t hash = 0;            // before
    int64_t strain = 0;           // before
  };

  bool Share(int32_t item, int32_t other) const;
  void NewChange(int32_t item);
  void RestoreOrder(const Change& change);
  template <bool kGapped>
  void Raise(int32_t item, int32_t section, T bottom, T top);
  void NoteRisen(T top, bool by_waste);
  void Support(int32_t item, T top);
  bool HasRoom(T from);
  int32_t SectionOver(int32_t at);
  bool Refresh(T from, int32_t first, int32_t last);
  template <bool kStrain>
  bool RefreshAs(int32_t first, int32_t last);
  int64_t StrainOf(T completion) const;
  bool SomeRisenFits(T bottom) const;
  template <bool kAdd>
  void ChangeBy(int32_t item);
  void TakeRow(int32_t item);
  void AddRow(int32_t item);

  const SectionModel& model_;
  T capacity_ = 0;
  std::vector<uint8_t> gapped_;
  bool any_gapped_ = false;
  std::vector<int32_t> twin_;
  std::vector<T> rows_;
  std::vector<size_t> row_begin_;  // per item, in rows_
  std::vector<uint64_t> placed_key_;
  std::vector<uint64_t> lowest_key_;
  std::vector<uint64_t> unsupported_key_;

  Snapshot now_;
  bool tracks_strain_ = false;
  std::vector<int32_t> strain_of_;  // per room >> room_shift_
  int32_t room_shift_ = 0;

  std::vector<Change> changes_;
  std::vector<Risen> risen_;
  size_t num_risen_ = 0;  // used part of risen_
  std::vector<int32_t> supported_;
  std::vector<T> saved_;
  int32_t failed_section_ = kNone;
  // Sections of the items that rose last.
  int32_t touched_first_ = 0;
  int32_t touched_last_ = -1;
  std::vector<T> above_;  // scratch, per section
  std::vector<T> new_effective_;
  std::vector<T> new_candidates_;
  std::vector<T> new_completion_;
};

extern template class SectionState<int16_t>;
extern template class SectionState<int32_t>;
extern template class SectionState<int64_t>;

}  // namespace berth::tight

#endif  // BERTH_ALLOCATOR_PLACEMENT_TIGHT_SECTION_STATE_H_
