#include "allocator/pipeline/plan_program.h"

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "allocator/base/phase.h"
#include "allocator/base/status_macros.h"
#include "allocator/model/check_program.h"
#include "allocator/model/options.h"
#include "allocator/model/program.h"
#include "allocator/pipeline/analysis.h"
#include "allocator/pipeline/budget.h"
#include "allocator/pipeline/pins.h"
#include "allocator/pipeline/pipeline.h"
#include "allocator/pipeline/state.h"

namespace berth {
namespace {

template <typename Visit>
void ForEachLocation(Program& program, Visit visit) {
  for (Module& module : program.modules) {
    for (Function& function : module.functions) {
      for (Location& location : function.locations) visit(location);
    }
  }
}

void TakeAddressBack(Location& location) {
  if (location.placed_by == PlacedBy::kSync) {
    location.partition.reset();
    location.bank.reset();
  }
  location.address.reset();
  location.placed_by = PlacedBy::kNone;
}

bool PlacedByUs(const Location& location) {
  return location.placed_by == PlacedBy::kBerth ||
         location.placed_by == PlacedBy::kSync;
}

// After a failure: what came in stays, what was placed goes, and of the records
// only those of runs that failed say anything true.
void TakeBack(Program& program) {
  ForEachLocation(program, [](Location& location) {
    if (PlacedByUs(location)) TakeAddressBack(location);
    location.shared_post_dram_alloc = false;
  });
  for (Module& module : program.modules) {
    for (Function& function : module.functions) {
      std::erase_if(function.runs, [](const RunRecord& run) {
        return run.dram_allocation_result;
      });
    }
  }
}

absl::Status RunPasses(PipelineState& state) {
  BERTH_RETURN_IF_ERROR(CheckProgram(*state.program));
  ClearOrPin(state.options.keep, *state.program);
  BERTH_RETURN_IF_ERROR(
      CheckProgramPins(*state.program, state.options.hbm_per_core_bytes));
  Enter(state.seam, Phase::kLiveness);
  BERTH_ASSIGN_OR_RETURN(state.analysis, AnalyzeProgram(*state.program));
  Enter(state.seam, Phase::kOther);
  return RunPipeline(BuildPipeline(state.options), state);
}

// What to say of a program that does not fit; "" if something else is wrong.
// Leaves addresses and records as they are.
std::string Budget(PipelineState& state) {
  if (!state.overload.has_value()) return "";
  Program& program = *state.program;
  std::vector<std::vector<RunRecord>> records;
  for (Module& module : program.modules) {
    for (Function& function : module.functions) {
      records.push_back(std::move(function.runs));
      function.runs.clear();
    }
  }
  // A pass may have changed instructions since.
  absl::StatusOr<ProgramAnalysis> analysis = AnalyzeProgram(program);
  std::string text;
  if (analysis.ok()) {
    state.analysis = *std::move(analysis);
    text = DescribeBudget(state);
  }
  TakeBack(program);
  auto record = records.begin();
  for (Module& module : program.modules) {
    for (Function& function : module.functions) {
      function.runs = std::move(*record++);
    }
  }
  return text;
}

}  // namespace

void ClearOrPin(bool keep, Program& program) {
  ForEachLocation(program, [keep](Location& location) {
    location.shared_post_dram_alloc = false;
    if (!PlacedByUs(location)) {
      if (location.placeable() && location.address.has_value()) {
        location.placed_by = PlacedBy::kInput;
      }
      return;
    }
    if (keep && location.address.has_value()) {
      location.placed_by = PlacedBy::kInput;
    } else {
      TakeAddressBack(location);
    }
  });
  for (Module& module : program.modules) {
    for (Function& function : module.functions) function.runs.clear();
  }
}

absl::Status PlanProgram(const PlanOptions& options,
                         const std::function<bool()>& stop,
                         const PhaseSeam& seam, Program& program,
                         PlanReport& report) {
  PipelineState state;
  state.program = &program;
  state.options = options;
  state.stop = stop;
  state.seam = seam;
  absl::Status status = RunPasses(state);
  if (status.ok()) {
    report = std::move(state.report);
    return status;
  }
  TakeBack(program);
  for (auto& [function, blocks] : state.blocks_before_cleanup) {
    function->blocks = std::move(blocks);
  }
  state.report.dependences = {};
  state.report.merged_copies = 0;
  const std::string budget = Budget(state);
  report = std::move(state.report);
  if (budget.empty()) return status;
  return absl::Status(status.code(),
                      absl::StrCat(status.message(), "\n", budget));
}

}  // namespace berth
