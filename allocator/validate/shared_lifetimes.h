// When shared locations are live: the one place where the validator's shared
// checks get their time from (spec §10).
#ifndef BERTH_ALLOCATOR_VALIDATE_SHARED_LIFETIMES_H_
#define BERTH_ALLOCATOR_VALIDATE_SHARED_LIFETIMES_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "allocator/model/intervals.h"
#include "allocator/validate/program_facts.h"
#include "allocator/validate/shared_owners.h"

namespace berth::validation {

// Per owner of `shared` its closed hull of phases over all its copies; none (an
// empty row) for owners that no copy's instruction accesses. What is there at
// entry (INPUT, WEIGHT, CONSTANT) lives from its function's first phase, what
// is read at exit (OUTPUT, WEIGHT, CONSTANT) to its last; a WEIGHT or CONSTANT
// with an address without any access too. `accessed` as CheckLocalRuns returns
// it.
//
// nullopt: the rendezvous of the program do not hold together, and `fault` says
// why (phases.h). Cost: that of Phases::Of + O(accesses of shared locations log
// instructions).
std::optional<IntervalTable> SharedLifetimes(
    const ProgramFacts& facts, const SharedOwners& shared,
    const std::vector<std::vector<bool>>& accessed, std::string* fault);

// Per owner: some instruction accesses one of its copies. Cost: O(locations).
std::vector<bool> AccessedOwners(
    const ProgramFacts& facts, const SharedOwners& shared,
    const std::vector<std::vector<bool>>& accessed);

}  // namespace berth::validation

#endif  // BERTH_ALLOCATOR_VALIDATE_SHARED_LIFETIMES_H_
