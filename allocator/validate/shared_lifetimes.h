// When shared locations are live: the one place where the validator's shared
// checks get their time from (spec §10).
#ifndef BERTH_ALLOCATOR_VALIDATE_SHARED_LIFETIMES_H_
#define BERTH_ALLOCATOR_VALIDATE_SHARED_LIFETIMES_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "allocator/model/intervals.h"
#include "allocator/validate/program_facts.h"
#include "allocator/validate/shared_owners.h"

namespace berth::validation {

// Per owner of `shared` its closed hull of phases over all its copies; owners
// that no copy's instruction accesses have none (an empty row). `accessed` as
// CheckLocalRuns returns it.
//
// nullopt: the program has more than one phase, and which is not derived here:
// then the checks that need times are left out. It has one phase if no BARRIER
// or COLLECTIVE has a name that all cores have one of; then everything accessed
// interferes. Cost: O(instructions).
std::optional<IntervalTable> SharedLifetimes(
    const ProgramFacts& facts, const SharedOwners& shared,
    const std::vector<std::vector<bool>>& accessed);

// Per owner: some instruction accesses one of its copies. Cost: O(locations).
std::vector<bool> AccessedOwners(
    const ProgramFacts& facts, const SharedOwners& shared,
    const std::vector<std::vector<bool>>& accessed);

}  // namespace berth::validation

#endif  // BERTH_ALLOCATOR_VALIDATE_SHARED_LIFETIMES_H_
