#include "allocator/interference/filter.h"

#include <array>
#include <bit>
#include <vector>

#include "allocator/base/x86.h"

namespace berth {
namespace {

// --- portable: each id is stored, the end moves only past those that pass ---

int32_t* AtLeastPortable(const int32_t* keys, const int32_t* ids, int64_t n,
                         int32_t bound, int32_t* out) {
  for (int64_t i = 0; i < n; ++i) {
    *out = ids[i];
    out += keys[i] >= bound;
  }
  return out;
}

int32_t* PrefixPortable(const int32_t* keys, const int32_t* ids, int64_t n,
                        int32_t bound, int32_t* out) {
  int64_t i = 0;
  for (; i + 16 <= n; i += 16) {
    std::memcpy(out, ids + i, 16 * sizeof(int32_t));
    const int reach = std::popcount(AtLeastMask16(keys + i, bound));
    out += reach;
    if (reach < 16) return out;
  }
  for (; i < n && keys[i] >= bound; ++i) *out++ = ids[i];
  return out;
}

int32_t* OverlappingPortable(const int32_t* los, const int32_t* his,
                             const int32_t* ids, int64_t n, int32_t lo,
                             int32_t hi, int32_t* out) {
  for (int64_t i = 0; i < n; ++i) {
    *out = ids[i];
    out += static_cast<int>(los[i] <= hi) & static_cast<int>(his[i] >= lo);
  }
  return out;
}

int64_t CountAtLeastPortable(const int32_t* keys, int64_t n, int32_t bound) {
  int64_t count = 0;
  for (int64_t i = 0; i < n; ++i) count += keys[i] >= bound;
  return count;
}

int64_t CountOverlappingPortable(const int32_t* los, const int32_t* his,
                                 int64_t n, int32_t lo, int32_t hi) {
  int64_t count = 0;
  for (int64_t i = 0; i < n; ++i) {
    count += static_cast<int>(los[i] <= hi) & static_cast<int>(his[i] >= lo);
  }
  return count;
}

constexpr FilterKernels kPortable = {
    "portable",          AtLeastPortable,      PrefixPortable,
    OverlappingPortable, CountAtLeastPortable, CountOverlappingPortable};

#if BERTH_X86_DISPATCH

// --- AVX2: eight lanes, packed left by a permutation from a table ---

// Entry m: the lanes whose bits are set in m, ascending, one byte each.
constexpr std::array<uint64_t, 256> MakePackTable() {
  std::array<uint64_t, 256> table = {};
  for (uint32_t mask = 0; mask < 256; ++mask) {
    int place = 0;
    for (uint64_t lane = 0; lane < 8; ++lane) {
      if (mask >> lane & 1) table[mask] |= lane << (8 * place++);
    }
  }
  return table;
}
constexpr std::array<uint64_t, 256> kPackTable = MakePackTable();

__attribute__((target("avx2,popcnt"))) inline int32_t* Pack8(__m256i ids,
                                                             uint32_t mask,
                                                             int32_t* out) {
  const __m256i lanes = _mm256_cvtepu8_epi32(
      _mm_cvtsi64_si128(static_cast<int64_t>(kPackTable[mask])));
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(out),
                      _mm256_permutevar8x32_epi32(ids, lanes));
  return out + _mm_popcnt_u32(mask);
}

__attribute__((target("avx2,popcnt"))) inline __m256i Load8(const int32_t* p) {
  return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p));
}

__attribute__((target("avx2,popcnt"))) inline uint32_t Mask8(__m256i lanes) {
  return static_cast<uint32_t>(_mm256_movemask_ps(_mm256_castsi256_ps(lanes)));
}

__attribute__((target("avx2,popcnt"))) int32_t* AtLeastAvx2(const int32_t* keys,
                                                            const int32_t* ids,
                                                            int64_t n,
                                                            int32_t bound,
                                                            int32_t* out) {
  const __m256i b = _mm256_set1_epi32(bound);
  int64_t i = 0;
  for (; i + 8 <= n; i += 8) {
    const uint32_t below = Mask8(_mm256_cmpgt_epi32(b, Load8(keys + i)));
    out = Pack8(Load8(ids + i), ~below & 0xffu, out);
  }
  return AtLeastPortable(keys + i, ids + i, n - i, bound, out);
}

__attribute__((target("avx2,popcnt"))) int32_t* OverlappingAvx2(
    const int32_t* los, const int32_t* his, const int32_t* ids, int64_t n,
    int32_t lo, int32_t hi, int32_t* out) {
  const __m256i l = _mm256_set1_epi32(lo);
  const __m256i h = _mm256_set1_epi32(hi);
  int64_t i = 0;
  for (; i + 8 <= n; i += 8) {
    const uint32_t outside =
        Mask8(_mm256_or_si256(_mm256_cmpgt_epi32(Load8(los + i), h),
                              _mm256_cmpgt_epi32(l, Load8(his + i))));
    out = Pack8(Load8(ids + i), ~outside & 0xffu, out);
  }
  return OverlappingPortable(los + i, his + i, ids + i, n - i, lo, hi, out);
}

__attribute__((target("avx2,popcnt"))) int64_t CountAtLeastAvx2(
    const int32_t* keys, int64_t n, int32_t bound) {
  const __m256i b = _mm256_set1_epi32(bound);
  int64_t count = 0;
  int64_t i = 0;
  for (; i + 8 <= n; i += 8) {
    count += 8 - _mm_popcnt_u32(Mask8(_mm256_cmpgt_epi32(b, Load8(keys + i))));
  }
  return count + CountAtLeastPortable(keys + i, n - i, bound);
}

__attribute__((target("avx2,popcnt"))) int64_t CountOverlappingAvx2(
    const int32_t* los, const int32_t* his, int64_t n, int32_t lo, int32_t hi) {
  const __m256i l = _mm256_set1_epi32(lo);
  const __m256i h = _mm256_set1_epi32(hi);
  int64_t count = 0;
  int64_t i = 0;
  for (; i + 8 <= n; i += 8) {
    count += 8 - _mm_popcnt_u32(Mask8(
                     _mm256_or_si256(_mm256_cmpgt_epi32(Load8(los + i), h),
                                     _mm256_cmpgt_epi32(l, Load8(his + i)))));
  }
  return count + CountOverlappingPortable(los + i, his + i, n - i, lo, hi);
}

// A prefix packs nothing, so SSE2 does as well.
constexpr FilterKernels kAvx2 = {"avx2",           AtLeastAvx2,
                                 PrefixPortable,   OverlappingAvx2,
                                 CountAtLeastAvx2, CountOverlappingAvx2};

// --- AVX-512: compress in a register, then store (compress-store straight to
// memory is an order of magnitude slower on some machines) ---

__attribute__((target("avx512f,popcnt"))) inline int32_t* Pack16(__m512i ids,
                                                                 __mmask16 mask,
                                                                 int32_t* out) {
  _mm512_storeu_si512(out, _mm512_maskz_compress_epi32(mask, ids));
  return out + _mm_popcnt_u32(mask);
}

// The first min(n, 16) lanes.
__attribute__((target("avx512f,popcnt"))) inline __mmask16 Lanes(int64_t n) {
  return static_cast<__mmask16>(n >= 16 ? 0xffff : (1 << n) - 1);
}

__attribute__((target("avx512f,popcnt"))) int32_t* AtLeastAvx512(
    const int32_t* keys, const int32_t* ids, int64_t n, int32_t bound,
    int32_t* out) {
  const __m512i b = _mm512_set1_epi32(bound);
  for (int64_t i = 0; i < n; i += 16) {
    const __mmask16 lanes = Lanes(n - i);
    const __m512i k = _mm512_maskz_loadu_epi32(lanes, keys + i);
    out = Pack16(_mm512_maskz_loadu_epi32(lanes, ids + i),
                 _mm512_mask_cmpge_epi32_mask(lanes, k, b), out);
  }
  return out;
}

__attribute__((target("avx512f,popcnt"))) int32_t* PrefixAvx512(
    const int32_t* keys, const int32_t* ids, int64_t n, int32_t bound,
    int32_t* out) {
  const __m512i b = _mm512_set1_epi32(bound);
  for (int64_t i = 0; i < n; i += 16) {
    const __mmask16 lanes = Lanes(n - i);
    const __m512i k = _mm512_maskz_loadu_epi32(lanes, keys + i);
    _mm512_storeu_si512(out, _mm512_maskz_loadu_epi32(lanes, ids + i));
    const __mmask16 reach = _mm512_mask_cmpge_epi32_mask(lanes, k, b);
    out += _mm_popcnt_u32(reach);
    if (reach != 0xffff) break;
  }
  return out;
}

__attribute__((target("avx512f,popcnt"))) inline __mmask16 OverlapLanes(
    const int32_t* los, const int32_t* his, __mmask16 lanes, __m512i lo,
    __m512i hi) {
  const __mmask16 starts = _mm512_mask_cmple_epi32_mask(
      lanes, _mm512_maskz_loadu_epi32(lanes, los), hi);
  return _mm512_mask_cmpge_epi32_mask(starts,
                                      _mm512_maskz_loadu_epi32(lanes, his), lo);
}

__attribute__((target("avx512f,popcnt"))) int32_t* OverlappingAvx512(
    const int32_t* los, const int32_t* his, const int32_t* ids, int64_t n,
    int32_t lo, int32_t hi, int32_t* out) {
  const __m512i l = _mm512_set1_epi32(lo);
  const __m512i h = _mm512_set1_epi32(hi);
  for (int64_t i = 0; i < n; i += 16) {
    const __mmask16 lanes = Lanes(n - i);
    out = Pack16(_mm512_maskz_loadu_epi32(lanes, ids + i),
                 OverlapLanes(los + i, his + i, lanes, l, h), out);
  }
  return out;
}

__attribute__((target("avx512f,popcnt"))) int64_t CountAtLeastAvx512(
    const int32_t* keys, int64_t n, int32_t bound) {
  const __m512i b = _mm512_set1_epi32(bound);
  int64_t count = 0;
  for (int64_t i = 0; i < n; i += 16) {
    const __mmask16 lanes = Lanes(n - i);
    const __m512i k = _mm512_maskz_loadu_epi32(lanes, keys + i);
    count += _mm_popcnt_u32(_mm512_mask_cmpge_epi32_mask(lanes, k, b));
  }
  return count;
}

__attribute__((target("avx512f,popcnt"))) int64_t CountOverlappingAvx512(
    const int32_t* los, const int32_t* his, int64_t n, int32_t lo, int32_t hi) {
  const __m512i l = _mm512_set1_epi32(lo);
  const __m512i h = _mm512_set1_epi32(hi);
  int64_t count = 0;
  for (int64_t i = 0; i < n; i += 16) {
    count += _mm_popcnt_u32(OverlapLanes(los + i, his + i, Lanes(n - i), l, h));
  }
  return count;
}

constexpr FilterKernels kAvx512 = {"avx512",           AtLeastAvx512,
                                   PrefixAvx512,       OverlappingAvx512,
                                   CountAtLeastAvx512, CountOverlappingAvx512};

#endif  // BERTH_X86_DISPATCH

std::vector<const FilterKernels*> Supported() {
  std::vector<const FilterKernels*> all = {&kPortable};
#if BERTH_X86_DISPATCH
  __builtin_cpu_init();
  if (__builtin_cpu_supports("popcnt")) {
    if (__builtin_cpu_supports("avx2")) all.push_back(&kAvx2);
    if (__builtin_cpu_supports("avx512f")) all.push_back(&kAvx512);
  }
#endif
  return all;
}

}  // namespace

absl::Span<const FilterKernels* const> AllFilters() {
  static const std::vector<const FilterKernels*>& all =
      *new std::vector<const FilterKernels*>(Supported());
  return all;
}

const FilterKernels& Filter() {
  static const FilterKernels& best = *AllFilters().back();
  return best;
}

}  // namespace berth
