#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/strings/str_cat.h"
#include "allocator/base/rng.h"
#include "allocator/model/program.h"
#include "fuzz/inputs/program_changes.h"
#include "fuzz/inputs/program_mutator.h"
#include "fuzz/inputs/program_parts.h"

namespace berth::fuzz {
namespace {

// Who defines and uses what in one phase of a program of several cores.
struct Step {
  size_t core;
  int32_t location;
  bool def;
};
using Steps = std::vector<std::vector<Step>>;  // by phase

Function& MainOf(Program& program, size_t core) {
  return program.modules[core].functions[0];
}

// One tensor with a copy on each core: defined by one, used later by some.
void AddTensor(Rng& rng, Program& program, Steps& steps) {
  const size_t cores = program.modules.size();
  const size_t last = steps.size() - 1;
  Location location;
  location.name = NewName("s", rng);
  location.space = Space::kShared;
  location.elem_count = SomeBytes(rng);
  const size_t owner = rng.Below(cores);
  const size_t writer = rng.Below(cores);
  const size_t written = rng.Below(last);
  for (size_t core = 0; core < cores; ++core) {
    // To the owner, or by way of the core before.
    const size_t target =
        core > 0 && owner == 0 && rng.OneIn(4) ? core - 1 : owner;
    location.remote_target.reset();
    if (core != owner) {
      location.remote_target =
          RemoteTarget{static_cast<int32_t>(target), location.name};
    }
    std::vector<Location>& locations = MainOf(program, core).locations;
    const auto id = static_cast<int32_t>(locations.size());
    locations.push_back(location);
    if (core == writer) steps[written].push_back({core, id, true});
    if (rng.OneIn(2)) {
      const size_t read = written + 1 + rng.Below(last - written);
      steps[read].push_back({core, id, false});
    }
  }
}

}  // namespace

Program SmallProgram(Rng& rng) {
  Program program;
  program.modules.emplace_back();
  Function& function = program.modules[0].functions.emplace_back();
  function.name = "main";
  function.blocks.emplace_back();
  function.blocks[0].name = "entry";
  for (uint64_t n = 1 + rng.Below(10); n > 0; --n) AddLocation(rng, program);
  return program;
}

Program SharedProgram(Rng& rng) {
  Program program;
  const size_t cores = 2 + rng.Below(kMaxProgramCores - 1);
  const size_t barriers = 1 + rng.Below(4);
  for (size_t core = 0; core < cores; ++core) {
    Module& module = program.modules.emplace_back();
    module.core = static_cast<int32_t>(core);
    Function& function = module.functions.emplace_back();
    function.name = "main";
    function.blocks.emplace_back().name = "entry";
  }
  Steps steps(barriers + 1);
  for (uint64_t n = 1 + rng.Below(5); n > 0; --n) {
    AddTensor(rng, program, steps);
  }
  for (size_t phase = 0; phase <= barriers; ++phase) {
    for (const auto& [core, location, def] : steps[phase]) {
      MainOf(program, core)
          .blocks[0]
          .instructions.push_back(def ? Compute({{location}}, {})
                                      : Compute({}, {{location}}));
    }
    if (phase == barriers) break;
    for (size_t core = 0; core < cores; ++core) {
      MainOf(program, core)
          .blocks[0]
          .instructions.push_back(Barrier(absl::StrCat("bar", phase)));
    }
  }
  if (rng.OneIn(3)) LoopOverBarriers(rng, true, program);
  return program;
}

}  // namespace berth::fuzz
