// Numbers as people read them, by integer arithmetic: no locale, and the same
// text on every machine.
#ifndef BERTH_TOOLS_SHOW_UNITS_H_
#define BERTH_TOOLS_SHOW_UNITS_H_

#include <cstdint>
#include <string>

namespace berth::show {

// "0 B", "512 B", "12.5 MiB", "24 GiB": the largest unit of which there is one,
// rounded to two decimals, trailing zeros left out.
std::string FormatBytes(uint64_t bytes);

// A tick of an axis with this step, exactly: in the largest unit of which the
// step is a multiple of a quarter: 1.25 GiB at step 256 MiB, 1152 MiB at 128.
// REQUIRES: step > 0 divides `bytes`.
std::string FormatTick(uint64_t bytes, uint64_t step);

// "1,234,567".
std::string FormatCount(uint64_t value);

// A value in hundredths: 1250 -> "12.5", -5 -> "-0.05".
std::string FormatHundredths(int64_t hundredths);

// The least power of two that divides `span` into at most `max_steps` steps.
// REQUIRES: max_steps > 0.
uint64_t PowerOfTwoStep(uint64_t span, uint64_t max_steps);

// The least of 1, 2, 5 times a power of ten that does the same.
uint64_t DecimalStep(uint64_t span, uint64_t max_steps);

}  // namespace berth::show

#endif  // BERTH_TOOLS_SHOW_UNITS_H_
