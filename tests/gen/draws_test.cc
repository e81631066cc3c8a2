#include "allocator/gen/draws.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "allocator/base/rng.h"
#include "gtest/gtest.h"

namespace berth::gen {
namespace {

TEST(Draws, LogUniformStaysInRangeAndFillsEveryOctaveAlike) {
  Rng rng(1);
  constexpr int kDraws = 100000;
  std::vector<int> octaves(10);
  for (int i = 0; i < kDraws; ++i) {
    const uint64_t value = LogUniform(rng, 12, 22);
    ASSERT_GE(value, 4096u);
    ASSERT_LT(value, uint64_t{4} << 20);
    int octave = 0;
    while (value >> (octave + 13)) ++octave;
    ++octaves[octave];
  }
  for (int count : octaves) EXPECT_NEAR(count, kDraws / 10, kDraws / 100);
}

TEST(Draws, LogUniformIsLogUniformWithinAnOctave) {
  // Half of the mass of [1, 2) lies below sqrt(2) = 1.41421.
  Rng rng(2);
  constexpr int kDraws = 100000;
  int below = 0;
  for (int i = 0; i < kDraws; ++i) below += LogUniform(rng, 20, 21) < 1482910;
  EXPECT_NEAR(below, kDraws / 2, kDraws / 100);
}

TEST(Draws, LogUniformReachesSmallAndLargeOctaves) {
  Rng rng(3);
  EXPECT_EQ(LogUniform(rng, 0, 1), 1u);
  const uint64_t large = LogUniform(rng, 61, 62);
  EXPECT_GE(large, uint64_t{1} << 61);
  EXPECT_LT(large, uint64_t{1} << 62);
}

TEST(Draws, ShuffleKeepsTheValues) {
  Rng rng(4);
  std::vector<int> values = {1, 2, 3, 4, 5, 6, 7, 8};
  Shuffle(rng, values);
  EXPECT_NE(values, (std::vector<int>{1, 2, 3, 4, 5, 6, 7, 8}));
  std::sort(values.begin(), values.end());
  EXPECT_EQ(values, (std::vector<int>{1, 2, 3, 4, 5, 6, 7, 8}));
}

}  // namespace
}  // namespace berth::gen
