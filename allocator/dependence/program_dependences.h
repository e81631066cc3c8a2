// The dependences of a whole program.
//
// Thread-safety: pure functions.
#ifndef BERTH_ALLOCATOR_DEPENDENCE_PROGRAM_DEPENDENCES_H_
#define BERTH_ALLOCATOR_DEPENDENCE_PROGRAM_DEPENDENCES_H_

#include <vector>

#include "allocator/dependence/dependence.h"
#include "allocator/dependence/shared_dependence.h"
#include "allocator/model/program.h"

namespace berth {

// Of one function: what build_fdeps and the two placement passes find in it.
struct FunctionDependences {
  std::vector<Dependence> fdeps;
  std::vector<Dependence> local;   // placement, LOCAL
  std::vector<Dependence> shared;  // placement, SHARED
};

struct ProgramDependences {
  // By position of the module in the program, then of the function in it.
  std::vector<std::vector<FunctionDependences>> functions;
  // Placement, SHARED, between functions or cores (FindCrossDependences).
  CrossDependences across;
};

// How many there are of each sort.
struct DependenceSummary {
  DependenceCounts fdeps;
  DependenceCounts local;   // placement, LOCAL
  DependenceCounts shared;  // placement, SHARED, within a function
  DependenceCounts across;  // the same between functions or cores
};
DependenceSummary Summarise(const ProgramDependences& dependences);

// All but `across`. REQUIRES: a checked program. Cost: dependence.h, per
// function.
ProgramDependences FindDependences(const Program& program);

}  // namespace berth

#endif  // BERTH_ALLOCATOR_DEPENDENCE_PROGRAM_DEPENDENCES_H_
