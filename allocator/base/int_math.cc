#include "allocator/base/int_math.h"

#include <algorithm>
#include <string>

namespace berth {

std::string ToString(uint128 value) {
  std::string digits;
  do {
    digits.push_back(static_cast<char>('0' + static_cast<int>(value % 10)));
    value /= 10;
  } while (value != 0);
  std::reverse(digits.begin(), digits.end());
  return digits;
}

double Ratio(uint128 numerator, uint128 denominator) {
  if (denominator == 0) return 1.0;
  return static_cast<double>(numerator) / static_cast<double>(denominator);
}

}  // namespace berth
