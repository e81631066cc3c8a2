// CSV rows in tests, as data.
#ifndef BERTH_TESTS_VALIDATE_ROW_H_
#define BERTH_TESTS_VALIDATE_ROW_H_

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "allocator/model/instance.h"

namespace berth::testing {

inline Buffer Row(std::string id, int64_t lower, int64_t upper, uint64_t size,
                  std::optional<uint64_t> offset = std::nullopt,
                  uint64_t alignment = 1, std::vector<Gap> gaps = {}) {
  Buffer buffer;
  buffer.id = std::move(id);
  buffer.lower = lower;
  buffer.upper = upper;
  buffer.size = size;
  buffer.alignment = alignment;
  buffer.gaps = std::move(gaps);
  buffer.offset = offset;
  return buffer;
}

}  // namespace berth::testing

#endif  // BERTH_TESTS_VALIDATE_ROW_H_
