#include "allocator/placement/tight/section_search.h"

#include <algorithm>
#include <limits>

#include "allocator/base/check.h"
#include "allocator/base/rng.h"

namespace berth::tight {
namespace {

constexpr int32_t kMaxTableBits = 20;
constexpr uint64_t kHashSeed = 0x7469676874;

// How much a section that may waste bytes counts as more candidates.
constexpr double kWasteCandidates = 2.0;

template <typename T>
constexpr T kPlaced = std::numeric_limits<T>::max();

}  // namespace

template <typename T>
SectionSearch<T>::SectionSearch(const SectionModel& model)
    : model_(model),
      num_items_(model.num_items()),
      num_sections_(model.num_sections()),
      item_(num_items_),
      address_(num_items_, 0),
      section_(num_sections_),
      joined_(num_sections_, 0),
      live_(model.items_of.values),
      raised_scratch_(num_items_),
      ease_(num_sections_, 1.0),
      prunes_(num_sections_, 0),
      table_(kMaxTableBits) {
  // Areas lose low bits where 64 would not hold their sum.
  int32_t area_shift = 0;
  while ((model.max_load >> area_shift) >
         std::numeric_limits<int64_t>::max() / std::max(num_sections_, 1)) {
    ++area_shift;
  }
  Rng rng(kHashSeed);
  for (int32_t section = 0; section < num_sections_; ++section) {
    section_key_.push_back(rng.Next() | 1);
    section_[section].remaining = static_cast<T>(model.load[section]);
    section_[section].live = section_[section].candidates =
        static_cast<int32_t>(model.items_of.of(section).size());
  }
  for (int32_t item = 0; item < num_items_; ++item) {
    const absl::Span<const int32_t> sections = model.sections_of.of(item);
    const int32_t count = static_cast<int32_t>(sections.size());
    item_[item].size = static_cast<T>(model.size[item]);
    area_.push_back((model.size[item] >> area_shift) * count);
    first_section_.push_back(sections.front());
    last_section_.push_back(sections.back());
    gapped_.push_back(sections.back() - sections.front() + 1 != count);
    any_gapped_ |= gapped_.back() != 0;
    for (int32_t i = 1; i < count; ++i) {
      joined_[sections[i - 1]] += sections[i - 1] + 1 == sections[i];
    }
    // A twin covers the same sections, so it is in the list of the first one.
    int32_t twin = item;
    for (const int32_t other : model.items_of.of(sections.front())) {
      if (other >= item) break;
      if (item_[other].size == item_[item].size &&
          model.sections_of.of(other) == sections) {
        twin = other;
        break;
      }
    }
    twin_.push_back(twin);
    item_key_.push_back(twin == item ? rng.Next() : item_key_[twin]);
  }
}

template <typename T>
Outcome SectionSearch<T>::Run(T capacity, int64_t max_steps,
                              absl::Span<const int32_t> priority) {
  capacity_ = capacity;
  priority_ = priority;
  best_area_ = 0;
  const int64_t last_step = steps_ + max_steps;
  BERTH_CHECK(frames_.empty() && num_placed_ == 0);
  if (num_items_ == 0) return Outcome::kFound;
  Open();
  while (!frames_.empty()) {
    Frame& frame = frames_.back();
    LeaveBranch(frame);
    if (steps_ >= last_step) {
      Unwind();
      return Outcome::kLimit;
    }
    bool ok = false;
    if (frame.next_choice < frame.choice_end) {
      frame.current = choices_[frame.next_choice++];
      ok = Place(frame.current);
    } else if (frame.waste_to > 0) {
      frame.current = kWaste;
      const T floor = frame.waste_to;
      frame.waste_to = 0;
      ok = Waste(frame.section, floor);
    } else {
      table_.Insert(frame.hash, capacity_);
      choices_.resize(frame.choice_begin);
      frames_.pop_back();
      continue;
    }
    best_area_ = std::max(best_area_, placed_area_);
    if (!ok) continue;
    if (num_placed_ == num_items_) {
      Unwind();
      return Outcome::kFound;
    }
    if (!table_.Contains(hash_, capacity_)) Open();
  }
  return Outcome::kExhausted;
}

// Undoes the branch of `frame` that was tried last, if any.
template <typename T>
void SectionSearch<T>::LeaveBranch(Frame& frame) {
  if (frame.current == kNone) return;
  Undo(frame.item_mark, frame.section_mark);
  if (frame.current >= 0) {
    const int32_t item = frame.current;
    hash_ -= item_key_[item];
    placed_area_ -= area_[item];
    --num_placed_;
    const absl::Span<const int32_t> sections = model_.sections_of.of(item);
    for (size_t i = 1; i < sections.size(); ++i) {
      joined_[sections[i - 1]] += sections[i - 1] + 1 == sections[i];
    }
  }
  frame.current = kNone;
}

template <typename T>
void SectionSearch<T>::Unwind() {
  while (!frames_.empty()) {
    LeaveBranch(frames_.back());
    frames_.pop_back();
  }
  choices_.clear();
}

template <typename T>
bool SectionSearch<T>::Place(int32_t item) {
  ++steps_;
  const T bottom = item_[item].lowest;
  const T top = bottom + item_[item].size;
  address_[item] = bottom;
  item_trail_.push_back({item, bottom});
  item_[item].lowest = kPlaced<T>;
  hash_ += item_key_[item];
  placed_area_ += area_[item];
  ++num_placed_;
  touched_lo_ = num_sections_;
  touched_hi_ = -1;
  for (const int32_t other : model_.neighbors_of.of(item)) {
    if (item_[other].lowest < top) RaiseItem(other, top);
  }
  int32_t previous = -2;
  for (const int32_t section : model_.sections_of.of(item)) {
    if (previous + 1 == section) --joined_[previous];
    previous = section;
    SectionChange& change = Save(section);
    Section& state = section_[section];
    int32_t* const list = &live_[model_.items_of.offsets[section]];
    int32_t at = state.live - 1;
    while (list[at] != item) --at;
    change.moved_at = at;
    change.moved_item = item;
    list[at] = list[--state.live];
    state.floor = top;
    state.remaining -= item_[item].size;
    Refresh(section);
  }
  return RecheckTouched(item, kNone, top);
}

template <typename T>
bool SectionSearch<T>::Waste(int32_t section, T floor) {
  ++steps_;
  touched_lo_ = num_sections_;
  touched_hi_ = -1;
  Save(section);
  Section& state = section_[section];
  const int32_t* const list = &live_[model_.items_of.offsets[section]];
  for (int32_t i = state.live - 1; i >= 0 && item_[list[i]].lowest < floor;
       --i) {
    RaiseItem(list[i], floor);
  }
  state.floor = floor;
  Refresh(section);
  return RecheckTouched(kNone, section, floor);
}

template <typename T>
void SectionSearch<T>::RaiseItem(int32_t item, T to) {
  item_trail_.push_back({item, item_[item].lowest});
  item_[item].lowest = to;
  touched_lo_ = std::min(touched_lo_, first_section_[item]);
  touched_hi_ = std::max(touched_hi_, last_section_[item]);
}

template <typename T>
bool SectionSearch<T>::RecheckTouched(int32_t except_item,
                                      int32_t except_section, T top) {
  const auto excepted = [&](int32_t section) {
    return section == except_section ||
           (except_item >= 0 && model_.Covers(except_item, section));
  };
  // Where a prune fired last, one is likely to fire again.
  if (touched_lo_ <= last_prune_ && last_prune_ <= touched_hi_ &&
      !excepted(last_prune_) && !Fits(last_prune_, top)) {
    NotePrune(last_prune_);
    return false;
  }
  for (int32_t section = touched_lo_; section <= touched_hi_; ++section) {
    if (excepted(section)) continue;
    if (!RecheckSection(section, top)) {
      NotePrune(section);
      return false;
    }
  }
  return true;
}

template <typename T>
void SectionSearch<T>::NotePrune(int32_t section) {
  last_prune_ = section;
  ++prunes_[section];
  ease_[section] = 1.0 / static_cast<double>(1 + prunes_[section]);
}

// The part of the section's list that some items' rise to `top` put out of
// order: from just above `low` to `high`, where those below `high` have stayed
// below. Empty if `fits` is false: rule (3) forbids the rise.
template <typename T>
typename SectionSearch<T>::Risen SectionSearch<T>::FindRisen(int32_t section,
                                                             T top) const {
  const Section& state = section_[section];
  const int32_t* const list = &live_[model_.items_of.offsets[section]];
  Risen risen;
  int32_t at = state.live - 1;
  T below = 0;  // sizes of items with lowest < the address looked at
  while (at >= 0 && item_[list[at]].lowest < top)
    below += item_[list[at--]].size;
  risen.high = risen.low = at;
  if (at < 0 || item_[list[at]].lowest > top)
    return risen;  // nothing rose here
  risen.any = true;
  // Without branches on which of them rose: nothing predicts that.
  for (; at >= 0; --at) {
    const Item& item = item_[list[at]];
    if (item.lowest > top) break;
    // An address that risen items have passed: more lies above it now.
    const bool passed = item.lowest < top;
    const bool over = item.lowest + (state.remaining - below) > capacity_;
    risen.sorted &= !passed;
    risen.fits &= !(passed & over);
    below += item.size & -static_cast<T>(passed);
  }
  risen.low = at;
  risen.fits &= top + (state.remaining - below) <= capacity_;
  return risen;
}

// Restores the order of the section's list after some items rose to `top`.
// False, and nothing is changed, if rule (3) forbids it.
template <typename T>
bool SectionSearch<T>::RecheckSection(int32_t section, T top) {
  const Risen risen = FindRisen(section, top);
  if (!risen.any) return true;
  if (!risen.fits) return false;
  int32_t* const list = &live_[model_.items_of.offsets[section]];
  SectionChange& change = Save(section);
  if (!risen.sorted) {
    change.saved_begin = static_cast<int32_t>(saved_.size());
    change.saved_count = risen.high - risen.low;
    change.moved_at = risen.low + 1;
    saved_.insert(saved_.end(), list + risen.low + 1, list + risen.high + 1);
    int32_t write = risen.high;
    int32_t num_raised = 0;
    for (int32_t i = risen.high; i > risen.low; --i) {
      // Both places are free to write; one moves on.
      const int32_t item = list[i];
      const int32_t raised = item_[item].lowest == top;
      raised_scratch_[num_raised] = item;
      list[write] = item;
      num_raised += raised;
      write -= 1 - raised;
    }
    std::copy_n(raised_scratch_.begin(), num_raised, list + risen.low + 1);
  }
  Refresh(section);
  return true;
}

template <typename T>
void SectionSearch<T>::Refresh(int32_t section) {
  Section& state = section_[section];
  const T before = state.effective;
  state.effective = 0;
  state.candidates = 0;
  if (state.live > 0) {
    const int32_t* const list = &live_[model_.items_of.offsets[section]];
    int32_t i = state.live - 1;
    state.effective = item_[list[i]].lowest;
    while (i >= 0 && item_[list[i]].lowest == state.effective) --i;
    state.candidates = state.live - 1 - i;
  }
  hash_ += section_key_[section] *
           static_cast<uint64_t>(static_cast<int64_t>(state.effective) -
                                 static_cast<int64_t>(before));
}

template <typename T>
typename SectionSearch<T>::SectionChange& SectionSearch<T>::Save(
    int32_t section) {
  section_trail_.push_back({section, kNone, kNone, 0, 0, section_[section]});
  return section_trail_.back();
}

template <typename T>
void SectionSearch<T>::Undo(int32_t item_mark, int32_t section_mark) {
  while (static_cast<int32_t>(section_trail_.size()) > section_mark) {
    const SectionChange& change = section_trail_.back();
    Section& state = section_[change.section];
    int32_t* const list = &live_[model_.items_of.offsets[change.section]];
    if (change.saved_count > 0) {
      std::copy_n(saved_.begin() + change.saved_begin, change.saved_count,
                  list + change.moved_at);
      saved_.resize(change.saved_begin);
    } else if (change.moved_at >= 0) {
      list[change.old.live - 1] = list[change.moved_at];
      list[change.moved_at] = change.moved_item;
    }
    hash_ += section_key_[change.section] *
             static_cast<uint64_t>(static_cast<int64_t>(change.old.effective) -
                                   static_cast<int64_t>(state.effective));
    state = change.old;
    section_trail_.pop_back();
  }
  while (static_cast<int32_t>(item_trail_.size()) > item_mark) {
    item_[item_trail_.back().item].lowest = item_trail_.back().lowest;
    item_trail_.pop_back();
  }
}

// Items with gaps may reach a lower valley elsewhere: then (1) does not hold.
template <typename T>
bool SectionSearch<T>::CandidatesInValley(int32_t section) const {
  const Section& state = section_[section];
  const int32_t* const list = &live_[model_.items_of.offsets[section]];
  for (int32_t i = state.live - state.candidates; i < state.live; ++i) {
    if (!gapped_[list[i]]) continue;
    for (const int32_t other : model_.sections_of.of(list[i])) {
      if (section_[other].effective != state.effective) return false;
    }
  }
  return true;
}

// The section with the fewest branches, in some valley; those that waste, lie
// high or have not pruned yet are put off.
template <typename T>
int32_t SectionSearch<T>::PickSection() const {
  int32_t best = kNone;
  double best_score = std::numeric_limits<double>::infinity();
  int32_t end = 0;
  for (int32_t begin = 0; begin < num_sections_; begin = end) {
    end = begin + 1;
    if (section_[begin].live == 0) continue;
    const T e = section_[begin].effective;
    while (end < num_sections_ && joined_[end - 1] > 0 &&
           section_[end].effective == e) {
      ++end;
    }
    if (begin > 0 && joined_[begin - 1] > 0 &&
        section_[begin - 1].effective < e)
      continue;
    if (end < num_sections_ && joined_[end - 1] > 0 &&
        section_[end].effective < e)
      continue;
    const double height =
        static_cast<double>(capacity_) + static_cast<double>(e);
    for (int32_t section = begin; section < end; ++section) {
      const Section& state = section_[section];
      double score = state.candidates;
      if (e + state.remaining < capacity_) score += kWasteCandidates;
      score *= height;
      score *= ease_[section];
      if (score >= best_score) continue;
      if (any_gapped_ && !CandidatesInValley(section)) continue;
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
  const Section& state = section_[section];
  const T highest = capacity_ - state.remaining;  // floor that still fits all
  const T e = state.effective;
  if (e >= highest) return 0;
  T target = kPlaced<T>;
  const int32_t* const list = &live_[model_.items_of.offsets[section]];
  const int32_t first_candidate = state.live - state.candidates;
  if (first_candidate > 0) target = item_[list[first_candidate - 1]].lowest;
  for (int32_t i = first_candidate; i < state.live; ++i) {
    for (const int32_t other : model_.neighbors_of.of(list[i])) {
      if (item_[other].lowest == kPlaced<T> || model_.Covers(other, section))
        continue;
      const T end = std::max<T>(item_[other].lowest + item_[other].size, e + 1);
      target = std::min(target, end);
    }
  }
  return target <= highest ? target : 0;
}

template <typename T>
void SectionSearch<T>::Open() {
  Frame frame;
  frame.section = PickSection();
  frame.choice_begin = static_cast<int32_t>(choices_.size());
  const Section& state = section_[frame.section];
  const int32_t* const list = &live_[model_.items_of.offsets[frame.section]];
  for (int32_t i = state.live - state.candidates; i < state.live; ++i) {
    const int32_t item = list[i];
    const auto same = [&](int32_t other) {
      return twin_[other] == twin_[item];
    };
    if (std::none_of(choices_.begin() + frame.choice_begin, choices_.end(),
                     same)) {
      choices_.push_back(item);
    }
  }
  std::sort(choices_.begin() + frame.choice_begin, choices_.end(),
            [this](int32_t a, int32_t b) {
              return priority_[a] != priority_[b] ? priority_[a] > priority_[b]
                                                  : a < b;
            });
  frame.choice_end = static_cast<int32_t>(choices_.size());
  frame.next_choice = frame.choice_begin;
  frame.waste_to = WasteTarget(frame.section);
  frame.current = kNone;
  frame.item_mark = static_cast<int32_t>(item_trail_.size());
  frame.section_mark = static_cast<int32_t>(section_trail_.size());
  frame.hash = hash_;
  frames_.push_back(frame);
}

template class SectionSearch<int32_t>;
template class SectionSearch<int64_t>;

}  // namespace berth::tight
