// The anytime search for one independent part of a problem: which capacities to
// try, for how long, with which priorities.
//
// Depth-first search has a first round alone at the goal (the lower bound: a
// looser capacity is often harder), which ends the easier problems at once.
// From then on it has half of the steps, at the goal, and beam search the other
// half, for packings between the goal and the best one known (beam_ladder.h).
// What follows is said of the depth-first search.
//
// Work is cut into restarts of SectionSearch. Where a problem is too large for
// beams, they go in rounds: each spends its budget at the goal, then goes down
// from the best packing known: by half the way to the goal until that fails
// within half the budget, by a quarter, by an eighth. Budgets grow by half from
// round to round. A capacity whose search is exhausted raises the lower bound.
//
// Guides: first four fixed priorities (area, length, size, length *
// sqrt(size)), then mostly perturbations of the guide that placed the most area
// in a restart so far, which makes the whole a local search over guides with
// the truncated search as its decoder; they are carried from one capacity to
// the next. How much the prunes of a section count is part of a guide: no one
// choice of it is good everywhere.
//
// The work done depends on the steps so far alone, so more steps never give a
// higher peak.
//
// Thread-safety: none. Deterministic.
#ifndef BERTH_ALLOCATOR_PLACEMENT_TIGHT_PART_SEARCH_H_
#define BERTH_ALLOCATOR_PLACEMENT_TIGHT_PART_SEARCH_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "absl/types/span.h"
#include "allocator/base/rng.h"
#include "allocator/placement/tight/beam_ladder.h"
#include "allocator/placement/tight/engine.h"
#include "allocator/placement/tight/section_model.h"
#include "allocator/placement/tight/section_search.h"

namespace berth::tight {

class PartSearch {
 public:
  // A packing under `highest` units is looked for; `highest` + the largest size
  // must not pass 2^62. `model` must outlive this.
  PartSearch(const SectionModel& model, int64_t highest);
  ~PartSearch();

  // One restart, or some steps of a beam. REQUIRES: !done().
  void Restart();

  // A packing at `goal` is good enough, where the lower bound is below it. Only
  // ever raised.
  void RaiseGoal(int64_t goal);

  // Nothing is left to find: the best packing is at the lower bound or the
  // goal, or there is none under `highest`.
  bool done() const { return upper_ <= target(); }
  // No packing is below this (in units); at most highest + 1.
  int64_t lower_bound() const { return lower_bound_; }
  bool found() const { return !addresses_.empty(); }
  // Peak of addresses(), or highest + 1 while nothing is found.
  int64_t upper() const { return upper_; }
  // Per item, of the best packing found.
  const std::vector<int64_t>& addresses() const { return addresses_; }
  int64_t steps() const { return steps_; }

 private:
  int64_t target() const { return lower_bound_ > goal_ ? lower_bound_ : goal_; }
  bool BeamIsDue() const;
  void AdvanceBeam();
  void RestartDepthFirst();
  void Accept(std::vector<int64_t> addresses);
  void NextGuide();
  void NextCapacity();
  void NewSpell();

  const SectionModel& model_;
  std::unique_ptr<Engine> engine_;
  int64_t lower_bound_;
  int64_t upper_;
  int64_t goal_ = 0;
  std::vector<int64_t> addresses_;
  int64_t steps_ = 0;
  BeamLadder beams_;
  int64_t beam_steps_ = 0;

  // The rung in work.
  int64_t capacity_;
  bool at_goal_ = true;
  const int64_t restart_steps_;
  int64_t rung_steps_left_;
  int64_t round_steps_;
  int32_t failed_descents_ = 0;  // of this round
  int64_t spell_steps_left_;
  int64_t restart_in_spell_ = 0;

  Rng rng_;
  int64_t restarts_ = 0;
  std::vector<std::vector<int32_t>> base_priorities_;
  Guide guide_;
  Guide best_guide_;
  int64_t best_area_ = -1;
};

}  // namespace berth::tight

#endif  // BERTH_ALLOCATOR_PLACEMENT_TIGHT_PART_SEARCH_H_
