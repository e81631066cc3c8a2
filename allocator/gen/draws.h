// Random draws that are the same on every machine. Internal to allocator/gen.
#ifndef BERTH_ALLOCATOR_GEN_DRAWS_H_
#define BERTH_ALLOCATOR_GEN_DRAWS_H_

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "allocator/base/check.h"
#include "allocator/base/rng.h"

namespace berth::gen {

// Log-uniform in [2^lo, 2^hi), by integers alone: the octave is uniform, and
// within it a uniform m in [1, 2) is kept with probability 1/m, which is
// density 1/x. REQUIRES: 0 <= lo < hi <= 62. Cost: 1.4 tries on average.
inline uint64_t LogUniform(Rng& rng, int lo, int hi) {
  BERTH_CHECK(0 <= lo && lo < hi && hi <= 62);
  const int octave = lo + static_cast<int>(rng.Below(hi - lo));
  constexpr uint64_t kOne = uint64_t{1} << 30;
  uint64_t m = kOne + rng.Below(kOne);
  while (rng.Below(m) >= kOne) m = kOne + rng.Below(kOne);
  return octave <= 30 ? m >> (30 - octave) : m << (octave - 30);
}

// One of `values`, uniformly. REQUIRES: not empty.
template <typename T>
const T& OneOf(Rng& rng, const std::vector<T>& values) {
  return values[rng.Below(values.size())];
}

// Fisher-Yates.
template <typename T>
void Shuffle(Rng& rng, std::vector<T>& values) {
  for (size_t n = values.size(); n > 1; --n) {
    std::swap(values[n - 1], values[rng.Below(n)]);
  }
}

}  // namespace berth::gen

#endif  // BERTH_ALLOCATOR_GEN_DRAWS_H_
