// The part of SectionState that goes over sections, a vector of them at a time.
#include <algorithm>

#include "allocator/placement/tight/lanes.h"
#include "allocator/placement/tight/section_state.h"

namespace berth::tight {

template <typename T>
template <bool kAdd>
void SectionState<T>::ChangeBy(int32_t item) {
  const Item& state = item_[item];
  const T* const row = &rows_[row_begin_[item]];
  T* const remaining = &remaining_[state.first];
  const int32_t count = state.last - state.first + 1;
  for (int32_t i = 0; i < count; i += Vector<T>::kLanes) {
    const auto old = Vector<T>::Load(remaining + i);
    const auto by = Vector<T>::Load(row + i);
    Vector<T>::Store(kAdd ? old + by : old - by, remaining + i);
  }
  for (int32_t i = 0; i + 1 < count; ++i) {
    const int32_t joins = (row[i] != 0) & (row[i + 1] != 0);
    joined_[state.first + i] += kAdd ? joins : -joins;
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
  for (int32_t at = model_.num_items() - 1; at >= num_placed_; --at) {
    const Item& state = item_[order_[at]];
    if (state.lowest <= from) return true;
    if (state.first >= end || state.last < first) continue;
    const int32_t row_first = std::max(first, state.first);
    const int32_t row_end = std::min(end, state.last + 1);
    const T* row = &rows_[row_begin_[order_[at]] + row_first - state.first];
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
// the item at order_[at], of which above_ has items up to that one.
template <typename T>
int32_t SectionState<T>::SectionOver(int32_t at) {
  const T address = item_[order_[at]].lowest;
  for (int32_t i = at - 1;
       i >= num_placed_ && item_[order_[i]].lowest == address; --i) {
    const Item& state = item_[order_[i]];
    const T* const row = &rows_[row_begin_[order_[i]]];
    for (int32_t s = std::max(touched_first_, state.first);
         s <= std::min(touched_last_, state.last); ++s) {
      above_[s] = static_cast<T>(above_[s] + row[s - state.first]);
    }
  }
  int32_t section = touched_first_;
  while (above_[section] <= capacity_ - address) ++section;
  return section;
}

// Recomputes effective floors and candidates of sections first to last.
template <typename T>
void SectionState<T>::Refresh(int32_t first, int32_t last) {
  using V = Vector<T>;
  const int32_t end = last + 1;
  const int32_t count = end - first;
  T* const effective = new_effective_.data();
  T* const candidates = new_candidates_.data();
  std::fill(effective + first, effective + end, kPlaced);
  std::fill(candidates + first, candidates + end, T{0});
  for (int32_t at = model_.num_items() - 1; at >= num_placed_; --at) {
    const Item& state = item_[order_[at]];
    if (state.first >= end || state.last < first) continue;
    const int32_t row_first = std::max(first, state.first);
    const int32_t row_end = std::min(end, state.last + 1);
    const T* row = &rows_[row_begin_[order_[at]] + row_first - state.first];
    const typename V::Lanes lowest = state.lowest + typename V::Lanes{};
    for (int32_t s = row_first; s < row_end; s += V::kLanes) {
      const auto covered = V::Load(row) != 0;
      const typename V::Lanes old = V::Load(effective + s);
      V::Store((old & ~covered) | (lowest & covered), effective + s);
      // -1 where true: one more, or the first.
      V::Store(
          (V::Load(candidates + s) & ((old == lowest) | ~covered)) - covered,
          candidates + s);
      row += V::kLanes;
    }
  }
  Change& change = changes_.back();
  change.saved_first = first;
  change.saved_count = count;
  saved_.insert(saved_.end(), &effective_[first], &effective_[end]);
  saved_.insert(saved_.end(), &candidates_[first], &candidates_[end]);
  std::copy_n(effective + first, count, &effective_[first]);
  std::copy_n(candidates + first, count, &candidates_[first]);
}

// Whether an item that was wasted up from `bottom` could start there under
// everything else: rule (2).
template <typename T>
bool SectionState<T>::SomeRisenFits(T bottom) const {
  const int32_t count = changes_.back().num_risen;
  for (size_t i = num_risen_ - count; i < num_risen_; ++i) {
    const int32_t item = risen_[i].item;
    const T top = static_cast<T>(bottom + item_[item].size);
    if (top > item_[item].lowest) continue;
    const absl::Span<const int32_t> sections = model_.sections_of.of(item);
    if (std::all_of(sections.begin(), sections.end(), [&](int32_t section) {
          return effective_[section] >= top;
        })) {
      return true;
    }
  }
  return false;
}

template class SectionState<int16_t>;
template class SectionState<int32_t>;
template class SectionState<int64_t>;

}  // namespace berth::tight
