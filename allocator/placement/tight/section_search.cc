#include "allocator/placement/tight/section_search.h"

#include <algorithm>
#include <limits>

#include "allocator/base/check.h"

namespace berth::tight {
namespace {

constexpr int32_t kMaxTableBits = 20;

}  // namespace

template <typename T>
SectionSearch<T>::SectionSearch(const SectionModel& model)
    : model_(model),
      state_(model),
      branching_(model, state_),
      table_(kMaxTableBits) {
  // Areas lose low bits where 64 would not hold their sum.
  int32_t area_shift = 0;
  while ((model.max_load >> area_shift) >
         std::numeric_limits<int64_t>::max() /
             std::max(model.num_sections(), 1)) {
    ++area_shift;
  }
  for (int32_t item = 0; item < model.num_items(); ++item) {
    area_.push_back((model.size[item] >> area_shift) *
                    static_cast<int64_t>(model.sections_of.of(item).size()));
  }
}

template <typename T>
Outcome SectionSearch<T>::Run(T capacity, int64_t max_steps,
                              const Guide& guide) {
  state_.SetCapacity(capacity);
  guide_ = &guide;
  branching_.Prefer(guide.preferences);
  best_area_ = 0;
  const int64_t last_step = steps_ + max_steps;
  BERTH_CHECK(frames_.empty() && state_.num_placed() == 0);
  if (model_.num_items() == 0) return Outcome::kFound;
  Open();
  while (!frames_.empty()) {
    Frame& frame = frames_.back();
    Leave(frame);
    if (steps_ >= last_step) {
      Unwind();
      return Outcome::kLimit;
    }
    if (frame.next_choice == frame.choice_end && frame.waste_to == 0) {
      table_.Insert(frame.hash, capacity);
      choices_.resize(frame.choice_begin);
      frames_.pop_back();
      continue;
    }
    const bool ok = Enter(frame);
    best_area_ = std::max(best_area_, placed_area_);
    if (!ok) continue;
    if (state_.num_placed() == model_.num_items()) {
      Unwind();
      return Outcome::kFound;
    }
    if (!table_.Contains(state_.hash(), capacity)) Open();
  }
  return Outcome::kExhausted;
}

// Tries the next branch of `frame`. False if it is pruned.
template <typename T>
bool SectionSearch<T>::Enter(Frame& frame) {
  ++steps_;
  bool ok = false;
  if (frame.next_choice < frame.choice_end) {
    frame.current = choices_[frame.next_choice++];
    placed_area_ += area_[frame.current];
    ok = state_.Place(frame.current);
  } else {
    frame.current = kWaste;
    ok = state_.Waste(frame.section, frame.waste_to);
    frame.waste_to = 0;
  }
  if (!ok) branching_.NotePrune();
  return ok;
}

// Undoes the branch of `frame` that was tried last, if any.
template <typename T>
void SectionSearch<T>::Leave(Frame& frame) {
  if (frame.current == kNone) return;
  state_.Undo();
  if (frame.current >= 0) placed_area_ -= area_[frame.current];
  frame.current = kNone;
}

template <typename T>
void SectionSearch<T>::Unwind() {
  while (!frames_.empty()) {
    Leave(frames_.back());
    frames_.pop_back();
  }
  choices_.clear();
}

template <typename T>
void SectionSearch<T>::Open() {
  Frame frame;
  frame.section = branching_.PickSection();
  frame.choice_begin = static_cast<int32_t>(choices_.size());
  branching_.AddCandidates(frame.section, choices_);
  const std::vector<int32_t>& priority = guide_->priority;
  std::sort(choices_.begin() + frame.choice_begin, choices_.end(),
            [&priority](int32_t a, int32_t b) {
              return priority[a] != priority[b] ? priority[a] > priority[b]
                                                : a < b;
            });
  branching_.DropTwins(frame.choice_begin, choices_);
  frame.choice_end = static_cast<int32_t>(choices_.size());
  frame.next_choice = frame.choice_begin;
  frame.waste_to = branching_.WasteTarget(frame.section);
  frame.current = kNone;
  frame.hash = state_.hash();
  frames_.push_back(frame);
}

template class SectionSearch<int16_t>;
template class SectionSearch<int32_t>;
template class SectionSearch<int64_t>;

}  // namespace berth::tight
