#include "allocator/placement/tight/section_search.h"

#include <algorithm>
#include <cmath>
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
      ease_(model.num_sections(), 1.0),
      prunes_(model.num_sections(), 0),
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
  for (int32_t s = 0; s < model_.num_sections(); ++s) SetEase(s);
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

// By square roots alone, which are the same on every machine.
template <typename T>
void SectionSearch<T>::SetEase(int32_t section) {
  const double root = std::sqrt(
      std::sqrt(std::sqrt(static_cast<double>(1 + prunes_[section]))));
  double factor = 1.0;
  for (int32_t i = 0; i < guide_->prune_eighths; ++i) factor *= root;
  ease_[section] = 1.0 / factor;
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
  if (!ok && state_.failed_section() != kNone) {
    const int32_t section = state_.failed_section();
    ++prunes_[section];
    SetEase(section);
  }
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

// Items with gaps may reach a lower valley elsewhere: then (4) does not hold.
template <typename T>
bool SectionSearch<T>::CandidatesInValley(int32_t section) const {
  const T e = state_.effective(section);
  for (const int32_t item : state_.UnplacedFrom(e)) {
    if (state_.lowest(item) > e) break;
    if (!state_.gapped(item) || !state_.Covers(item, section)) continue;
    for (const int32_t other : model_.sections_of.of(item)) {
      if (state_.effective(other) != e) return false;
    }
  }
  return true;
}

// The section with the fewest branches, in some valley; those that waste, lie
// high or have not pruned yet are put off.
template <typename T>
int32_t SectionSearch<T>::PickSection() const {
  const int32_t num_sections = model_.num_sections();
  const T capacity = state_.capacity();
  int32_t best = kNone;
  double best_score = std::numeric_limits<double>::infinity();
  int32_t end = 0;
  for (int32_t begin = 0; begin < num_sections; begin = end) {
    end = begin + 1;
    if (state_.remaining(begin) == 0) continue;
    const T e = state_.effective(begin);
    while (end < num_sections && state_.joined(end - 1) > 0 &&
           state_.effective(end) == e) {
      ++end;
    }
    if (begin > 0 && state_.joined(begin - 1) > 0 &&
        state_.effective(begin - 1) < e) {
      continue;
    }
    if (end < num_sections && state_.joined(end - 1) > 0 &&
        state_.effective(end) < e) {
      continue;
    }
    const double height =
        static_cast<double>(capacity) + static_cast<double>(e);
    for (int32_t section = begin; section < end; ++section) {
      double score = static_cast<double>(state_.candidates(section));
      if (e + state_.remaining(section) < capacity) {
        score += guide_->waste_candidates;
      }
      score *= height;
      score *= ease_[section];
      if (score >= best_score) continue;
      if (state_.any_gapped() && !CandidatesInValley(section)) continue;
      best_score = score;
      best = section;
    }
  }
  BERTH_CHECK(best != kNone);
  return best;
}

// Where the floor of `section` goes when no candidate starts at it; 0 if its
// slack does not allow that.
template <typename T>
T SectionSearch<T>::WasteTarget(int32_t section) const {
  // The floor that still fits all.
  const T highest =
      static_cast<T>(state_.capacity() - state_.remaining(section));
  const T e = state_.effective(section);
  if (e >= highest) return 0;
  int32_t first = section;  // sections of the candidates
  int32_t last = section;
  T target = SectionState<T>::kPlaced;
  for (const int32_t item : state_.UnplacedFrom(e)) {
    if (state_.lowest(item) > e) break;
    if (!state_.Covers(item, section)) continue;
    first = std::min(first, state_.first_section(item));
    last = std::max(last, state_.last_section(item));
  }
  for (const int32_t item : state_.UnplacedFrom(0)) {
    const T lowest = state_.lowest(item);
    if (lowest >= target) break;
    if (state_.Covers(item, section)) {
      if (lowest > e) target = lowest;
    } else if (state_.first_section(item) <= last &&
               state_.last_section(item) >= first) {
      const T above = static_cast<T>(e + 1);
      const T end = static_cast<T>(lowest + state_.size(item));
      target = std::min(target, std::max(above, end));
    }
  }
  return target <= highest ? target : T{0};
}

template <typename T>
void SectionSearch<T>::Open() {
  Frame frame;
  frame.section = PickSection();
  frame.choice_begin = static_cast<int32_t>(choices_.size());
  const T e = state_.effective(frame.section);
  for (const int32_t item : state_.UnplacedFrom(e)) {
    if (state_.lowest(item) > e) break;
    if (!state_.unsupported(item) && state_.Covers(item, frame.section)) {
      choices_.push_back(item);
    }
  }
  const auto begin = choices_.begin() + frame.choice_begin;
  const std::vector<int32_t>& priority = guide_->priority;
  std::sort(begin, choices_.end(), [&priority](int32_t a, int32_t b) {
    return priority[a] != priority[b] ? priority[a] > priority[b] : a < b;
  });
  // Of twins the first stands for all.
  auto end = begin;
  for (auto choice = begin; choice != choices_.end(); ++choice) {
    const auto same = [&](int32_t other) {
      return state_.twin(other) == state_.twin(*choice);
    };
    if (std::none_of(begin, end, same)) *end++ = *choice;
  }
  choices_.erase(end, choices_.end());
  frame.choice_end = static_cast<int32_t>(choices_.size());
  frame.next_choice = frame.choice_begin;
  frame.waste_to = WasteTarget(frame.section);
  frame.current = kNone;
  frame.hash = state_.hash();
  frames_.push_back(frame);
}

template class SectionSearch<int16_t>;
template class SectionSearch<int32_t>;
template class SectionSearch<int64_t>;

}  // namespace berth::tight
