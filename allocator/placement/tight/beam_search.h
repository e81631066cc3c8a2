// Beam search for a packing of a SectionModel under a fixed capacity: many
// partial packings grow side by side, and the most promising go on.
//
// A level holds up to `width` states. Each branches as the depth-first search
// does (branching.h); of all that follow, those of the least
//
//   score = strain - value of what is placed
//
// are the next level. Strain (section_state.h) says how near the sections are
// to a prune; without value, states that have placed little would always win.
// A depth-first search cannot take back the first of a hundred decisions that
// make up a tower in some part of time; here towers that leave their
// surroundings no room go out early. Narrow beams from many guides find more
// than a wide one.
//
// Thread-safety: none. Deterministic. Memory: 2 * width snapshots of a state.
#ifndef BERTH_ALLOCATOR_PLACEMENT_TIGHT_BEAM_SEARCH_H_
#define BERTH_ALLOCATOR_PLACEMENT_TIGHT_BEAM_SEARCH_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "allocator/placement/tight/branching.h"
#include "allocator/placement/tight/outcome.h"
#include "allocator/placement/tight/section_model.h"
#include "allocator/placement/tight/section_state.h"

namespace berth::tight {

struct BeamGuide {
  std::vector<int64_t> value;  // per item, >= 0; sum below 2^60
  // The room of a section that halves its strain, in thousandths of capacity.
  int64_t half_permille = 5;
};

template <typename T>
class BeamSearch {
 public:
  // T as in SectionState. `model` must outlive this.
  explicit BeamSearch(const SectionModel& model);

  // Begins anew, for a packing in [0, capacity].
  // REQUIRES: capacity >= model.max_load; width > 0; one value per item.
  void Start(T capacity, int32_t width, const BeamGuide& guide);
  // Goes on, level by level, until `max_steps` items have been tried or no
  // level follows. REQUIRES: Start() was called and running().
  void Advance(int64_t max_steps);

  // There is a level to go on from.
  bool running() const { return num_states_ > 0; }
  // Once not running: kLimit if states were left out and none ended.
  Outcome outcome() const { return outcome_; }
  // After kFound: address per item.
  absl::Span<const T> addresses() const { return addresses_; }
  // Steps of all runs: items tried, and floors raised.
  int64_t steps() const { return steps_; }

 private:
  struct State {
    typename SectionState<T>::Snapshot snapshot;
    int64_t value = 0;
  };
  struct Child {
    int64_t score;
    int64_t value;
    uint64_t hash;
    int32_t parent;   // in level_
    int32_t item;     // placed, or kNone: floor raised
    int32_t section;  // of the raised floor
    T waste_to;
  };
  static constexpr int32_t kNone = -1;

  void Expand(int32_t parent);
  void Try(Child child);
  bool Apply(const Child& child);
  void KeepBest();
  void OpenChildren();

  SectionState<T> state_;
  Branching<T> branching_;
  typename SectionState<T>::Snapshot empty_;
  const int32_t num_items_;
  std::vector<int64_t> value_;
  size_t width_ = 0;
  std::vector<State> level_;  // grown once, then overwritten
  std::vector<State> next_;
  int32_t num_states_ = 0;  // of level_
  std::vector<Child> children_;
  std::vector<int32_t> candidates_;
  bool left_out_ = false;
  Outcome outcome_ = Outcome::kLimit;
  std::vector<T> addresses_;
  int64_t steps_ = 0;
};

extern template class BeamSearch<int16_t>;
extern template class BeamSearch<int32_t>;
extern template class BeamSearch<int64_t>;

}  // namespace berth::tight

#endif  // BERTH_ALLOCATOR_PLACEMENT_TIGHT_BEAM_SEARCH_H_
