#include "allocator/pipeline/budget.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "allocator/base/int_math.h"
#include "allocator/model/options.h"
#include "allocator/model/program.h"
#include "allocator/pipeline/accounting.h"
#include "allocator/pipeline/pipeline.h"
#include "allocator/pipeline/state.h"

namespace berth {
namespace {

// The allocations among the passes, and nothing else.
absl::Status Allocate(PipelineState& state) {
  std::vector<Pass> allocations;
  for (const Pass& pass : BuildPipeline(state.options)) {
    if (absl::StartsWith(pass.name, "coloring_allocator_")) {
      allocations.push_back(pass);
    }
  }
  return RunPipeline(allocations, state);
}

}  // namespace

std::string DescribeBudget(PipelineState& state) {
  const PlanOptions options = state.options;
  PlanReport report = std::move(state.report);
  const std::optional<Overload> overload = std::move(state.overload);
  state.report = PlanReport();
  state.options.planner = Planner::kBriggs;
  state.options.hbm_per_core_bytes = kNoCapacity;
  state.options.shared_mb_per_core = 0;
  const absl::Status status = Allocate(state);
  const auto cores = static_cast<int32_t>(state.program->modules.size());
  const MemoryUse use = MeasureUse(cores, state.report);
  state.options = options;
  state.report = std::move(report);

  std::string text = absl::StrCat("over budget: the window is ",
                                  options.hbm_per_core_bytes, " bytes");
  if (status.ok()) {
    absl::StrAppend(&text, "; without it these would be needed:");
    for (int32_t core = 0; core < cores; ++core) {
      absl::StrAppend(&text, "\n  core ", core, ": private peak ",
                      use.private_peak[core]);
    }
    absl::StrAppend(&text, "\n  shared peak ", use.shared_peak);
  }
  if (!overload.has_value()) return text;
  absl::StrAppend(&text, "\n", overload->where, " has its greatest load, ",
                  ToString(overload->load_bytes), " bytes, first at ",
                  overload->time_word, " ", overload->time, "; largest of ",
                  overload->live, " live there:");
  for (const auto& [name, bytes] : overload->largest) {
    absl::StrAppend(&text, "\n  ", bytes, " bytes '", name, "'");
  }
  return text;
}

}  // namespace berth
