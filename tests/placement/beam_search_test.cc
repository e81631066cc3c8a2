// BeamSearch against SectionSearch, which is held to brute force elsewhere.
#include "allocator/placement/tight/beam_search.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "allocator/base/rng.h"
#include "allocator/placement/tight/outcome.h"
#include "allocator/placement/tight/section_model.h"
#include "allocator/placement/tight/section_search.h"
#include "gtest/gtest.h"
#include "tests/placement/random_section_model.h"

namespace berth::tight {
namespace {

constexpr int64_t kNoLimit = std::numeric_limits<int32_t>::max();

BeamGuide RandomGuide(const SectionModel& model, Rng& rng) {
  BeamGuide guide;
  for (int32_t item = 0; item < model.num_items(); ++item) {
    guide.value.push_back(static_cast<int64_t>(rng.Below(100'000)));
  }
  guide.half_permille = static_cast<int64_t>(rng.Below(30));
  return guide;
}

template <typename T>
void ExpectPacking(const SectionModel& model, int64_t capacity,
                   const BeamSearch<T>& beam) {
  const auto addresses = beam.addresses();
  for (int32_t item = 0; item < model.num_items(); ++item) {
    ASSERT_GE(addresses[item], 0);
    ASSERT_LE(addresses[item] + model.size[item], capacity);
    for (const int32_t other : model.neighbors_of.of(item)) {
      ASSERT_TRUE(addresses[other] >= addresses[item] + model.size[item] ||
                  addresses[item] >= addresses[other] + model.size[other]);
    }
  }
}

Outcome DepthFirst(const SectionModel& model, int32_t capacity) {
  SectionSearch<int32_t> search(model);
  Guide guide;
  guide.priority.assign(model.num_items(), 0);
  return search.Run(capacity, kNoLimit, guide);
}

// A beam that leaves nothing out finds a packing, or there is none.
TEST(BeamSearch, WideEnoughItIsExact) {
  int found = 0;
  int none = 0;
  for (uint64_t seed = 0; seed < 1000; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Rng rng(seed);
    const SectionModel model = RandomModel(
        {.max_items = 9, .max_times = 13, .max_runs = seed % 3 == 0 ? 2 : 1},
        rng);
    BeamSearch<int32_t> beam(model);
    for (const int64_t capacity : {model.max_load, model.max_load + 1}) {
      beam.Start(static_cast<int32_t>(capacity), 1 << 20,
                 RandomGuide(model, rng));
      beam.Advance(kNoLimit);
      ASSERT_FALSE(beam.running());
      const Outcome want = DepthFirst(model, static_cast<int32_t>(capacity));
      ASSERT_EQ(beam.outcome(), want);
      (want == Outcome::kFound ? found : none) += 1;
      if (want != Outcome::kFound) continue;
      ASSERT_NO_FATAL_FAILURE(ExpectPacking(model, capacity, beam));
    }
  }
  EXPECT_GT(found, 1000);
  EXPECT_GT(none, 20);
}

// Narrow ones say nothing false, and no more of them than their steps.
TEST(BeamSearch, NarrowOnesFindOrGiveUp) {
  int found = 0;
  int given_up = 0;
  for (uint64_t seed = 0; seed < 500; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Rng rng(seed);
    const SectionModel model = RandomModel(
        {.max_items = 16, .max_times = 13, .max_runs = seed % 3 == 0 ? 2 : 1},
        rng);
    const BeamGuide guide = RandomGuide(model, rng);
    const auto width = static_cast<int32_t>(1 + rng.Below(3));
    BeamSearch<int16_t> beam(model);
    beam.Start(static_cast<int16_t>(model.max_load), width, guide);
    beam.Advance(kNoLimit);
    ASSERT_FALSE(beam.running());
    if (beam.outcome() == Outcome::kFound) {
      ++found;
      ASSERT_NO_FATAL_FAILURE(ExpectPacking(model, model.max_load, beam));
    } else if (beam.outcome() == Outcome::kExhausted) {
      ASSERT_EQ(DepthFirst(model, static_cast<int32_t>(model.max_load)),
                Outcome::kExhausted);
    } else {
      ++given_up;
    }
    // The same again, step by step and in wider numbers.
    BeamSearch<int64_t> again(model);
    again.Start(model.max_load, width, guide);
    while (again.running()) again.Advance(1);
    ASSERT_EQ(again.outcome(), beam.outcome());
    ASSERT_EQ(again.steps(), beam.steps());
    ASSERT_TRUE(std::equal(again.addresses().begin(), again.addresses().end(),
                           beam.addresses().begin(), beam.addresses().end()));
  }
  EXPECT_GT(found, 200);
  EXPECT_GT(given_up, 20);
}

}  // namespace
}  // namespace berth::tight
