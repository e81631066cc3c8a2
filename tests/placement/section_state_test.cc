// SectionState against the same recomputed from its definition after every
// change, over random walks of changes and undoings.
#include "allocator/placement/tight/section_state.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <utility>
#include <vector>

#include "allocator/base/rng.h"
#include "allocator/model/intervals.h"
#include "allocator/placement/tight/section_model.h"
#include "gtest/gtest.h"
#include "tests/placement/random_section_model.h"

namespace berth::tight {
namespace {

constexpr int64_t kNowhere = std::numeric_limits<int64_t>::max();

// The definition, and nothing kept but what it names.
struct PlainState {
  const SectionModel* model = nullptr;
  int64_t capacity = 0;
  std::vector<bool> placed;
  std::vector<int64_t> lowest;
  std::vector<bool> unsupported;
  std::vector<int64_t> completion;  // per section; kept once all are placed

  PlainState(const SectionModel& of, int64_t room)
      : model(&of),
        capacity(room),
        placed(of.num_items(), false),
        lowest(of.num_items(), 0),
        unsupported(of.num_items(), false),
        completion(of.load) {}

  bool Covers(int32_t item, int32_t section) const {
    const auto items = model->items_of.of(section);
    return std::find(items.begin(), items.end(), item) != items.end();
  }
  bool Share(int32_t a, int32_t b) const {
    for (int32_t s = 0; s < model->num_sections(); ++s) {
      if (Covers(a, s) && Covers(b, s)) return true;
    }
    return false;
  }
  std::vector<int32_t> UnplacedOf(int32_t section) const {
    std::vector<int32_t> items;
    for (const int32_t item : model->items_of.of(section)) {
      if (!placed[item]) items.push_back(item);
    }
    return items;
  }
  int64_t Effective(int32_t section) const {
    int64_t least = kNowhere;
    for (const int32_t item : UnplacedOf(section)) {
      least = std::min(least, lowest[item]);
    }
    return least;
  }
  int64_t SizesFrom(int32_t section, int64_t address) const {
    int64_t sum = 0;
    for (const int32_t item : UnplacedOf(section)) {
      if (lowest[item] >= address) sum += model->size[item];
    }
    return sum;
  }
  // The first section without room at the highest address that has one.
  int32_t WithoutRoom() const {
    std::pair<int64_t, int32_t> best = {-1, -1};
    for (int32_t s = 0; s < model->num_sections(); ++s) {
      for (const int32_t item : UnplacedOf(s)) {
        const int64_t x = lowest[item];
        if (x + SizesFrom(s, x) > capacity) best = std::max(best, {x, -s});
      }
    }
    return best.first < 0 ? -1 : -best.second;
  }
  void Complete() {
    for (int32_t s = 0; s < model->num_sections(); ++s) {
      const std::vector<int32_t> items = UnplacedOf(s);
      if (!items.empty()) completion[s] = 0;
      for (const int32_t item : items) {
        completion[s] =
            std::max(completion[s], lowest[item] + SizesFrom(s, lowest[item]));
      }
    }
  }
  int64_t Strain(int64_t half) const {
    int64_t strain = 0;
    for (const int64_t end : completion) {
      strain += 65536 * half / (capacity - end + half);
    }
    return strain;
  }
  void Place(int32_t item) {
    const int64_t top = lowest[item] + model->size[item];
    placed[item] = true;
    for (int32_t other = 0; other < model->num_items(); ++other) {
      if (placed[other] || !Share(item, other) || lowest[other] > top) continue;
      lowest[other] = top;
      unsupported[other] = false;
    }
  }
  // True if an item could have stayed below.
  bool Waste(int32_t section, int64_t floor) {
    const int64_t bottom = Effective(section);
    std::vector<int32_t> raised;
    for (const int32_t item : UnplacedOf(section)) {
      if (lowest[item] >= floor) continue;
      lowest[item] = floor;
      unsupported[item] = true;
      raised.push_back(item);
    }
    for (const int32_t item : raised) {
      bool fits = true;
      for (const int32_t s : model->sections_of.of(item)) {
        fits &= bottom + model->size[item] <= Effective(s);
      }
      if (fits) return true;
    }
    return false;
  }
  // Items at the bottom of all their sections.
  std::vector<int32_t> Placeable() const {
    std::vector<int32_t> items;
    for (int32_t item = 0; item < model->num_items(); ++item) {
      if (placed[item]) continue;
      const auto sections = model->sections_of.of(item);
      if (std::all_of(sections.begin(), sections.end(), [&](int32_t s) {
            return Effective(s) == lowest[item];
          })) {
        items.push_back(item);
      }
    }
    return items;
  }
};

// `half`: of the strain, 0 if it is not tracked.
template <typename T>
void ExpectEqual(const PlainState& plain, int64_t half,
                 const SectionState<T>& state) {
  const SectionModel& model = *plain.model;
  int32_t num_placed = 0;
  for (int32_t item = 0; item < model.num_items(); ++item) {
    num_placed += plain.placed[item];
    ASSERT_EQ(state.lowest(item), plain.placed[item] ? SectionState<T>::kPlaced
                                                     : plain.lowest[item]);
    if (plain.placed[item]) continue;
    ASSERT_EQ(state.unsupported(item), plain.unsupported[item]) << item;
  }
  ASSERT_EQ(state.num_placed(), num_placed);
  const auto unplaced = state.UnplacedFrom(0);
  ASSERT_EQ(static_cast<int32_t>(unplaced.size()),
            model.num_items() - num_placed);
  std::vector<bool> seen = plain.placed;
  for (size_t i = 0; i < unplaced.size(); ++i) {
    ASSERT_FALSE(seen[unplaced[i]]);
    seen[unplaced[i]] = true;
    if (i == 0) continue;
    ASSERT_LE(state.lowest(unplaced[i - 1]), state.lowest(unplaced[i]));
  }
  if (half > 0) {
    ASSERT_EQ(state.strain(), plain.Strain(half));
  }
  for (int32_t s = 0; s < model.num_sections(); ++s) {
    if (half > 0) {
      ASSERT_EQ(state.completion(s), plain.completion[s]);
    }
    const std::vector<int32_t> items = plain.UnplacedOf(s);
    const int64_t effective = plain.Effective(s);
    ASSERT_EQ(state.effective(s),
              items.empty() ? SectionState<T>::kPlaced : effective);
    ASSERT_EQ(state.candidates(s),
              std::count_if(items.begin(), items.end(), [&](int32_t item) {
                return plain.lowest[item] == effective;
              }));
    ASSERT_EQ(state.remaining(s), plain.SizesFrom(s, 0));
    if (s + 1 == model.num_sections()) continue;
    ASSERT_EQ(state.joined(s),
              std::count_if(items.begin(), items.end(), [&](int32_t item) {
                return plain.Covers(item, s + 1);
              }));
  }
}

// A walk of `steps` changes and undoings, now and then back to where a snapshot
// was taken. Adds the refusals by each rule.
template <typename T>
void Walk(const SectionModel& model, Rng& rng, int steps, int& no_room,
          int& fits_below) {
  const int64_t capacity =
      model.max_load + static_cast<int64_t>(rng.Below(1 + model.max_load / 4));
  SectionState<T> state(model);
  state.SetCapacity(static_cast<T>(capacity));
  const auto half = static_cast<int64_t>(rng.Below(4));
  if (half > 0) state.TrackStrain(static_cast<T>(half));
  typename SectionState<T>::Snapshot snapshot;
  state.Save(snapshot);
  PlainState plain_snapshot(model, capacity);
  std::vector<PlainState> plain = {PlainState(model, capacity)};
  std::vector<uint64_t> hashes = {state.hash()};
  ASSERT_NO_FATAL_FAILURE(ExpectEqual(plain.back(), half, state));
  for (int step = 0; step < steps; ++step) {
    const std::vector<int32_t> items = plain.back().Placeable();
    if (rng.OneIn(12)) {
      state.Save(snapshot);
      plain_snapshot = plain.back();
    } else if (rng.OneIn(12)) {
      state.Load(snapshot);
      plain = {plain_snapshot};
      hashes = {state.hash()};
    } else if (items.empty() && plain.size() == 1) {
      continue;
    } else if (plain.size() > 1 && (items.empty() || rng.OneIn(3))) {
      plain.pop_back();
      hashes.pop_back();
      state.Undo();
    } else {
      PlainState next = plain.back();
      const int32_t item = items[rng.Below(items.size())];
      bool ok = false;
      bool below = false;
      if (rng.OneIn(3)) {
        const auto sections = model.sections_of.of(item);
        const int32_t section = sections[rng.Below(sections.size())];
        int64_t floor =
            next.Effective(section) + 1 + static_cast<int64_t>(rng.Below(4));
        for (const int32_t other : next.UnplacedOf(section)) {
          if (next.lowest[other] > next.Effective(section)) {
            floor = std::min(floor, next.lowest[other]);
          }
        }
        ok = state.Waste(section, static_cast<T>(floor));
        below = next.Waste(section, floor);
      } else {
        ok = state.Place(item);
        next.Place(item);
        ASSERT_EQ(state.addresses()[item], plain.back().lowest[item]);
      }
      if (half > 0) next.Complete();
      const int32_t full = next.WithoutRoom();
      ASSERT_EQ(ok, full < 0 && !below);
      if (ok) {
        plain.push_back(next);
        hashes.push_back(state.hash());
      } else {
        ASSERT_EQ(state.failed_section(), full);
        no_room += full >= 0;
        fits_below += full < 0;
        state.Undo();
      }
    }
    ASSERT_NO_FATAL_FAILURE(ExpectEqual(plain.back(), half, state)) << step;
    ASSERT_EQ(state.hash(), hashes.back());
  }
}

TEST(SectionState, EqualsItsDefinition) {
  int no_room = 0;
  int fits_below = 0;
  for (uint64_t seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Rng rng(seed);
    const SectionModel model = RandomModel(
        {.max_items = 24, .max_times = 31, .max_runs = seed % 3 == 0 ? 3 : 1},
        rng);
    ASSERT_NO_FATAL_FAILURE(Walk<int16_t>(model, rng, 60, no_room, fits_below));
    ASSERT_NO_FATAL_FAILURE(Walk<int32_t>(model, rng, 60, no_room, fits_below));
    ASSERT_NO_FATAL_FAILURE(Walk<int64_t>(model, rng, 60, no_room, fits_below));
  }
  EXPECT_GT(no_room, 1000);
  EXPECT_GT(fits_below, 100);
}

// Whatever the order of placing, and whichever of two equal items: one state.
TEST(SectionState, HashTellsStatesNotPaths) {
  IntervalTable live;
  for (const Interval& run :
       {Interval{0, 1}, Interval{3, 4}, Interval{3, 4}, Interval{0, 4}}) {
    live.Append(std::vector<Interval>{run});
  }
  const std::vector<int32_t> nodes = {0, 1, 2, 3};
  const std::vector<int64_t> sizes = {2, 3, 3, 1};
  const SectionModel model =
      *BuildSectionModel(live, nodes, sizes, SectionModelLimits());
  SectionState<int16_t> state(model);
  state.SetCapacity(20);
  const uint64_t empty = state.hash();
  std::map<std::vector<int32_t>, uint64_t> hash_of;
  for (const std::vector<int32_t>& order :
       {std::vector<int32_t>{0, 1}, {1, 0}, {0, 2}, {2, 0}, {0, 1, 2}, {0}}) {
    for (const int32_t item : order) ASSERT_TRUE(state.Place(item));
    hash_of[order] = state.hash();
    for (size_t i = 0; i < order.size(); ++i) state.Undo();
    ASSERT_EQ(state.hash(), empty);
  }
  EXPECT_EQ((hash_of[{0, 1}]), (hash_of[{1, 0}]));
  EXPECT_EQ((hash_of[{0, 1}]), (hash_of[{0, 2}]));
  EXPECT_EQ((hash_of[{0, 1}]), (hash_of[{2, 0}]));
  EXPECT_NE((hash_of[{0, 1}]), (hash_of[{0, 1, 2}]));
  EXPECT_NE((hash_of[{0, 1}]), (hash_of[{0}]));
}

}  // namespace
}  // namespace berth::tight
