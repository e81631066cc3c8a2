// The planner, stage by stage and whole:
//
//   bazel run -c opt //bench:planner -- --benchmark_filter=Plan/
//
// See bench/bench_main.h for flags and bench/planner/common.h for families.
#include "allocator/base/status_macros.h"
#include "bench/planner/common.h"

namespace berth::bench {
namespace {

absl::Status RegisterAll(const Settings& settings) {
  BERTH_ASSIGN_OR_RETURN(const Sources sources, MakeSources(settings));
  for (const ProblemSource& source : sources.problems) {
    RegisterOrder(source);
    RegisterSearch(source);
    RegisterSelect(source);
    RegisterPlan(source);
  }
  for (const ProgramSource& source : sources.programs) RegisterProgram(source);
  return absl::OkStatus();
}

}  // namespace
}  // namespace berth::bench

int main(int argc, char** argv) {
  using namespace berth::bench;
  return BenchMain(
      argc, argv,
      {.families = {"live50", "nested", "transformer"},
       .sizes = {1000, 10'000, 100'000},
       .tiny_families = {"live5", "nested", "transformer", "loops", "calls"},
       .tiny_sizes = {1, 20, 150}},
      RegisterAll);
}
