// Floors recomputed from the addresses of a placed program (spec §9).
//
// A run starts above all that counts: addr + aligned_size of each. LOCAL counts
// what earlier functions of the module placed, the module's pinned LOCAL
// locations (link mode post: those of other functions only) and every pinned
// SHARED one of the program. What SHARED runs placed came after all LOCAL runs
// and counts for none of them. SHARED counts everything that LOCAL placed and
// every pin, on every core.
#ifndef BERTH_ALLOCATOR_VALIDATE_FLOORS_H_
#define BERTH_ALLOCATOR_VALIDATE_FLOORS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "allocator/validate/program_facts.h"

namespace berth::validation {

struct Floor {
  uint64_t value = 0;
  // The location that sets it, empty if nothing counts; not owned.
  absl::string_view setter;

  // " that 'x' sets", or "".
  std::string Reason() const;
  // Keeps the higher of both; the earlier one where they are equal.
  void Raise(const Floor& other);
};

struct Floors {
  std::vector<Floor> local;  // by ProgramFacts::functions
  Floor shared;              // the one floor of all shared runs
};

// Cost: O(locations).
Floors RecomputeFloors(const ProgramFacts& facts);

}  // namespace berth::validation

#endif  // BERTH_ALLOCATOR_VALIDATE_FLOORS_H_
