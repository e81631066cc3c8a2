#include "allocator/pipeline/analysis.h"

#include <cstdint>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "allocator/base/status_macros.h"
#include "allocator/liveness/liveness.h"
#include "allocator/model/names.h"
#include "allocator/model/program.h"
#include "allocator/pipeline/pins.h"
#include "allocator/pipeline/shared_times.h"
#include "allocator/pipeline/sharing.h"
#include "allocator/rendezvous/core_order.h"

namespace berth {
namespace {

// How messages name the instruction at `flat`.
std::string LabelAt(const Function& function, int32_t flat) {
  int32_t index = flat;
  for (const Block& block : function.blocks) {
    const auto size = static_cast<int32_t>(block.instructions.size());
    if (index < size) return InstructionLabel(block.instructions[index], flat);
    index -= size;
  }
  return "";
}

// The first use of a placeable LOCAL location that no def reaches (spec §3).
absl::Status CheckLocalUses(int32_t core, const Function& function,
                            const Liveness& liveness) {
  for (const UndefinedUse& use : liveness.undefined_uses) {
    const Location& location = function.locations[use.location];
    if (!location.candidate(Space::kLocal) || location.pinned()) continue;
    return absl::InvalidArgumentError(
        absl::StrCat("core ", core, " ", function.name, ": instruction '",
                     LabelAt(function, use.instruction), "' uses '",
                     location.name, "', which no def reaches"));
  }
  return absl::OkStatus();
}

// All that needs every core at once (spec §10).
absl::Status AnalyzeShared(const Program& program, ProgramAnalysis& analysis) {
  BERTH_ASSIGN_OR_RETURN(analysis.sharing, Sharing::Of(program));
  const Sharing& sharing = analysis.sharing;
  if (program.modules.size() < 2 && sharing.size() == 0) {
    return absl::OkStatus();
  }
  BERTH_ASSIGN_OR_RETURN(analysis.order, CoreOrder::Of(program));
  const CoreOrder& order = *analysis.order;
  analysis.num_phases = order.num_phases();
  SharedTimes times = FindSharedTimes(program, sharing, order);
  BERTH_RETURN_IF_ERROR(
      CheckSharedUses(program, sharing, order, analysis.liveness, times));
  BERTH_RETURN_IF_ERROR(CheckSharedOrder(program, sharing, order, times));
  BERTH_RETURN_IF_ERROR(
      CheckSharedPins(program, sharing, order, analysis.liveness, times));
  analysis.shared_phases = std::move(times.phases);
  analysis.shared_collective = std::move(times.collective);
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<ProgramAnalysis> AnalyzeProgram(const Program& program) {
  ProgramAnalysis analysis;
  for (const Module* module : ModulesByCore(program)) {
    std::vector<Liveness> liveness;
    liveness.reserve(module->functions.size());
    for (const Function& function : module->functions) {
      BERTH_ASSIGN_OR_RETURN(Liveness of_function, ComputeLiveness(function));
      liveness.push_back(std::move(of_function));
      BERTH_RETURN_IF_ERROR(
          CheckLocalUses(module->core, function, liveness.back()));
      BERTH_RETURN_IF_ERROR(CheckFunctionPins(function, liveness.back(),
                                              Space::kLocal, module->core));
    }
    analysis.liveness.push_back(std::move(liveness));
  }
  BERTH_RETURN_IF_ERROR(AnalyzeShared(program, analysis));
  return analysis;
}

}  // namespace berth
