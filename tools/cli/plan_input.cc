#include "tools/cli/plan_input.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "absl/status/status.h"
#include "allocator/base/phase.h"
#include "allocator/base/status_macros.h"
#include "allocator/model/instance.h"
#include "allocator/model/options.h"
#include "allocator/model/program.h"
#include "allocator/pipeline/plan_instance.h"
#include "allocator/pipeline/plan_program.h"
#include "allocator/pipeline/state.h"
#include "allocator/validate/validate.h"
#include "tools/cli/clock.h"
#include "tools/cli/input.h"
#include "tools/cli/metrics.h"

namespace berth {
namespace {

std::function<bool()> StopAfter(const PlanRequest& request) {
  if (!request.time_limit_seconds.has_value()) return nullptr;
  const double end = WallSeconds() + *request.time_limit_seconds;
  return [end] { return WallSeconds() >= end; };
}

// The locations alone: all that the validator compares with the result.
Program WithoutBlocks(const Program& program) {
  Program copy;
  for (const Module& module : program.modules) {
    Module& m = copy.modules.emplace_back();
    m.core = module.core;
    for (const Function& function : module.functions) {
      Function& f = m.functions.emplace_back();
      f.name = function.name;
      f.locations = function.locations;
    }
  }
  return copy;
}

ValidateOptions ValidateOptionsOf(const PlanRequest& request) {
  ValidateOptions options;
  options.full = request.full;
  options.plan = request.options;
  return options;
}

absl::Status PlanCsv(const PlanRequest& request, PhaseClock& clock,
                     Input& input, Planned& planned) {
  Instance& instance = input.csv().instance;
  const Instance before = request.validate ? instance : Instance();
  RunReport run;
  BERTH_RETURN_IF_ERROR(PlanInstance(request.options, StopAfter(request),
                                     clock.seam(), instance, run));
  if (request.validate) {
    clock.Enter(Phase::kValidate);
    planned.report =
        ValidateInstance(instance, &before, ValidateOptionsOf(request));
  }
  clock.Enter(Phase::kOther);
  planned.metrics =
      MeasureInstance(input.path, instance, request.options, run, clock);
  return absl::OkStatus();
}

absl::Status PlanWholeProgram(const PlanRequest& request, PhaseClock& clock,
                              Input& input, Planned& planned) {
  Program& program = input.program();
  Program before;
  if (request.validate) {
    before = WithoutBlocks(program);
    ClearOrPin(request.options.keep, before);
  }
  PlanReport report;
  const absl::Status status = PlanProgram(request.options, StopAfter(request),
                                          clock.seam(), program, report);
  planned.events = std::move(report.events);
  BERTH_RETURN_IF_ERROR(status);
  if (request.validate) {
    clock.Enter(Phase::kValidate);
    planned.report =
        ValidateProgram(program, &before, ValidateOptionsOf(request));
  }
  clock.Enter(Phase::kOther);
  planned.metrics =
      MeasureProgram(input.path, program, request.options, report, clock);
  return absl::OkStatus();
}

}  // namespace

absl::Status PlanInput(const PlanRequest& request, PhaseClock& clock,
                       Input& input, Planned& planned) {
  const absl::Status status =
      input.is_program() ? PlanWholeProgram(request, clock, input, planned)
                         : PlanCsv(request, clock, input, planned);
  if (!status.ok()) {
    return absl::Status(status.code(),
                        absl::StrCat(input.path, ": ", status.message()));
  }
  planned.metrics.validated = request.validate && planned.report.ok();
  return absl::OkStatus();
}

bool IsPlaced(const Input& input) {
  if (!input.is_program()) {
    const auto& buffers = input.csv().instance.buffers;
    return std::all_of(buffers.begin(), buffers.end(),
                       [](const Buffer& b) { return b.offset.has_value(); });
  }
  for (const Module& module : input.program().modules) {
    for (const Function& function : module.functions) {
      // A location without any access is never placed.
      std::vector<bool> accessed(function.locations.size(), false);
      for (const Block& block : function.blocks) {
        for (const Instruction& instruction : block.instructions) {
          for (const Access& a : instruction.defs) accessed[a.location] = true;
          for (const Access& a : instruction.uses) accessed[a.location] = true;
        }
      }
      for (size_t i = 0; i < function.locations.size(); ++i) {
        const Location& location = function.locations[i];
        if (accessed[i] && location.type == MemoryType::kDram &&
            location.placeable() && !location.address.has_value()) {
          return false;
        }
      }
    }
  }
  return true;
}

}  // namespace berth
