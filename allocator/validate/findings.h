// Collects violations in any order and hands them out as a Report.
#ifndef BERTH_ALLOCATOR_VALIDATE_FINDINGS_H_
#define BERTH_ALLOCATOR_VALIDATE_FINDINGS_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "allocator/base/int_math.h"
#include "allocator/validate/placed_set.h"
#include "allocator/validate/validate.h"

namespace berth::validation {

// What a violation is about; the default is the program as a whole, or a CSV.
struct Where {
  int32_t core = -1;
  int32_t function_index = -1;  // in file order, for sorting
  absl::string_view function = "";
};

class Findings {
 public:
  void Add(const Where& where, Invariant invariant, std::string message,
           absl::string_view first = "", absl::string_view second = "",
           int64_t count = 1);

  // Nothing if `offence` is none.
  void Add(const Where& where, Invariant invariant, const PlacedSet& set,
           Offence offence);

  // Nothing if the run record's `said` is what it `is`.
  void AddUnlessEqual(const Where& where, Invariant invariant,
                      absl::string_view field, uint64_t said, uint128 is);

  // By (core, function, invariant); equals in the order they were added.
  Report Finish() &&;

 private:
  struct Entry {
    int32_t function_index = -1;
    Violation violation;
  };
  std::vector<Entry> entries_;
};

}  // namespace berth::validation

#endif  // BERTH_ALLOCATOR_VALIDATE_FINDINGS_H_
