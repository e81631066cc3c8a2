// A plain twin of the validator for small inputs: the definitions of spec §3,
// §7-§9 and §13 as they stand, every instruction against every other, every
// address tried one after the other. It only says which invariants are broken.
#ifndef BERTH_TESTS_VALIDATE_BRUTE_FORCE_H_
#define BERTH_TESTS_VALIDATE_BRUTE_FORCE_H_

#include <cstdint>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "allocator/model/instance.h"
#include "allocator/model/program.h"
#include "allocator/validate/validate.h"

namespace berth::testing {

// (core, function, invariant) that some location breaks.
using Broken = std::set<std::tuple<int32_t, std::string, Invariant>>;

// Every address, size and alignment is a multiple of this, so that only such
// addresses need be tried.
inline constexpr uint64_t kUnitBytes = 512;

// Per location the flat indices that it occupies.
std::vector<std::set<int32_t>> BruteOccupied(const Function& function);

// Placements without run records and without input, whose shared locations have
// one phase and one common run. REQUIRES: no sum passes 2^63.
Broken BruteProgram(const Program& placed, const ValidateOptions& options);

// Times and sizes are small.
Broken BruteInstance(const Instance& placed, const ValidateOptions& options);

// What the validator says, in the same form.
Broken Keys(const Report& report);

}  // namespace berth::testing

#endif  // BERTH_TESTS_VALIDATE_BRUTE_FORCE_H_
