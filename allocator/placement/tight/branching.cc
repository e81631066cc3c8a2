#include "allocator/placement/tight/branching.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "allocator/base/check.h"

namespace berth::tight {

template <typename T>
Branching<T>::Branching(const SectionModel& model, const SectionState<T>& state)
    : model_(model),
      state_(state),
      ease_(model.num_sections(), 1.0),
      prunes_(model.num_sections(), 0) {}

template <typename T>
void Branching<T>::Prefer(const Preferences& preferences) {
  preferences_ = preferences;
  for (int32_t s = 0; s < model_.num_sections(); ++s) SetEase(s);
}

template <typename T>
void Branching<T>::NotePrune() {
  const int32_t section = state_.failed_section();
  if (section == SectionState<T>::kNone) return;
  ++prunes_[section];
  SetEase(section);
}

// By square roots alone, which are the same on every machine.
template <typename T>
void Branching<T>::SetEase(int32_t section) {
  const double root = std::sqrt(
      std::sqrt(std::sqrt(static_cast<double>(1 + prunes_[section]))));
  double factor = 1.0;
  for (int32_t i = 0; i < preferences_.prune_eighths; ++i) factor *= root;
  ease_[section] = 1.0 / factor;
}

// Items with gaps may reach a lower valley elsewhere: then (4) does not hold.
template <typename T>
bool Branching<T>::CandidatesInValley(int32_t section) const {
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

template <typename T>
int32_t Branching<T>::PickSection() const {
  const int32_t num_sections = model_.num_sections();
  const T capacity = state_.capacity();
  int32_t best = SectionState<T>::kNone;
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
        score += preferences_.waste_candidates;
      }
      score *= height;
      score *= ease_[section];
      if (score >= best_score) continue;
      if (state_.any_gapped() && !CandidatesInValley(section)) continue;
      best_score = score;
      best = section;
    }
  }
  BERTH_CHECK(best != SectionState<T>::kNone);
  return best;
}

template <typename T>
T Branching<T>::WasteTarget(int32_t section) const {
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
void Branching<T>::AddCandidates(int32_t section,
                                 std::vector<int32_t>& items) const {
  const T e = state_.effective(section);
  for (const int32_t item : state_.UnplacedFrom(e)) {
    if (state_.lowest(item) > e) break;
    if (!state_.unsupported(item) && state_.Covers(item, section)) {
      items.push_back(item);
    }
  }
}

template <typename T>
void Branching<T>::DropTwins(size_t first, std::vector<int32_t>& items) const {
  const auto begin = items.begin() + static_cast<int64_t>(first);
  auto end = begin;
  for (auto item = begin; item != items.end(); ++item) {
    const auto same = [&](int32_t other) {
      return state_.twin(other) == state_.twin(*item);
    };
    if (std::none_of(begin, end, same)) *end++ = *item;
  }
  items.erase(end, items.end());
}

template class Branching<int16_t>;
template class Branching<int32_t>;
template class Branching<int64_t>;

}  // namespace berth::tight
