#include "allocator/dependence/program_dependences.h"

#include <vector>

#include "allocator/dependence/dependence.h"
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

}  // namespace berth
