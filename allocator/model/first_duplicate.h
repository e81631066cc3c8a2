// Whether names are unique, for many of them.
#ifndef BERTH_ALLOCATOR_MODEL_FIRST_DUPLICATE_H_
#define BERTH_ALLOCATOR_MODEL_FIRST_DUPLICATE_H_

#include <cstdint>
#include <optional>

#include "absl/functional/function_ref.h"
#include "absl/strings/string_view.h"

namespace berth {

struct Duplicate {
  int32_t first = 0;
  int32_t second = 0;  // > first

  friend bool operator==(const Duplicate&, const Duplicate&) = default;
};

// Of the names name_of(0) .. name_of(count - 1), the least index whose name an
// earlier one has, and the first that has it; nullopt if all differ.
//
// Sorts hashes in buckets that fit a cache instead of probing one large table:
// a million names cost two passes in order rather than a million misses.
// Thread-safety: pure. Cost: O(count log bucket + bytes); 32 bytes per name.
std::optional<Duplicate> FirstDuplicate(
    int32_t count, absl::FunctionRef<absl::string_view(int32_t)> name_of);

}  // namespace berth

#endif  // BERTH_ALLOCATOR_MODEL_FIRST_DUPLICATE_H_
