#include "tools/show/address_axis.h"

#include <cstdint>
#include <limits>
#include <vector>

#include "gtest/gtest.h"

namespace berth::show {
namespace {

constexpr uint64_t kMax64 = std::numeric_limits<uint64_t>::max();
constexpr Px100 kHeight = 500 * kPixel;

int NumBreaks(const AddressAxis& axis) {
  int count = 0;
  for (const AxisSegment& segment : axis.segments()) count += segment.broken;
  return count;
}

TEST(AddressAxis, IsLinearWhereNothingIsEmpty) {
  const AddressAxis axis({{0, 100}}, 0, kHeight);
  EXPECT_EQ(NumBreaks(axis), 0);
  EXPECT_EQ(axis.HeightOf(0), 0);
  EXPECT_EQ(axis.HeightOf(25), kHeight / 4);
  EXPECT_EQ(axis.HeightOf(100), kHeight);
  EXPECT_EQ(axis.HeightOf(kMax64), kHeight);
}

TEST(AddressAxis, BreaksALongEmptyStretch) {
  const AddressAxis axis({{0, 10}, {1000, 1030}}, 0, kHeight);
  ASSERT_EQ(axis.segments().size(), 3u);
  EXPECT_TRUE(axis.segments()[1].broken);
  EXPECT_EQ(axis.linear_bytes(), 40u);
  EXPECT_EQ(axis.HeightOf(10), (kHeight - kBreakHeight) / 4);
  EXPECT_EQ(axis.HeightOf(1000), axis.HeightOf(10) + kBreakHeight);
  EXPECT_EQ(axis.HeightOf(1030), kHeight);
}

TEST(AddressAxis, BreaksBelowTheFirstAndAboveTheLast) {
  EXPECT_EQ(NumBreaks(AddressAxis({{uint64_t{1} << 63, kMax64}}, 0, kHeight)),
            1);
  EXPECT_EQ(NumBreaks(AddressAxis({{0, 10}}, 5000, kHeight)), 1);
  EXPECT_EQ(NumBreaks(AddressAxis({{0, 10}}, 13, kHeight)), 0);
}

TEST(AddressAxis, SegmentsTouchAndHeightsAreMonotone) {
  std::vector<ByteSpan> spans;
  for (uint64_t i = 0; i < 30; ++i)
    spans.push_back({i << 40, (i << 40) + 4096});
  spans.push_back({kMax64 - 5, kMax64});
  spans.push_back({7, 7});
  spans.push_back({9, 3});  // means nothing
  const AddressAxis axis(spans, 0, kHeight);
  EXPECT_EQ(NumBreaks(axis), 8);
  uint64_t end = 0;
  Px100 height = 0;
  for (const AxisSegment& segment : axis.segments()) {
    EXPECT_EQ(segment.bytes.lo, end);
    EXPECT_EQ(segment.bottom, height);
    EXPECT_LE(segment.bottom, segment.top);
    end = segment.bytes.hi;
    height = segment.top;
  }
  EXPECT_EQ(end, kMax64);
  EXPECT_EQ(height, kHeight);
}

TEST(AddressAxis, SurvivesNothing) {
  const AddressAxis axis({}, 0, kHeight);
  EXPECT_EQ(axis.top(), 1u);
  EXPECT_EQ(axis.HeightOf(0), 0);
}

}  // namespace
}  // namespace berth::show
