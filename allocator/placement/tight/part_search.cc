#include "allocator/placement/tight/part_search.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <numeric>

#include "allocator/base/check.h"
#include "allocator/base/int_math.h"

namespace berth::tight {
namespace {

// Of one restart, times Luby's sequence: enough to place all items and go back
// a little, and no less than this.
constexpr int64_t kLeastRestartSteps = 500;
constexpr int64_t kFirstRoundRestarts = 16;
// After so many restarts' steps at a capacity, what placed the most area there
// is forgotten: where it leads to nothing, the search would stay with it.
constexpr int64_t kSpellRestarts = 80;
// Steps down go a half, a quarter, an eighth of the way to the goal...
constexpr int32_t kDescents = 3;
// ... and give up after this part of the steps that the goal had.
constexpr int64_t kDescentPart = 2;
constexpr int32_t kPriorityRange = 1 << 16;
constexpr int32_t kJitter = kPriorityRange / 10;
constexpr uint64_t kFreshStartOneIn = 10;
constexpr uint64_t kNewPreferencesOneIn = 4;
constexpr int32_t kPruneEighths[] = {2, 3, 4, 6};
constexpr double kWasteCandidates[] = {0.5, 2.0};
constexpr uint64_t kSeed = 0x6265727468;

// 1 1 2 1 1 2 4 1 1 2 1 1 2 4 8 ...; i counts from 1.
int64_t Luby(int64_t i) {
  for (int64_t length = 1;; length = 2 * length + 1) {
    if (i == length) return (length + 1) / 2;
    if (i < length) return Luby(i - length / 2);
  }
}

// Evenly spaced priorities in the order of `key`, ascending.
std::vector<int32_t> RankBy(const std::vector<uint128>& key) {
  const int32_t n = static_cast<int32_t>(key.size());
  std::vector<int32_t> order(n);
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&key](int32_t a, int32_t b) { return key[a] < key[b]; });
  std::vector<int32_t> rank(n);
  for (int32_t i = 0; i < n; ++i) {
    rank[order[i]] = static_cast<int32_t>(int64_t{i} * kPriorityRange / n);
  }
  return rank;
}

}  // namespace

class PartSearch::Engine {
 public:
  virtual ~Engine() = default;
  virtual Outcome Run(int64_t capacity, int64_t max_steps,
                      const Guide& guide) = 0;
  virtual int64_t steps() const = 0;
  virtual int64_t best_area() const = 0;
  virtual std::vector<int64_t> addresses() const = 0;
};

template <typename T>
class PartSearch::EngineOf : public PartSearch::Engine {
 public:
  explicit EngineOf(const SectionModel& model) : search_(model) {}
  Outcome Run(int64_t capacity, int64_t max_steps,
              const Guide& guide) override {
    return search_.Run(static_cast<T>(capacity), max_steps, guide);
  }
  int64_t steps() const override { return search_.steps(); }
  int64_t best_area() const override { return search_.best_area(); }
  std::vector<int64_t> addresses() const override {
    return {search_.addresses().begin(), search_.addresses().end()};
  }

 private:
  SectionSearch<T> search_;
};

PartSearch::PartSearch(const SectionModel& model, int64_t highest)
    : model_(model),
      lower_bound_(std::min(model.max_load, highest + 1)),
      upper_(highest + 1),
      capacity_(lower_bound_),
      restart_steps_(std::max<int64_t>(kLeastRestartSteps,
                                       model.num_items() * int64_t{5} / 4)),
      rung_steps_left_(kFirstRoundRestarts * restart_steps_),
      round_steps_(rung_steps_left_),
      spell_steps_left_(kSpellRestarts * restart_steps_),
      rng_(kSeed) {
  const int32_t n = model.num_items();
  int64_t largest = 0;
  std::vector<uint128> area(n), length(n), size(n), mixed(n);
  for (int32_t item = 0; item < n; ++item) {
    const uint128 count = model.sections_of.of(item).size();
    const uint128 units = static_cast<uint128>(model.size[item]);
    area[item] = count * units;
    length[item] = count;
    size[item] = units;
    mixed[item] = count * count * units;  // (length * sqrt(size))^2
    largest = std::max(largest, model.size[item]);
  }
  for (const auto& key : {area, length, size, mixed}) {
    base_priorities_.push_back(RankBy(key));
  }
  const int64_t most = std::max(highest, model.max_load) + largest;
  if (most < std::numeric_limits<int16_t>::max()) {
    engine_ = std::make_unique<EngineOf<int16_t>>(model);
  } else if (most < std::numeric_limits<int32_t>::max()) {
    engine_ = std::make_unique<EngineOf<int32_t>>(model);
  } else {
    engine_ = std::make_unique<EngineOf<int64_t>>(model);
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
    guide_.prune_eighths = kPruneEighths[rng_.Below(std::size(kPruneEighths))];
    guide_.waste_candidates =
        kWasteCandidates[rng_.Below(std::size(kWasteCandidates))];
  }
  for (int32_t& value : guide_.priority) {
    value += static_cast<int32_t>(rng_.Between(-kJitter, kJitter));
  }
}

void PartSearch::Restart() {
  BERTH_CHECK(!done());
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
    addresses_ = engine_->addresses();
    upper_ = 0;
    for (int32_t item = 0; item < model_.num_items(); ++item) {
      upper_ = std::max(upper_, addresses_[item] + model_.size[item]);
    }
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
  const int64_t way = upper_ - target();
  if (!at_goal_ && (failed_descents_ == kDescents || way < 2)) {
    at_goal_ = true;
    round_steps_ += round_steps_ / 2;
  }
  if (at_goal_) {
    capacity_ = target();
    rung_steps_left_ = round_steps_;
  } else {
    capacity_ = upper_ - std::max<int64_t>(1, way >> (1 + failed_descents_));
    rung_steps_left_ = round_steps_ / kDescentPart;
  }
  NewSpell();
}

}  // namespace berth::tight
