// Every function's LOCAL run.
#ifndef BERTH_ALLOCATOR_VALIDATE_LOCAL_RUNS_H_
#define BERTH_ALLOCATOR_VALIDATE_LOCAL_RUNS_H_

#include <vector>

#include "allocator/model/program.h"
#include "allocator/validate/checks.h"
#include "allocator/validate/findings.h"
#include "allocator/validate/floors.h"
#include "allocator/validate/program_facts.h"
#include "allocator/validate/validate.h"

namespace berth::validation {

// Checks all of them. Returns, by ProgramFacts::functions and location, whether
// an instruction accesses it. Cost: that of DeriveOccupancy and CheckRun.
std::vector<std::vector<bool>> CheckLocalRuns(const ProgramFacts& facts,
                                              const Floors& floors,
                                              const ValidateOptions& options,
                                              Findings* findings);

// floor <= cc_end <= ceiling: what a record says of regions makes sense.
bool InOrder(const Regions& regions);

// Planner and passes after which I9 is promised no longer (spec §13).
bool FirstFitStands(const RunRecord* record);

}  // namespace berth::validation

#endif  // BERTH_ALLOCATOR_VALIDATE_LOCAL_RUNS_H_
