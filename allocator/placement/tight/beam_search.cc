#include "allocator/placement/tight/beam_search.h"

#include <algorithm>

#include "allocator/base/check.h"

namespace berth::tight {

template <typename T>
BeamSearch<T>::BeamSearch(const SectionModel& model)
    : state_(model), branching_(model, state_), num_items_(model.num_items()) {
  state_.Save(empty_);
}

template <typename T>
void BeamSearch<T>::Start(T capacity, int32_t width, const BeamGuide& guide) {
  BERTH_CHECK(width > 0 && num_items_ > 0);
  state_.Load(empty_);
  state_.SetCapacity(capacity);
  const int64_t half =
      static_cast<int64_t>(capacity) / 1000 * guide.half_permille +
      static_cast<int64_t>(capacity) % 1000 * guide.half_permille / 1000;
  state_.TrackStrain(static_cast<T>(std::max<int64_t>(1, half)));
  branching_.ForgetPrunes();
  branching_.Prefer(Preferences());
  value_ = guide.value;
  width_ = static_cast<size_t>(width);
  if (level_.empty()) level_.resize(1);
  state_.Save(level_[0].snapshot);
  level_[0].value = 0;
  num_states_ = 1;
  left_out_ = false;
  outcome_ = Outcome::kLimit;
}

template <typename T>
void BeamSearch<T>::Advance(int64_t max_steps) {
  const int64_t last_step = steps_ + max_steps;
  while (running() && steps_ < last_step) {
    children_.clear();
    for (int32_t parent = 0; parent < num_states_; ++parent) {
      Expand(parent);
      if (outcome_ == Outcome::kFound) {
        num_states_ = 0;
        return;
      }
    }
    KeepBest();
    OpenChildren();
  }
  if (!running() && !left_out_) outcome_ = Outcome::kExhausted;
}

// Adds what follows from one state of the level to children_.
template <typename T>
void BeamSearch<T>::Expand(int32_t parent) {
  state_.Load(level_[parent].snapshot);
  const int32_t section = branching_.PickSection();
  candidates_.clear();
  branching_.AddCandidates(section, candidates_);
  branching_.DropTwins(0, candidates_);
  const T waste_to = branching_.WasteTarget(section);
  for (const int32_t item : candidates_) {
    Try({0, level_[parent].value + value_[item], 0, parent, item, section, 0});
    if (outcome_ == Outcome::kFound) return;
  }
  if (waste_to == 0) return;
  Try({0, level_[parent].value, 0, parent, kNone, section, waste_to});
}

template <typename T>
bool BeamSearch<T>::Apply(const Child& child) {
  ++steps_;
  return child.item == kNone ? state_.Waste(child.section, child.waste_to)
                             : state_.Place(child.item);
}

template <typename T>
void BeamSearch<T>::Try(Child child) {
  if (!Apply(child)) {
    branching_.NotePrune();
  } else if (state_.num_placed() == num_items_) {
    outcome_ = Outcome::kFound;
    addresses_.assign(state_.addresses().begin(), state_.addresses().end());
  } else {
    child.score = state_.strain() - child.value;
    child.hash = state_.hash();
    children_.push_back(child);
  }
  state_.Undo();
}

// Of equal states one is enough; of the others the best stay.
template <typename T>
void BeamSearch<T>::KeepBest() {
  std::sort(
      children_.begin(), children_.end(), [](const Child& a, const Child& b) {
        if (a.hash != b.hash) return a.hash < b.hash;
        return a.parent != b.parent ? a.parent < b.parent : a.item < b.item;
      });
  children_.erase(std::unique(children_.begin(), children_.end(),
                              [](const Child& a, const Child& b) {
                                return a.hash == b.hash;
                              }),
                  children_.end());
  if (children_.size() > width_) {
    left_out_ = true;
    const auto end = children_.begin() + static_cast<int64_t>(width_);
    std::nth_element(children_.begin(), end, children_.end(),
                     [](const Child& a, const Child& b) {
                       return a.score != b.score ? a.score < b.score
                                                 : a.hash < b.hash;
                     });
    children_.erase(end, children_.end());
  }
  std::sort(
      children_.begin(), children_.end(), [](const Child& a, const Child& b) {
        return a.parent != b.parent ? a.parent < b.parent : a.item < b.item;
      });
}

// The children become the level.
template <typename T>
void BeamSearch<T>::OpenChildren() {
  if (next_.size() < children_.size()) next_.resize(children_.size());
  for (size_t i = 0; i < children_.size(); ++i) {
    const Child& child = children_[i];
    if (i == 0 || child.parent != children_[i - 1].parent) {
      state_.Load(level_[child.parent].snapshot);
    }
    BERTH_CHECK(Apply(child));
    state_.Save(next_[i].snapshot);
    next_[i].value = child.value;
    state_.Undo();
  }
  level_.swap(next_);
  num_states_ = static_cast<int32_t>(children_.size());
}

template class BeamSearch<int16_t>;
template class BeamSearch<int32_t>;
template class BeamSearch<int64_t>;

}  // namespace berth::tight
