// Checked integer arithmetic for sizes, addresses and loads (spec §1).
//
// Sizes and addresses are u64 and never wrap: every sum, product or rounding
// that can overflow goes through one of the functions below, which return
// nullopt instead. Loads and pressures are 128-bit and cannot overflow for any
// input that the int32 counts of spec §2 admit.
//
// Thread-safety: pure functions. Cost: O(1).
#ifndef BERTH_ALLOCATOR_BASE_INT_MATH_H_
#define BERTH_ALLOCATOR_BASE_INT_MATH_H_

#include <cstdint>
#include <limits>
#include <optional>
#include <string>

namespace berth {

__extension__ using uint128 = unsigned __int128;
__extension__ using int128 = __int128;

// page(DRAM), whatever any option says (spec §6).
inline constexpr uint64_t kDramPageBytes = 4096;

// Counts and flat indices are int32; this many or more is refused (spec §2).
inline constexpr int64_t kMaxCount = std::numeric_limits<int32_t>::max();

inline std::optional<uint64_t> CheckedAdd(uint64_t a, uint64_t b) {
  uint64_t sum = 0;
  if (__builtin_add_overflow(a, b, &sum)) return std::nullopt;
  return sum;
}

inline std::optional<uint64_t> CheckedMul(uint64_t a, uint64_t b) {
  uint64_t product = 0;
  if (__builtin_mul_overflow(a, b, &product)) return std::nullopt;
  return product;
}

// `value` rounded up to a multiple of `granule`. REQUIRES: granule > 0.
inline std::optional<uint64_t> CheckedRoundUp(uint64_t value,
                                              uint64_t granule) {
  const uint64_t rest = value % granule;
  return rest == 0 ? std::optional<uint64_t>(value)
                   : CheckedAdd(value, granule - rest);
}

// Decimal digits of a 128-bit value.
std::string ToString(uint128 value);

// numerator / denominator as a double, 1 if both are 0 or denominator is 0.
// The one place where ratios of loads are formed (spec §9).
double Ratio(uint128 numerator, uint128 denominator);

}  // namespace berth

#endif  // BERTH_ALLOCATOR_BASE_INT_MATH_H_
