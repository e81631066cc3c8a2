#include "allocator/placement/tight/part_search.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <utility>

#include "allocator/base/check.h"
#include "allocator/base/int_math.h"
#include "allocator/placement/tight/descent.h"
#include "allocator/placement/tight/luby.h"

namespace berth::tight {
namespace {

// Of one restart, times Luby's sequence: enough to place all items and go back
// a little, and no less than this.
constexpr int64_t kLeastRestartSteps = 500;
constexpr int64_t kFirstRoundRestarts = 16;
// After so many restarts' steps at a capacity, what placed the most area there
// is forgotten: where it leads to nothing, the search would stay with it.
constexpr int64_t kSpellRestarts = 80;
// Steps down (descent.h) give up after this part of the steps that the goal
// had.
constexpr int64_t kDescentPart = 2;
constexpr int32_t kPriorityRange = 1 << 16;
constexpr int32_t kJitter = kPriorityRange / 10;
constexpr uint64_t kFreshStartOneIn = 10;
constexpr uint64_t kNewPreferencesOneIn = 4;
constexpr int32_t kPruneEighths[] = {0, 2, 4, 6};
constexpr double kWasteCandidates[] = {0.5, 1.0, 2.0};
constexpr uint64_t kSeed = 0x6265727468;

// Evenly spaced priorities in the order of `key`, ascending.
std::vector<int32_t> RankBy(const std::vector<uint128>& key) {
  const int32_t n = static_cast<int32_t>(key.size());
  std::vector<int32_t> order(n);
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&key](int32_t a, int32_t b) {
    return key[a] != key[b] ? key[a] < key[b] : a < b;
  });
  std::vector<int32_t> rank(n);
  for (int32_t i = 0; i < n; ++i) {
    rank[order[i]] = static_cast<int32_t>(int64_t{i} * kPriorityRange / n);
  }
  return rank;
}

}  // namespace

PartSearch::PartSearch(const SectionModel& model, int64_t highest)
    : model_(model),
      engine_(MakeEngine(model, highest)),
      lower_bound_(std::min(model.max_load, highest + 1)),
      upper_(highest + 1),
      beams_(model, *engine_),
      capacity_(lower_bound_),
      restart_steps_(std::max<int64_t>(kLeastRestartSteps,
                                       model.num_items() * int64_t{5} / 4)),
      rung_steps_left_(kFirstRoundRestarts * restart_steps_),
      round_steps_(rung_steps_left_),
      spell_steps_left_(kSpellRestarts * restart_steps_),
      rng_(kSeed) {
  const int32_t n = model.num_items();
  std::vector<uint128> area(n), length(n), size(n), mixed(n);
  for (int32_t item = 0; item < n; ++item) {
    const uint128 count = model.sections_of.of(item).size();
    const uint128 units = static_cast<uint128>(model.size[item]);
    area[item] = count * units;
    length[item] = count;
    size[item] = units;
    mixed[item] = count * count * units;  // (length * sqrt(size))^2
  }
  for (const auto& key : {area, length, size, mixed}) {
    base_priorities_.push_back(RankBy(key));
  }
}

PartSearch::~PartSearch() = default;

void PartSearch::RaiseGoal(int64_t goal) {
  if (goal <= target()) return;
  goal_ = goal;
  if (at_goal_) capacity_ = std::min(goal, upper_ - 1);
}

void PartSearch::NextGuide() {
  const int64_t index = restarts_++;
  const int64_t bases = static_cast<int64_t>(base_priorities_.size());
  if (index < bases) {
    guide_.priority = base_priorities_[index];
    return;
  }
  const bool fresh =
      best_guide_.priority.empty() || rng_.OneIn(kFreshStartOneIn);
  if (fresh) {
    guide_.priority = base_priorities_[rng_.Below(bases)];
  } else {
    guide_ = best_guide_;
  }
  if (fresh || rng_.OneIn(kNewPreferencesOneIn)) {
    guide_.preferences.prune_eighths =
        kPruneEighths[rng_.Below(std::size(kPruneEighths))];
    guide_.preferences.waste_candidates =
        kWasteCandidates[rng_.Below(std::size(kWasteCandidates))];
  }
  for (int32_t& value : guide_.priority) {
    value += static_cast<int32_t>(rng_.Between(-kJitter, kJitter));
  }
}

void PartSearch::Restart() {
  BERTH_CHECK(!done());
  if (BeamIsDue()) {
    AdvanceBeam();
  } else {
    RestartDepthFirst();
  }
}

// Depth-first search alone at first: it ends the easier problems at once. Then
// both in turns.
bool PartSearch::BeamIsDue() const {
  const int64_t depth_first =
      engine_->steps() - kFirstRoundRestarts * restart_steps_;
  return beams_.fits() && beam_steps_ < depth_first;
}

void PartSearch::AdvanceBeam() {
  const int64_t before = engine_->beam_steps();
  const Outcome outcome = beams_.Advance(target(), upper_, kLeastRestartSteps);
  const int64_t used = engine_->beam_steps() - before;
  steps_ += used;
  beam_steps_ += used;
  if (outcome == Outcome::kFound) {
    Accept(engine_->beam_addresses());
  } else if (outcome == Outcome::kExhausted) {
    lower_bound_ = std::max(lower_bound_, beams_.capacity() + 1);
  }
}

void PartSearch::Accept(std::vector<int64_t> addresses) {
  addresses_ = std::move(addresses);
  upper_ = 0;
  for (int32_t item = 0; item < model_.num_items(); ++item) {
    upper_ = std::max(upper_, addresses_[item] + model_.size[item]);
  }
}

void PartSearch::RestartDepthFirst() {
  if (capacity_ < target() || capacity_ >= upper_) NextCapacity();
  NextGuide();
  const int64_t steps =
      std::min(restart_steps_ * Luby(++restart_in_spell_), rung_steps_left_);
  const int64_t before = engine_->steps();
  const Outcome outcome = engine_->Run(capacity_, steps, guide_);
  const int64_t used = engine_->steps() - before;
  steps_ += used;
  rung_steps_left_ -= used;
  if (engine_->best_area() > best_area_) {
    best_area_ = engine_->best_area();
    best_guide_ = guide_;
  }
  if (outcome == Outcome::kFound) {
    Accept(engine_->addresses());
  } else if (outcome == Outcome::kExhausted) {
    lower_bound_ = capacity_ + 1;
  }
  if (done()) return;
  if (outcome != Outcome::kLimit || rung_steps_left_ <= 0) {
    NextCapacity();
    return;
  }
  spell_steps_left_ -= used;
  if (spell_steps_left_ <= 0) NewSpell();
}

void PartSearch::NewSpell() {
  best_area_ = -1;  // the guide is carried
  restart_in_spell_ = 0;
  spell_steps_left_ = kSpellRestarts * restart_steps_;
}

// Leaves the rung in work, which succeeded, was exhausted, or used its budget.
void PartSearch::NextCapacity() {
  if (at_goal_) {
    at_goal_ = target() > capacity_;  // raised: straight on
    failed_descents_ = 0;
  } else if (upper_ > capacity_) {
    ++failed_descents_;
  }
  if (!at_goal_ && (beams_.fits() || failed_descents_ == kDescents ||
                    upper_ - target() < 2)) {
    at_goal_ = true;
    round_steps_ += round_steps_ / 2;
  }
  if (at_goal_) {
    capacity_ = target();
    rung_steps_left_ = round_steps_;
  } else {
    capacity_ = NextBelow(upper_, target(), failed_descents_);
    rung_steps_left_ = round_steps_ / kDescentPart;
  }
  NewSpell();
}

}  // namespace berth::tight
