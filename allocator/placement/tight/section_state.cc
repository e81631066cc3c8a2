#include "allocator/placement/tight/section_state.h"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "allocator/base/rng.h"
#include "allocator/placement/tight/lanes.h"

namespace berth::tight {
namespace {

constexpr uint64_t kHashSeed = 0x7469676874;

}  // namespace

template <typename T>
SectionState<T>::SectionState(const SectionModel& model) : model_(model) {
  now_.item.resize(model.num_items() + 1);
  now_.address.assign(model.num_items(), 0);
  now_.unsupported.assign(model.num_items(), 0);
  now_.order.resize(model.num_items() + 1);
  now_.joined.assign(model.num_sections(), 0);
  constexpr int32_t kLanes = Vector<T>::kLanes;
  const size_t padded = model.num_sections() + kLanes;
  now_.effective.assign(padded, 0);
  now_.candidates.assign(padded, 0);
  now_.remaining.assign(padded, 0);
  above_.assign(padded, 0);
  new_effective_.assign(padded, 0);
  new_candidates_.assign(padded, 0);
  now_.completion.assign(padded, 0);
  new_completion_.assign(padded, 0);
  std::iota(now_.order.begin(), now_.order.end(), 0);
  now_.item.back().lowest = kPlaced;
  Rng rng(kHashSeed);
  for (int32_t item = 0; item < model.num_items(); ++item) {
    const absl::Span<const int32_t> sections = model.sections_of.of(item);
    Item& state = now_.item[item];
    state.size = static_cast<T>(model.size[item]);
    state.first = sections.front();
    state.last = sections.back();
    const int32_t hull = state.last - state.first + 1;
    gapped_.push_back(hull != static_cast<int32_t>(sections.size()));
    any_gapped_ |= gapped_.back() != 0;
    row_begin_.push_back(rows_.size());
    rows_.resize(rows_.size() + hull + kLanes - 1, 0);
    for (size_t i = 0; i < sections.size(); ++i) {
      rows_[row_begin_[item] + sections[i] - state.first] = state.size;
      ++now_.candidates[sections[i]];
      now_.joined[sections[i]] +=
          i + 1 < sections.size() && sections[i + 1] == sections[i] + 1;
    }
    // A twin covers the same sections, so it is in the list of the first one.
    int32_t twin = item;
    for (const int32_t other : model.items_of.of(sections.front())) {
      if (other >= item) break;
      if (now_.item[other].size == state.size &&
          model.sections_of.of(other) == sections) {
        twin = other;
        break;
      }
    }
    twin_.push_back(twin);
    const bool own = twin == item;
    placed_key_.push_back(own ? rng.Next() : placed_key_[twin]);
    lowest_key_.push_back(own ? rng.Next() : lowest_key_[twin]);
    unsupported_key_.push_back(own ? rng.Next() : unsupported_key_[twin]);
  }
  for (int32_t section = 0; section < model.num_sections(); ++section) {
    now_.remaining[section] = static_cast<T>(model.load[section]);
  }
}

template <typename T>
bool SectionState<T>::Covers(int32_t item, int32_t section) const {
  const Item& state = now_.item[item];
  if (section < state.first || section > state.last) return false;
  return rows_[row_begin_[item] + section - state.first] != 0;
}

template <typename T>
absl::Span<const int32_t> SectionState<T>::UnplacedFrom(T from) const {
  const int32_t* const end = now_.order.data() + model_.num_items();
  const int32_t* const begin = std::lower_bound(
      now_.order.data() + now_.num_placed, end, from,
      [this](int32_t a, T address) { return now_.item[a].lowest < address; });
  return {begin, static_cast<size_t>(end - begin)};
}

// REQUIRES: the sections from first to last of the two meet.
template <typename T>
bool SectionState<T>::Share(int32_t item, int32_t other) const {
  if (item == other || !(gapped_[item] | gapped_[other])) return true;
  const absl::Span<const int32_t> neighbors = model_.neighbors_of.of(item);
  return std::binary_search(neighbors.begin(), neighbors.end(), other);
}

template <typename T>
void SectionState<T>::NewChange(int32_t item) {
  Change change;
  change.item = item;
  change.num_unsupported = now_.num_unsupported;
  change.hash = now_.hash;
  change.strain = now_.strain;
  changes_.push_back(change);
}

template <typename T>
bool SectionState<T>::Place(int32_t item) {
  const T bottom = now_.item[item].lowest;
  const T top = static_cast<T>(bottom + now_.item[item].size);
  const int32_t first = now_.item[item].first;
  const int32_t last = now_.item[item].last;
  NewChange(item);
  now_.address[item] = bottom;
  now_.hash +=
      placed_key_[item] - lowest_key_[item] * static_cast<uint64_t>(bottom);
  TakeRow(item);
  if (any_gapped_) {
    Raise<true>(item, kNone, bottom, top);
  } else {
    Raise<false>(item, kNone, bottom, top);
  }
  ++now_.num_placed;
  now_.item[item].lowest = kPlaced;
  NoteRisen(top, /*by_waste=*/false);
  if (now_.num_unsupported > 0) Support(item, top);
  const int32_t num_risen = changes_.back().num_risen;
  return Refresh(num_risen > 0 ? risen_[num_risen_ - num_risen].lowest : top,
                 std::min(touched_first_, first),
                 std::max(touched_last_, last));
}

template <typename T>
bool SectionState<T>::Waste(int32_t section, T floor) {
  const T bottom = now_.effective[section];
  NewChange(kNone);
  if (any_gapped_) {
    Raise<true>(kNone, section, bottom, floor);
  } else {
    Raise<false>(kNone, section, bottom, floor);
  }
  NoteRisen(floor, /*by_waste=*/true);
  if (!Refresh(bottom, touched_first_, touched_last_)) return false;
  failed_section_ = kNone;
  return !SomeRisenFits(bottom);
}

// Of the unplaced items with lowest address in [bottom, top), puts those that
// share a section with `item`, or cover `section`, behind the others, and notes
// them in risen_. Takes `item` out.
template <typename T>
template <bool kGapped>
void SectionState<T>::Raise(int32_t item, int32_t section, T bottom, T top) {
  const bool place = item != kNone;
  const int32_t first = place ? now_.item[item].first : section;
  const int32_t last = place ? now_.item[item].last : section;
  if (risen_.size() < num_risen_ + now_.order.size()) {
    risen_.resize(2 * (num_risen_ + now_.order.size()));
  }
  int32_t* const order = now_.order.data();
  int32_t at = static_cast<int32_t>(UnplacedFrom(bottom).data() - order);
  Change& change = changes_.back();
  int32_t pending = order[at];
  if (place) {
    std::memmove(order + now_.num_placed + 1, order + now_.num_placed,
                 (at - now_.num_placed) * sizeof(int32_t));
  }
  int32_t write = at + (place ? 1 : 0);
  Risen* const risen = &risen_[num_risen_];
  int32_t num_risen = 0;
  // Without branches on which items rise: nothing predicts that. What is at
  // `write` and not yet read is in `pending`. The sentinel ends the loop.
  for (;;) {
    const int32_t other = pending;
    const Item& state = now_.item[other];
    if (state.lowest >= top) break;
    pending = order[++at];
    bool rises = (state.first <= last) & (state.last >= first);
    if (kGapped && rises) {
      rises = place ? Share(item, other) : Covers(other, section);
    }
    const bool placed = other == item;
    change.position = placed ? at - 1 : change.position;
    risen[num_risen] = {other, at - 1, state.lowest,
                        now_.unsupported[other] != 0};
    num_risen += rises & !placed;
    order[write] = rises ? order[write] : other;
    write += rises ? 0 : 1;
  }
  for (int32_t i = 0; i < num_risen; ++i) order[write + i] = risen[i].item;
  change.end = at;
  change.num_risen = num_risen;
  num_risen_ += num_risen;
}

// Gives the items that rose last their lowest address.
template <typename T>
void SectionState<T>::NoteRisen(T top, bool by_waste) {
  touched_first_ = model_.num_sections();
  touched_last_ = -1;
  for (size_t i = num_risen_ - changes_.back().num_risen; i < num_risen_; ++i) {
    const Risen& risen = risen_[i];
    Item& state = now_.item[risen.item];
    state.lowest = top;
    touched_first_ = std::min(touched_first_, state.first);
    touched_last_ = std::max(touched_last_, state.last);
    now_.hash +=
        lowest_key_[risen.item] * static_cast<uint64_t>(top - risen.lowest);
    if (risen.unsupported != by_waste) {
      now_.unsupported[risen.item] = by_waste;
      now_.num_unsupported += by_waste ? 1 : -1;
      now_.hash += by_waste ? unsupported_key_[risen.item]
                            : -unsupported_key_[risen.item];
    }
  }
}

// `item`, just placed, ends at `top`: unsupported items rest on it there.
template <typename T>
void SectionState<T>::Support(int32_t item, T top) {
  Change& change = changes_.back();
  for (int32_t at = change.end; now_.item[now_.order[at]].lowest == top; ++at) {
    const int32_t other = now_.order[at];
    if (!now_.unsupported[other] ||
        now_.item[other].first > now_.item[item].last ||
        now_.item[other].last < now_.item[item].first || !Share(item, other)) {
      continue;
    }
    now_.unsupported[other] = 0;
    --now_.num_unsupported;
    now_.hash -= unsupported_key_[other];
    supported_.push_back(other);
    ++change.num_supported;
  }
}

template <typename T>
void SectionState<T>::Undo() {
  const Change change = changes_.back();
  changes_.pop_back();
  for (int32_t i = 0; i < change.num_supported; ++i) {
    now_.unsupported[supported_.back()] = 1;
    supported_.pop_back();
  }
  num_risen_ -= change.num_risen;
  const Risen* const risen = &risen_[num_risen_];
  for (int32_t i = 0; i < change.num_risen; ++i) {
    now_.item[risen[i].item].lowest = risen[i].lowest;
    now_.unsupported[risen[i].item] = risen[i].unsupported;
  }
  now_.num_unsupported = change.num_unsupported;
  now_.hash = change.hash;
  RestoreOrder(change);
  if (change.item != kNone) {
    --now_.num_placed;
    now_.item[change.item].lowest = now_.address[change.item];
    AddRow(change.item);
  }
  now_.strain = change.strain;
  const size_t count = change.saved_count;
  if (count == 0) return;
  const size_t arrays = tracks_strain_ ? 3 : 2;
  const T* const saved = saved_.data() + saved_.size() - arrays * count;
  std::copy_n(saved, count, &now_.effective[change.saved_first]);
  std::copy_n(saved + count, count, &now_.candidates[change.saved_first]);
  if (tracks_strain_) {
    std::copy_n(saved + 2 * count, count, &now_.completion[change.saved_first]);
  }
  saved_.resize(saved_.size() - arrays * count);
}

// Puts what rose or was placed back where it was, from above.
template <typename T>
void SectionState<T>::RestoreOrder(const Change& change) {
  const Risen* const risen = &risen_[num_risen_];
  int32_t* const order = now_.order.data();
  bool out = change.item != kNone;
  int32_t rose = change.num_risen - 1;
  int32_t stayed = change.end - change.num_risen - 1;
  for (int32_t to = change.end - 1; out || rose >= 0; --to) {
    if (out && to == change.position) {
      // What is below stood one place too far.
      int32_t* const below = order + now_.num_placed;
      std::memmove(below - 1, below,
                   (order + stayed + 1 - below) * sizeof(*below));
      --stayed;
      order[to] = change.item;
      out = false;
      continue;
    }
    const bool take = rose >= 0 && risen[rose].position == to;
    order[to] = take ? risen[rose].item : order[stayed];
    rose -= take ? 1 : 0;
    stayed -= take ? 0 : 1;
  }
}

template class SectionState<int16_t>;
template class SectionState<int32_t>;
template class SectionState<int64_t>;

}  // namespace berth::tight
