// Every vector kernel this machine supports against the portable one, lengths
// on both sides of each vector width, and nothing written past the slack.
#include "allocator/interference/filter.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "allocator/base/rng.h"
#include "gtest/gtest.h"

namespace berth {
namespace {

constexpr int32_t kGuard = 0x7e57;

struct Input {
  std::vector<int32_t> lo, hi, id;
};

Input RandomInput(int64_t n, Rng* rng) {
  static constexpr int32_t kEdges[] = {std::numeric_limits<int32_t>::min(), -1,
                                       0, 1,
                                       std::numeric_limits<int32_t>::max()};
  Input input;
  const auto time = [rng] {
    return rng->OneIn(5) ? kEdges[rng->Below(5)]
                         : static_cast<int32_t>(rng->Between(-9, 9));
  };
  for (int64_t i = 0; i < n; ++i) {
    input.lo.push_back(time());
    input.hi.push_back(time());
    input.id.push_back(static_cast<int32_t>(i * 3));
  }
  return input;
}

template <typename Run>
std::vector<int32_t> Collect(int64_t n, Run run) {
  std::vector<int32_t> out(static_cast<size_t>(n + kFilterSlack + 1), kGuard);
  const int32_t* end = run(out.data());
  EXPECT_EQ(out.back(), kGuard);
  out.resize(static_cast<size_t>(end - out.data()));
  return out;
}

TEST(Filter, AllKernelsAgree) {
  const FilterKernels& plain = *AllFilters().front();
  EXPECT_STREQ(plain.name, "portable");
  Rng rng(1);
  for (const FilterKernels* kernels : AllFilters()) {
    SCOPED_TRACE(kernels->name);
    for (int64_t n = 0; n <= 70; ++n) {
      const Input in = RandomInput(n, &rng);
      for (const int32_t lo : {INT32_MIN, -3, 0, 4, INT32_MAX}) {
        const auto at_least = [&](const FilterKernels& k) {
          return Collect(n, [&](int32_t* out) {
            return k.at_least(in.hi.data(), in.id.data(), n, lo, out);
          });
        };
        ASSERT_EQ(at_least(*kernels), at_least(plain)) << n << " " << lo;
        std::vector<int32_t> descending = in.hi;
        std::sort(descending.rbegin(), descending.rend());
        const auto prefix = [&](const FilterKernels& k) {
          return Collect(n, [&](int32_t* out) {
            return k.prefix(descending.data(), in.id.data(), n, lo, out);
          });
        };
        ASSERT_EQ(prefix(*kernels), prefix(plain)) << n << " " << lo;
        ASSERT_EQ(
            prefix(plain).size(),
            static_cast<size_t>(plain.count_at_least(in.hi.data(), n, lo)));
        ASSERT_EQ(kernels->count_at_least(in.hi.data(), n, lo),
                  plain.count_at_least(in.hi.data(), n, lo));
        for (const int32_t hi : {INT32_MIN, -4, 1, 6, INT32_MAX}) {
          const auto overlapping = [&](const FilterKernels& k) {
            return Collect(n, [&](int32_t* out) {
              return k.overlapping(in.lo.data(), in.hi.data(), in.id.data(), n,
                                   lo, hi, out);
            });
          };
          ASSERT_EQ(overlapping(*kernels), overlapping(plain));
          ASSERT_EQ(
              kernels->count_overlapping(in.lo.data(), in.hi.data(), n, lo, hi),
              static_cast<int64_t>(overlapping(plain).size()));
        }
      }
    }
  }
}

TEST(Filter, MasksOfSixteen) {
  Rng rng(2);
  for (int round = 0; round < 500; ++round) {
    const Input in = RandomInput(16, &rng);
    const int32_t lo = static_cast<int32_t>(rng.Between(-9, 9));
    const int32_t hi = static_cast<int32_t>(rng.Between(-9, 9));
    uint32_t at_least = 0;
    uint32_t overlap = 0;
    for (int i = 0; i < 16; ++i) {
      at_least |= uint32_t{in.hi[i] >= lo} << i;
      overlap |= uint32_t{in.lo[i] <= hi && in.hi[i] >= lo} << i;
    }
    ASSERT_EQ(AtLeastMask16(in.hi.data(), lo), at_least);
    ASSERT_EQ(OverlapMask16(in.lo.data(), in.hi.data(), lo, hi), overlap);
  }
}

}  // namespace
}  // namespace berth
