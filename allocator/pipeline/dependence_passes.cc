#include "allocator/pipeline/dependence_passes.h"

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "allocator/dependence/dependence.h"
#include "allocator/dependence/program_dependences.h"
#include "allocator/dependence/shared_dependence.h"
#include "allocator/model/program.h"
#include "allocator/pipeline/sharing.h"
#include "allocator/pipeline/state.h"

namespace berth {
namespace {

// Calls visit(function, its dependences) for every function.
template <typename Visit>
void ForEachFunction(PipelineState& state, Visit visit) {
  const std::vector<Module>& modules = state.program->modules;
  auto& functions = state.report.dependences.functions;
  functions.resize(modules.size());
  for (size_t m = 0; m < modules.size(); ++m) {
    functions[m].resize(modules[m].functions.size());
    for (size_t f = 0; f < functions[m].size(); ++f) {
      visit(modules[m].functions[f], functions[m][f]);
    }
  }
}

}  // namespace

absl::Status BuildAllFdeps(PipelineState& state) {
  ForEachFunction(state,
                  [](const Function& function, FunctionDependences& found) {
                    found.fdeps = BuildFdeps(function);
                  });
  return absl::OkStatus();
}

absl::Status AnalyzeLocalPlacement(PipelineState& state) {
  ForEachFunction(state,
                  [](const Function& function, FunctionDependences& found) {
                    found.local = PlacementDependences(function, Space::kLocal);
                  });
  return absl::OkStatus();
}

absl::Status AnalyzeSharedPlacement(PipelineState& state) {
  ForEachFunction(
      state, [](const Function& function, FunctionDependences& found) {
        found.shared = PlacementDependences(function, Space::kShared);
      });
  const Sharing& sharing = state.analysis.sharing;
  if (sharing.size() == 0) return absl::OkStatus();
  state.report.dependences.across = FindCrossDependences(
      *state.program,
      [&](int32_t core, int32_t function, int32_t location) {
        return sharing.TensorOf({core, function, location});
      },
      state.analysis.shared_phases);
  return absl::OkStatus();
}

}  // namespace berth
