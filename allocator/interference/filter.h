// Vector kernels of the oracles: copy the ids whose interval passes a test.
//
// Portable code first; where it pays, the same loops in AVX2 and AVX-512 picked
// once at run time by what the machine supports (-march=native is not needed).
// All kernels keep the order of their input, so answers are the same bytes on
// every machine. The differential test runs every kernel the machine supports
// against the portable one.
//
// `out` must have room for every input element plus kFilterSlack: kernels store
// whole vectors and return the true end.
//
// Thread-safety: pure functions. Cost: O(n); about 1 ns per element portable
// without vectors, 0.3 SSE2, 0.06 AVX-512.
#ifndef BERTH_ALLOCATOR_INTERFERENCE_FILTER_H_
#define BERTH_ALLOCATOR_INTERFERENCE_FILTER_H_

#include <cstdint>
#include <cstring>

#include "absl/types/span.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace berth {

// Elements that may be written past the end of an answer.
inline constexpr int32_t kFilterSlack = 16;

struct FilterKernels {
  const char* name;
  // ids[i] where keys[i] >= bound.
  int32_t* (*at_least)(const int32_t* keys, const int32_t* ids, int64_t n,
                       int32_t bound, int32_t* out);
  // The same of keys that descend: the ids before the first key < bound. Reads
  // no further than the vector that holds that key.
  int32_t* (*prefix)(const int32_t* keys, const int32_t* ids, int64_t n,
                     int32_t bound, int32_t* out);
  // ids[i] where los[i] <= hi and his[i] >= lo.
  int32_t* (*overlapping)(const int32_t* los, const int32_t* his,
                          const int32_t* ids, int64_t n, int32_t lo, int32_t hi,
                          int32_t* out);
  // How many of either.
  int64_t (*count_at_least)(const int32_t* keys, int64_t n, int32_t bound);
  int64_t (*count_overlapping)(const int32_t* los, const int32_t* his,
                               int64_t n, int32_t lo, int32_t hi);
};

// The best on this machine.
const FilterKernels& Filter();

// Every one this machine supports, the portable one first.
absl::Span<const FilterKernels* const> AllFilters();

// Copies n ids in whole vectors: reads and writes up to kFilterSlack - 1
// elements past the end of both, so the source needs the slack too.
inline int32_t* CopyIds(const int32_t* ids, int64_t n, int32_t* out) {
  if (n > 64) {
    std::memcpy(out, ids, static_cast<size_t>(n) * sizeof(int32_t));
    return out + n;
  }
  for (int64_t i = 0; i < n; i += kFilterSlack) {
    std::memcpy(out + i, ids + i, kFilterSlack * sizeof(int32_t));
  }
  return out + n;
}

// Bit i set where keys[i] >= bound, of sixteen keys.
inline uint32_t AtLeastMask16(const int32_t* keys, int32_t bound) {
#if defined(__SSE2__)
  const __m128i b = _mm_set1_epi32(bound);
  const auto load = [keys](int i) {
    return _mm_loadu_si128(reinterpret_cast<const __m128i*>(keys + i));
  };
  // bound > key, packed to sixteen bytes; the mask is its complement.
  const __m128i low =
      _mm_packs_epi32(_mm_cmpgt_epi32(b, load(0)), _mm_cmpgt_epi32(b, load(4)));
  const __m128i high = _mm_packs_epi32(_mm_cmpgt_epi32(b, load(8)),
                                       _mm_cmpgt_epi32(b, load(12)));
  return ~static_cast<uint32_t>(_mm_movemask_epi8(_mm_packs_epi16(low, high))) &
         0xffffu;
#else
  uint32_t mask = 0;
  for (int i = 0; i < 16; ++i) mask |= uint32_t{keys[i] >= bound} << i;
  return mask;
#endif
}

// Bit i set where los[i] <= hi and his[i] >= lo, of sixteen intervals.
inline uint32_t OverlapMask16(const int32_t* los, const int32_t* his,
                              int32_t lo, int32_t hi) {
#if defined(__SSE2__)
  const __m128i l = _mm_set1_epi32(lo);
  const __m128i h = _mm_set1_epi32(hi);
  const auto outside = [&](int i) {
    const __m128i a =
        _mm_loadu_si128(reinterpret_cast<const __m128i*>(los + i));
    const __m128i b =
        _mm_loadu_si128(reinterpret_cast<const __m128i*>(his + i));
    return _mm_or_si128(_mm_cmpgt_epi32(a, h), _mm_cmpgt_epi32(l, b));
  };
  const __m128i low = _mm_packs_epi32(outside(0), outside(4));
  const __m128i high = _mm_packs_epi32(outside(8), outside(12));
  return ~static_cast<uint32_t>(_mm_movemask_epi8(_mm_packs_epi16(low, high))) &
         0xffffu;
#else
  uint32_t mask = 0;
  for (int i = 0; i < 16; ++i) {
    mask |= uint32_t{los[i] <= hi && his[i] >= lo} << i;
  }
  return mask;
#endif
}

}  // namespace berth

#endif  // BERTH_ALLOCATOR_INTERFERENCE_FILTER_H_
