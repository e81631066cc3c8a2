// The runs of the shared space: the common one, or one per slab (spec §10).
#ifndef BERTH_ALLOCATOR_VALIDATE_SHARED_RUNS_H_
#define BERTH_ALLOCATOR_VALIDATE_SHARED_RUNS_H_

#include <vector>

#include "allocator/validate/findings.h"
#include "allocator/validate/floors.h"
#include "allocator/validate/program_facts.h"
#include "allocator/validate/shared_owners.h"
#include "allocator/validate/validate.h"

namespace berth::validation {

// kUnplaced, I1, I2, I3, I8, I9, I10 of shared owners, and of the SHARED run
// records. A run is of the whole program: its record may stand in any function,
// and each that does must be true. `accessed` as CheckLocalRuns returns it.
void CheckSharedRuns(const ProgramFacts& facts, const Floors& floors,
                     const SharedOwners& shared,
                     const std::vector<std::vector<bool>>& accessed,
                     const ValidateOptions& options, Findings* findings);

// I11: no byte of a SHARED location of any core is a byte of a LOCAL one of any
// core: all cores address one window. Cost: O(locations log locations).
void CheckSharedAgainstPrivate(const ProgramFacts& facts, Findings* findings);

}  // namespace berth::validation

#endif  // BERTH_ALLOCATOR_VALIDATE_SHARED_RUNS_H_
