// SplitMix64: the one seeded generator. The same seed gives the same numbers on
// every machine and compiler, which <random>'s distributions do not promise.
//
// Thread-safety: none; one Rng per user. Cost: O(1) per number.
#ifndef BERTH_ALLOCATOR_BASE_RNG_H_
#define BERTH_ALLOCATOR_BASE_RNG_H_

#include <cstdint>

#include "allocator/base/check.h"

namespace berth {

class Rng {
 public:
  explicit Rng(uint64_t seed) : state_(seed) {}

  uint64_t Next() {
    uint64_t z = (state_ += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }

  // Uniform in [0, bound). REQUIRES: bound > 0.
  uint64_t Below(uint64_t bound) {
    BERTH_CHECK(bound > 0);
    __extension__ using Wide = unsigned __int128;
    return static_cast<uint64_t>((static_cast<Wide>(Next()) * bound) >> 64);
  }

  // Uniform in [lo, hi]. REQUIRES: lo <= hi.
  int64_t Between(int64_t lo, int64_t hi) {
    BERTH_CHECK(lo <= hi);
    const uint64_t width =
        static_cast<uint64_t>(hi) - static_cast<uint64_t>(lo);
    if (width == ~uint64_t{0}) return static_cast<int64_t>(Next());
    return static_cast<int64_t>(static_cast<uint64_t>(lo) + Below(width + 1));
  }

  // Uniform in [0, 1), 53 bits.
  double Unit() { return static_cast<double>(Next() >> 11) * 0x1.0p-53; }

  // True once in `n` draws on average. REQUIRES: n > 0.
  bool OneIn(uint64_t n) { return Below(n) == 0; }

 private:
  uint64_t state_;
};

}  // namespace berth

#endif  // BERTH_ALLOCATOR_BASE_RNG_H_
