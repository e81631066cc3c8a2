// The part of SectionState that goes over sections, a vector of them at a time.
#include <algorithm>

#include "allocator/placement/tight/lanes.h"
#include "allocator/placement/tight/section_state.h"

namespace berth::tight {
namespace {

constexpr int64_t kMaxStrainRooms = 4096;

}  // namespace

template <typename T>
template <bool kAdd>
void SectionState<T>::ChangeBy(int32_t item) {
  const Item& state = now_.item[item];
  const T* const row = &rows_[row_begin_[item]];
  T* const remaining = &now_.remaining[state.first];
  const int32_t count = state.last - state.first + 1;
  for (int32_t i = 0; i < count; i += Vector<T>::kLanes) {
    const auto old = Vector<T>::Load(remaining + i);
    const auto by = Vector<T>::Load(row + i);
    Vector<T>::Store(kAdd ? old + by : old - by, remaining + i);
  }
  for (int32_t i = 0; i + 1 < count; ++i) {
    const int32_t joins = (row[i] != 0) & (row[i + 1] != 0);
    now_.joined[state.first + i] += kAdd ? joins : -joins;
  }
}

template <typename T>
void SectionState<T>::TakeRow(int32_t item) {
  ChangeBy<false>(item);
}

template <typename T>
void SectionState<T>::AddRow(int32_t item) {
  ChangeBy<true>(item);
}

// Rule (1) in the touched sections, for addresses above `from`: the others have
// as much above them as before. Beyond the touched sections sums are too small,
// which forbids nothing.
template <typename T>
bool SectionState<T>::HasRoom(T from) {
  using V = Vector<T>;
  const int32_t first = touched_first_;
  const int32_t end = touched_last_ + 1;
  std::fill(above_.begin() + first, above_.begin() + end + V::kLanes - 1, T{0});
  for (int32_t at = model_.num_items() - 1; at >= now_.num_placed; --at) {
    const Item& state = now_.item[now_.order[at]];
    if (state.lowest <= from) return true;
    if (state.first >= end || state.last < first) continue;
    const int32_t row_first = std::max(first, state.first);
    const int32_t row_end = std::min(end, state.last + 1);
    const T* row = &rows_[row_begin_[now_.order[at]] + row_first - state.first];
    const T limit = static_cast<T>(capacity_ - state.lowest);
    typename V::Lanes over = {};
    for (int32_t s = row_first; s < row_end; s += V::kLanes) {
      const typename V::Lanes sum = V::Load(&above_[s]) + V::Load(row);
      V::Store(sum, &above_[s]);
      over |= sum > limit;
      row += V::kLanes;
    }
    if (V::Any(over)) {
      failed_section_ = SectionOver(at);
      return false;
    }
  }
  return true;
}

// The first section without room for what is at or above the lowest address of
// the item at now_.order[at], of which above_ has items up to that one.
template <typename T>
int32_t SectionState<T>::SectionOver(int32_t at) {
  const T address = now_.item[now_.order[at]].lowest;
  for (int32_t i = at - 1;
       i >= now_.num_placed && now_.item[now_.order[i]].lowest == address;
       --i) {
    const Item& state = now_.item[now_.order[i]];
    const T* const row = &rows_[row_begin_[now_.order[i]]];
    for (int32_t s = std::max(touched_first_, state.first);
         s <= std::min(touched_last_, state.last); ++s) {
      above_[s] = static_cast<T>(above_[s] + row[s - state.first]);
    }
  }
  int32_t section = touched_first_;
  while (above_[section] <= capacity_ - address) ++section;
  return section;
}

// Recomputes what is kept of sections first to last, from the unplaced items
// that lie highest to the lowest ones. With strain it asks for room on the way,
// as HasRoom() does, and leaves all as it was if there is none.
template <typename T>
template <bool kStrain>
bool SectionState<T>::RefreshAs(int32_t first, int32_t last) {
  using V = Vector<T>;
  const int32_t end = last + 1;
  const int32_t count = end - first;
  T* const effective = new_effective_.data();
  T* const candidates = new_candidates_.data();
  std::fill(effective + first, effective + end, kPlaced);
  std::fill(candidates + first, candidates + end, T{0});
  T* const above = above_.data();
  T* const completion = new_completion_.data();
  if (kStrain) {
    std::fill(above + first, above + end + V::kLanes - 1, T{0});
    std::fill(completion + first, completion + end, T{0});
  }
  for (int32_t at = model_.num_items() - 1; at >= now_.num_placed; --at) {
    const Item& state = now_.item[now_.order[at]];
    if (state.first >= end || state.last < first) continue;
    const int32_t row_first = std::max(first, state.first);
    const int32_t row_end = std::min(end, state.last + 1);
    const T* row = &rows_[row_begin_[now_.order[at]] + row_first - state.first];
    const typename V::Lanes lowest = state.lowest + typename V::Lanes{};
    const T limit = static_cast<T>(capacity_ - state.lowest);
    typename V::Lanes over = {};
    for (int32_t s = row_first; s < row_end; s += V::kLanes) {
      const auto covered = V::Load(row) != 0;
      const typename V::Lanes old = V::Load(effective + s);
      V::Store((old & ~covered) | (lowest & covered), effective + s);
      // -1 where true: one more, or the first.
      V::Store(
          (V::Load(candidates + s) & ((old == lowest) | ~covered)) - covered,
          candidates + s);
      if (kStrain) {
        const typename V::Lanes sum = V::Load(above + s) + V::Load(row);
        V::Store(sum, above + s);
        const typename V::Lanes before = V::Load(completion + s);
        const auto later = (sum > before - lowest) & covered;
        V::Store((before & ~later) | ((lowest + (sum & later)) & later),
                 completion + s);
        over |= sum > limit;
      }
      row += V::kLanes;
    }
    if (kStrain && V::Any(over)) {
      failed_section_ = SectionOver(at);
      return false;
    }
  }
  Change& change = changes_.back();
  change.saved_first = first;
  change.saved_count = count;
  saved_.insert(saved_.end(), &now_.effective[first], &now_.effective[end]);
  saved_.insert(saved_.end(), &now_.candidates[first], &now_.candidates[end]);
  if (kStrain) {
    saved_.insert(saved_.end(), &now_.completion[first], &now_.completion[end]);
    for (int32_t section = first; section < end; ++section) {
      if (effective[section] == kPlaced) continue;
      now_.strain +=
          StrainOf(completion[section]) - StrainOf(now_.completion[section]);
      now_.completion[section] = completion[section];
    }
  }
  std::copy_n(effective + first, count, &now_.effective[first]);
  std::copy_n(candidates + first, count, &now_.candidates[first]);
  return true;
}

// What a change leaves to be done, once items have risen from `from` on: asks
// for room (1), then recomputes sections first to last.
template <typename T>
bool SectionState<T>::Refresh(T from, int32_t first, int32_t last) {
  if (tracks_strain_) return RefreshAs<true>(first, last);
  if (changes_.back().num_risen > 0 && !HasRoom(from)) return false;
  return RefreshAs<false>(first, last);
}

template <typename T>
int64_t SectionState<T>::StrainOf(T completion) const {
  return strain_of_[static_cast<size_t>(capacity_ - completion) >> room_shift_];
}

template <typename T>
void SectionState<T>::TrackStrain(T half) {
  tracks_strain_ = true;
  room_shift_ = 0;
  while (capacity_ >> room_shift_ > kMaxStrainRooms) ++room_shift_;
  const int64_t coarse_half = std::max<int64_t>(1, half >> room_shift_);
  strain_of_.clear();
  for (int64_t room = 0; room <= capacity_ >> room_shift_; ++room) {
    strain_of_.push_back(
        static_cast<int32_t>(kStrainUnit * coarse_half / (room + coarse_half)));
  }
  now_.strain = 0;
  for (int32_t section = 0; section < model_.num_sections(); ++section) {
    now_.completion[section] = static_cast<T>(model_.load[section]);
    now_.strain += StrainOf(now_.completion[section]);
  }
}

// Whether an item that was wasted up from `bottom` could start there under
// everything else: rule (2).
template <typename T>
bool SectionState<T>::SomeRisenFits(T bottom) const {
  const int32_t count = changes_.back().num_risen;
  for (size_t i = num_risen_ - count; i < num_risen_; ++i) {
    const int32_t item = risen_[i].item;
    const T top = static_cast<T>(bottom + now_.item[item].size);
    if (top > now_.item[item].lowest) continue;
    const absl::Span<const int32_t> sections = model_.sections_of.of(item);
    if (std::all_of(sections.begin(), sections.end(), [&](int32_t section) {
          return now_.effective[section] >= top;
        })) {
      return true;
    }
  }
  return false;
}

template <typename T>
void SectionState<T>::Save(Snapshot& snapshot) const {
  snapshot = now_;
}

template <typename T>
void SectionState<T>::Load(const Snapshot& snapshot) {
  now_ = snapshot;
  changes_.clear();
  num_risen_ = 0;
  supported_.clear();
  saved_.clear();
}

template <typename T>
size_t SectionState<T>::SnapshotBytes(const SectionModel& model) {
  const size_t per_item = sizeof(Item) + sizeof(T) + 1 + sizeof(int32_t);
  const size_t per_section = 4 * sizeof(T) + sizeof(int32_t);
  return sizeof(Snapshot) + model.num_items() * per_item +
         (model.num_sections() + Vector<T>::kLanes) * per_section;
}

template class SectionState<int16_t>;
template class SectionState<int32_t>;
template class SectionState<int64_t>;

}  // namespace berth::tight
