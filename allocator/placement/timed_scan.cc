#include "allocator/placement/timed_scan.h"

#include <bit>
#include <vector>

#include "allocator/base/x86.h"

namespace berth {
namespace {

constexpr GapScan kPortable = {"portable", ScanForGap<uint32_t>};

#if BERTH_X86_DISPATCH

// Both kernels: how far everything before an entry of the block reaches is an
// exclusive prefix maximum of the ends of those alive, by log2(lanes) shifts,
// which do not wait for the block before; what that one left comes in last.
// Sums that wrap may show a gap that is none, so each is looked at again.

// The first lane of `gaps` that is a gap of `size` between before[lane] and
// lo[lane]; the number of lanes if there is none.
inline int FirstGap(uint32_t gaps, const uint32_t* before, const uint32_t* lo,
                    uint32_t size) {
  for (; gaps != 0; gaps &= gaps - 1) {
    const int lane = std::countr_zero(gaps);
    if (lo[lane] > before[lane] && lo[lane] - before[lane] >= size) return lane;
  }
  return 32;
}

__attribute__((target("avx2"))) inline __m256i Load8(const uint32_t* at) {
  return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(at));
}

__attribute__((target("avx2"))) inline __m256i PrefixMax8(__m256i v) {
  v = _mm256_max_epu32(v, _mm256_slli_si256(v, 4));
  v = _mm256_max_epu32(v, _mm256_slli_si256(v, 8));
  // The last of the lower half, to all of the upper.
  const __m256i lower = _mm256_permute2x128_si256(v, v, 0x08);
  return _mm256_max_epu32(v, _mm256_shuffle_epi32(lower, 0xff));
}

__attribute__((target("avx2"))) uint32_t ScanAvx2(
    const TimedEntries<uint32_t>& entries,
    const GapQuestion<uint32_t>& question, uint32_t& position) {
  constexpr uint32_t kLanes = 8;
  const __m256i both = _mm256_set1_epi32(static_cast<int>(kAliveBits));
  const __m256i part = _mm256_set1_epi32(static_cast<int>(question.asked));
  const __m256i above = _mm256_set1_epi32(static_cast<int>(question.size - 1));
  const __m256i rotate = _mm256_setr_epi32(7, 0, 1, 2, 3, 4, 5, 6);
  const __m256i top = _mm256_set1_epi32(7);
  __m256i passed = _mm256_set1_epi32(static_cast<int>(question.from));
  uint32_t at = position;
  for (; at < entries.size; at += kLanes) {
    const __m256i alive = _mm256_cmpeq_epi32(
        _mm256_and_si256(_mm256_sub_epi32(Load8(entries.times + at), part),
                         both),
        both);
    const __m256i ends = PrefixMax8(
        _mm256_and_si256(Load8(entries.hi + at), alive));  // inclusive
    const __m256i shifted = _mm256_blend_epi32(
        _mm256_permutevar8x32_epi32(ends, rotate), _mm256_setzero_si256(), 1);
    const __m256i before = _mm256_max_epu32(shifted, passed);
    const __m256i within = _mm256_add_epi32(before, above);
    const __m256i lo = Load8(entries.lo + at);
    const __m256i near =
        _mm256_cmpeq_epi32(_mm256_max_epu32(lo, within), within);
    const auto gaps = static_cast<uint32_t>(_mm256_movemask_ps(
        _mm256_castsi256_ps(_mm256_andnot_si256(near, alive))));
    if (gaps != 0) {
      alignas(32) uint32_t reach[kLanes];
      _mm256_store_si256(reinterpret_cast<__m256i*>(reach), before);
      const int lane = FirstGap(gaps, reach, entries.lo + at, question.size);
      if (lane < static_cast<int>(kLanes)) {
        position = at / kTimedBlock * kTimedBlock;
        return reach[lane];
      }
    }
    passed = _mm256_max_epu32(passed, _mm256_permutevar8x32_epi32(ends, top));
  }
  position = (at + kTimedBlock - 1) / kTimedBlock * kTimedBlock;
  return static_cast<uint32_t>(_mm256_extract_epi32(passed, 0));
}

constexpr GapScan kAvx2 = {"avx2", ScanAvx2};

// g++ 12 warns of its own header where no lane is masked.
__attribute__((target("avx512f"))) inline __m512i Max16(__m512i a, __m512i b) {
  return _mm512_maskz_max_epu32(0xffff, a, b);
}

// The lanes of v moved up by `by`, zeros below.
template <int by>
__attribute__((target("avx512f"))) inline __m512i Up16(__m512i v) {
  return _mm512_maskz_alignr_epi32(static_cast<__mmask16>(0xffff << by), v, v,
                                   16 - by);
}

__attribute__((target("avx512f"))) uint32_t ScanAvx512(
    const TimedEntries<uint32_t>& entries,
    const GapQuestion<uint32_t>& question, uint32_t& position) {
  constexpr uint32_t kLanes = 16;
  static_assert(kLanes == kTimedBlock);
  const __m512i both = _mm512_set1_epi32(static_cast<int>(kAliveBits));
  const __m512i part = _mm512_set1_epi32(static_cast<int>(question.asked));
  const __m512i above = _mm512_set1_epi32(static_cast<int>(question.size - 1));
  const __m512i top = _mm512_set1_epi32(15);
  __m512i passed = _mm512_set1_epi32(static_cast<int>(question.from));
  uint32_t at = position;
  for (; at < entries.size; at += kLanes) {
    const __m512i times = _mm512_loadu_si512(entries.times + at);
    const __mmask16 alive = _mm512_cmpeq_epi32_mask(
        _mm512_and_si512(_mm512_sub_epi32(times, part), both), both);
    const __m512i hi = _mm512_maskz_loadu_epi32(alive, entries.hi + at);
    __m512i ends = Up16<1>(hi);  // exclusive
    ends = Max16(ends, Up16<1>(ends));
    ends = Max16(ends, Up16<2>(ends));
    ends = Max16(ends, Up16<4>(ends));
    ends = Max16(ends, Up16<8>(ends));
    const __m512i before = Max16(ends, passed);
    const __mmask16 gaps =
        _mm512_mask_cmpgt_epu32_mask(alive, _mm512_loadu_si512(entries.lo + at),
                                     _mm512_add_epi32(before, above));
    if (gaps != 0) {
      alignas(64) uint32_t reach[kLanes];
      _mm512_store_si512(reach, before);
      const int lane = FirstGap(gaps, reach, entries.lo + at, question.size);
      if (lane < static_cast<int>(kLanes)) {
        position = at;
        return reach[lane];
      }
    }
    passed = Max16(
        passed, _mm512_maskz_permutexvar_epi32(0xffff, top, Max16(ends, hi)));
  }
  position = at;
  return static_cast<uint32_t>(_mm512_cvtsi512_si32(passed));
}

constexpr GapScan kAvx512 = {"avx512", ScanAvx512};

#endif  // BERTH_X86_DISPATCH

std::vector<const GapScan*> Supported() {
  std::vector<const GapScan*> all = {&kPortable};
#if BERTH_X86_DISPATCH
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx2")) all.push_back(&kAvx2);
  if (__builtin_cpu_supports("avx512f")) all.push_back(&kAvx512);
#endif
  return all;
}

}  // namespace

absl::Span<const GapScan* const> AllGapScans() {
  static const std::vector<const GapScan*>& all =
      *new std::vector<const GapScan*>(Supported());
  return all;
}

const GapScan& BestGapScan() {
  static const GapScan& best = *AllGapScans().back();
  return best;
}

}  // namespace berth
