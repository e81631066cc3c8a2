#include "tools/cli/shrink_input.h"

#include <cstddef>
#include <functional>
#include <string>

#include "absl/strings/str_cat.h"
#include "allocator/formats/csv.h"
#include "allocator/model/instance.h"
#include "allocator/model/program.h"

namespace berth {

Shrunk ShrinkInput(const Input& input,
                   const std::function<bool(const Input&)>& holds,
                   const ShrinkLimits& limits) {
  Shrunk shrunk;
  shrunk.input = input;
  if (input.is_program()) {
    const std::function<bool(const Program&)> program_holds =
        [&](const Program& program) {
          Input candidate = input;
          candidate.content = program;
          return holds(candidate);
        };
    shrunk.input.content =
        ShrinkProgram(input.program(), program_holds, limits, shrunk.stats);
    return shrunk;
  }
  const std::function<bool(const Instance&)> instance_holds =
      [&](const Instance& instance) {
        Input candidate = input;
        candidate.content = ToCsvDocument(instance);
        return holds(candidate);
      };
  shrunk.input.content = ToCsvDocument(ShrinkInstance(
      input.csv().instance, instance_holds, limits, shrunk.stats));
  return shrunk;
}

std::string SizeText(const Input& input) {
  if (!input.is_program()) {
    return absl::StrCat(input.csv().instance.buffers.size(), " buffers");
  }
  size_t locations = 0;
  size_t instructions = 0;
  for (const Module& module : input.program().modules) {
    for (const Function& function : module.functions) {
      locations += function.locations.size();
      for (const Block& block : function.blocks) {
        instructions += block.instructions.size();
      }
    }
  }
  return absl::StrCat(locations, " locations, ", instructions, " instructions");
}

}  // namespace berth
