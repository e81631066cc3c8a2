#include "allocator/pipeline/state.h"

#include <algorithm>
#include <vector>

#include "allocator/model/program.h"

namespace berth {

std::vector<Module*> PipelineState::ModulesByCore() const {
  std::vector<Module*> modules;
  modules.reserve(program->modules.size());
  for (Module& module : program->modules) modules.push_back(&module);
  std::sort(modules.begin(), modules.end(),
            [](const Module* a, const Module* b) { return a->core < b->core; });
  return modules;
}

}  // namespace berth
