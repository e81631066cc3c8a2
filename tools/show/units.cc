#include "tools/show/units.h"

#include "absl/strings/str_cat.h"
#include "allocator/base/check.h"
#include "allocator/base/int_math.h"

namespace berth::show {
namespace {

constexpr const char* kUnits[] = {"B",   "KiB", "MiB", "GiB",
                                  "TiB", "PiB", "EiB"};
constexpr int kNumUnits = 7;

std::string InUnit(uint128 hundredths, int unit) {
  return absl::StrCat(FormatHundredths(static_cast<int64_t>(hundredths)), " ",
                      kUnits[unit]);
}

}  // namespace

std::string FormatBytes(uint64_t bytes) {
  int unit = 0;
  while (unit < 6 && (bytes >> (10 * unit)) >= 1024) ++unit;
  const uint128 one = uint128{1} << (10 * unit);
  uint128 hundredths = (uint128{bytes} * 100 + one / 2) / one;
  if (hundredths >= 1024 * 100 && unit < 6) {  // rounded up to the next unit
    ++unit;
    hundredths = 100;
  }
  return InUnit(hundredths, unit);
}

std::string FormatTick(uint64_t bytes, uint64_t step) {
  BERTH_CHECK(step > 0);
  int unit = 0;
  while (unit + 1 < kNumUnits &&
         step % ((uint64_t{1} << (10 * (unit + 1))) / 4) == 0) {
    ++unit;
  }
  return bytes == 0
             ? "0"
             : InUnit(uint128{bytes} * 100 / (uint128{1} << (10 * unit)), unit);
}

std::string FormatCount(uint64_t value) {
  const std::string digits = absl::StrCat(value);
  std::string text;
  for (size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % 3 == 0) text += ',';
    text += digits[i];
  }
  return text;
}

std::string FormatHundredths(int64_t hundredths) {
  const bool negative = hundredths < 0;
  const uint64_t value = negative ? -static_cast<uint64_t>(hundredths)
                                  : static_cast<uint64_t>(hundredths);
  std::string text = absl::StrCat(negative ? "-" : "", value / 100);
  const uint64_t rest = value % 100;
  if (rest != 0) {
    absl::StrAppend(&text, ".", rest / 10);
    if (rest % 10 != 0) absl::StrAppend(&text, rest % 10);
  }
  return text;
}

uint64_t PowerOfTwoStep(uint64_t span, uint64_t max_steps) {
  BERTH_CHECK(max_steps > 0);
  uint64_t step = 1;
  while (step < uint64_t{1} << 63 && span / step > max_steps) step *= 2;
  return step;
}

uint64_t DecimalStep(uint64_t span, uint64_t max_steps) {
  BERTH_CHECK(max_steps > 0);
  uint64_t power = 1;
  while (true) {
    for (const uint64_t factor : {1, 2, 5}) {
      if (span / (power * factor) <= max_steps) return power * factor;
    }
    // 10^18 * 18 passes any span, so the loop ends before this wraps.
    if (power >= 1'000'000'000'000'000'000u) return power * 10;
    power *= 10;
  }
}

}  // namespace berth::show
