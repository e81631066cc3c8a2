// ByteMap against an array of bytes.
#include "allocator/simulate/byte_map.h"

#include <cstdint>
#include <vector>

#include "allocator/base/rng.h"
#include "gtest/gtest.h"

namespace berth::machine {
namespace {

TEST(ByteMap, EqualsAnArrayOfTags) {
  constexpr uint64_t kBytes = 40;
  for (uint64_t seed = 1; seed <= 200; ++seed) {
    Rng rng(seed);
    ByteMap map;
    std::vector<Tag> array(kBytes);
    for (int32_t step = 0; step < 40; ++step) {
      const uint64_t lo = rng.Below(kBytes);
      const uint64_t hi = lo + 1 + rng.Below(kBytes - lo);
      const Tag tag = {step, static_cast<int32_t>(rng.Below(3)), rng.Below(100),
                       0};
      map.Write(lo, hi, tag);
      for (uint64_t b = lo; b < hi; ++b) array[b] = tag.Plus(b - lo);
      const uint64_t from = rng.Below(kBytes);
      const uint64_t to = from + rng.Below(kBytes - from + 1);
      uint64_t next = from;
      map.ForEach(from, to, [&](uint64_t a, uint64_t b, const Tag& found) {
        for (; next < a; ++next) EXPECT_EQ(array[next].writer, -1);
        for (; next < b; ++next) {
          EXPECT_TRUE(array[next].Same(found.Plus(next - a)));
        }
      });
      for (; next < to; ++next) EXPECT_EQ(array[next].writer, -1);
    }
  }
}

}  // namespace
}  // namespace berth::machine
