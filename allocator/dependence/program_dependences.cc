#include "allocator/dependence/program_dependences.h"

#include <vector>

#include "allocator/dependence/dependence.h"
#include "allocator/dependence/shared_dependence.h"
#include "allocator/model/program.h"

namespace berth {

ProgramDependences FindDependences(const Program& program) {
  ProgramDependences all;
  for (const Module& module : program.modules) {
    std::vector<FunctionDependences>& functions = all.functions.emplace_back();
    for (const Function& function : module.functions) {
      functions.push_back({BuildFdeps(function),
                           PlacementDependences(function, Space::kLocal),
                           PlacementDependences(function, Space::kShared)});
    }
  }
  return all;
}

DependenceSummary Summarise(const ProgramDependences& dependences) {
  DependenceSummary summary;
  for (const auto& functions : dependences.functions) {
    for (const FunctionDependences& function : functions) {
      summary.fdeps.Count(function.fdeps);
      summary.local.Count(function.local);
      summary.shared.Count(function.shared);
    }
  }
  for (const auto kind : {DependenceKind::kAnti, DependenceKind::kOutput}) {
    summary.across.of[static_cast<int>(kind)] = dependences.across.count(kind);
  }
  return summary;
}

}  // namespace berth
