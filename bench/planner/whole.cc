// Whole plans: an operation is one problem or program planned, from the parsed
// input to addresses; reading, writing and validation are not in it.
//
//   Plan         a CSV problem by each planner; counters: peak / lower bound,
//                visits, a hash of the addresses
//   PlanProgram  a program through the pipeline
//   Liveness     its first stage alone, all functions
//   Validate     the validator on the planned program
#include <algorithm>
#include <cstdint>
#include <string>

#include "allocator/liveness/liveness.h"
#include "allocator/pipeline/plan_program.h"
#include "allocator/placement/planners.h"
#include "allocator/validate/validate.h"
#include "bench/planner/common.h"

namespace berth::bench {
namespace {

void Plan(Planner planner, const ProblemWork& work, benchmark::State& state) {
  PlannerOptions options;
  options.planner = planner;
  absl::StatusOr<Placement> result;
  for (auto _ : state) result = berth::Plan(work.problem(), options);
  if (!result.ok()) {
    state.SkipWithError("does not fit");
    return;
  }
  const double bound =
      std::max(1.0, static_cast<double>(MaxLoad(work.problem())));
  state.counters["peak/bound"] =
      static_cast<double>(Peak(work.problem(), *result)) / bound;
  state.counters["visits"] = static_cast<double>(result->visits);
  state.SetLabel(HashLabel(HashOf(result->address)));
}

void PlanWhole(const ProgramWork& work, benchmark::State& state) {
  PlanReport report;
  Program program;
  for (auto _ : state) {
    state.PauseTiming();
    program = work.program;
    state.ResumeTiming();
    const absl::Status status =
        PlanProgram({}, nullptr, nullptr, program, report);
    if (!status.ok()) {
      state.SkipWithError(std::string(status.message()).c_str());
      return;
    }
  }
  uint64_t visits = 0;
  double worst = 1;
  for (const RunReport& run : report.runs) {
    visits += run.visits;
    const RunRecord& record = run.record;
    if (record.lower_bound == 0) continue;
    worst = std::max(worst, static_cast<double>(record.peak - record.floor) /
                                static_cast<double>(record.lower_bound));
  }
  state.counters["peak/bound"] = worst;
  state.counters["visits"] = static_cast<double>(visits);
  state.SetLabel(HashLabel(PlacementHash(program)));
}

void Live(const ProgramWork& work, benchmark::State& state) {
  int64_t runs = 0;
  for (auto _ : state) {
    runs = 0;
    for (const Module& module : work.program.modules) {
      for (const Function& function : module.functions) {
        const auto liveness = ComputeLiveness(function);
        if (!liveness.ok()) {
          state.SkipWithError("too many live ranges");
          return;
        }
        runs += static_cast<int64_t>(liveness->occupied.values.size());
      }
    }
  }
  state.counters["live_ranges"] = static_cast<double>(runs);
}

void Validate(const ProgramWork& work, benchmark::State& state) {
  Program placed = work.program;
  PlanReport report;
  const absl::Status status = PlanProgram({}, nullptr, nullptr, placed, report);
  if (!status.ok()) {
    state.SkipWithError(std::string(status.message()).c_str());
    return;
  }
  for (auto _ : state) {
    if (!ValidateProgram(placed, nullptr, {}).ok()) {
      state.SkipWithError("an invariant is broken");
      return;
    }
  }
}

}  // namespace

void RegisterPlan(const ProblemSource& source) {
  const auto add = [&](const char* name, Limit limit, Planner planner) {
    RegisterSizes("Plan", source, name, limit,
                  [planner](const ProblemWork& work, benchmark::State& state) {
                    Plan(planner, work, state);
                  });
  };
  add("briggs", Limit{}, Planner::kBriggs);
  add("greedy", Limit{}, Planner::kGreedy);
  add("tight", {1'000, "skipped: a search, over 1,000"}, Planner::kTight);
  add("reference", {2'000, "skipped: quadratic, over 2,000"},
      Planner::kReference);
}

void RegisterProgram(const ProgramSource& source) {
  RegisterSizes("PlanProgram", source, "briggs", Limit{}, PlanWhole);
  RegisterSizes("Liveness", source, "merged", Limit{}, Live);
  RegisterSizes("Validate", source, "check", Limit{}, Validate);
}

}  // namespace berth::bench
