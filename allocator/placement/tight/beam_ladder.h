// Which capacities beam search tries, how wide, with which guides.
//
// Beams go down from the best packing known, in rounds: by half the way to the
// target until that fails, by a quarter, by an eighth.
// The width of a round follows Luby's sequence: narrow beams from many guides
// find most, some problems need wide ones. A guide values items by area or by
// area / sqrt(size), with noise.
//
// Thread-safety: none. Deterministic. Memory: at most 16 MB of snapshots.
#ifndef BERTH_ALLOCATOR_PLACEMENT_TIGHT_BEAM_LADDER_H_
#define BERTH_ALLOCATOR_PLACEMENT_TIGHT_BEAM_LADDER_H_

#include <cstdint>
#include <vector>

#include "allocator/base/rng.h"
#include "allocator/placement/tight/beam_search.h"
#include "allocator/placement/tight/engine.h"
#include "allocator/placement/tight/outcome.h"
#include "allocator/placement/tight/section_model.h"

namespace berth::tight {

class BeamLadder {
 public:
  // Both must outlive this.
  BeamLadder(const SectionModel& model, Engine& engine);

  // False: the problem is too large for it.
  bool fits() const { return max_width_ >= kLeastWidth; }

  // Goes on for `max_steps`, or until a beam ends. Packings are looked for in
  // [target, upper), either of which may have changed. Says how the beam in
  // work ended; kLimit also while it goes on. REQUIRES: target < upper; fits().
  Outcome Advance(int64_t target, int64_t upper, int64_t max_steps);

  // Of the beam that Advance() was about.
  int64_t capacity() const { return capacity_; }

 private:
  static constexpr int64_t kLeastWidth = 4;

  void Start(int64_t target, int64_t upper);
  BeamGuide NextGuide();

  const SectionModel& model_;
  Engine& engine_;
  std::vector<std::vector<double>> worth_;  // by kind, per item; sums are 1
  const int64_t max_width_;
  Rng rng_;
  int64_t capacity_ = 0;
  int32_t failed_descents_ = 0;  // of this round
  int64_t round_ = 1;
};

}  // namespace berth::tight

#endif  // BERTH_ALLOCATOR_PLACEMENT_TIGHT_BEAM_LADDER_H_
