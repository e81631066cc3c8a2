// What the planner benches share: placement problems and programs by size.
#ifndef BERTH_BENCH_PLANNER_COMMON_H_
#define BERTH_BENCH_PLANNER_COMMON_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "allocator/model/instance.h"
#include "allocator/model/program.h"
#include "allocator/pipeline/plan_instance.h"
#include "bench/bench_main.h"
#include "bench/source.h"
#include "benchmark/benchmark.h"

namespace berth::bench {

// A CSV problem and its dense numbers. Moves keep `numbered` valid: it points
// into the buffers.
struct ProblemWork {
  std::string name;  // "live50/1000" or a file's name
  Instance instance;
  InstanceProblem numbered;

  const Problem& problem() const { return numbered.problem; }
};

struct ProgramWork {
  std::string name;
  Program program;  // as it came; benches plan a copy
};

using ProblemSource = std::shared_ptr<Source<ProblemWork>>;
using ProgramSource = std::shared_ptr<Source<ProgramWork>>;

struct Sources {
  std::vector<ProblemSource> problems;
  std::vector<ProgramSource> programs;
};

// The families and inputs of the flags. Families:
//   liveM     random problems with M live on average, liveM = live50, live316..
//   nested    problems of nested lifetimes
//   transformer, cnn, loops, branches, calls   programs of `berth gen`
// kInvalidArgument names an unknown family or a file that cannot be read.
absl::StatusOr<Sources> MakeSources(const Settings& settings);

// Each registers Kind/source/contender for the sizes of one source.
void RegisterOrder(const ProblemSource& source);
void RegisterSearch(const ProblemSource& source);
void RegisterSelect(const ProblemSource& source);
void RegisterPlan(const ProblemSource& source);
void RegisterProgram(const ProgramSource& source);

// Contenders whose work is quadratic stop here.
inline constexpr Limit kQuadratic = {10'000, "skipped: quadratic, over 10,000"};

// FNV-1a of `values`, for labels: equal hash, equal result.
uint64_t HashOf(const std::vector<int32_t>& values);
uint64_t HashOf(const std::vector<uint64_t>& values);

// "hash=0123456789abcdef".
std::string HashLabel(uint64_t hash);

// Compares with what other contenders of `key` gave; an error of the bench if
// it is another.
bool SameResult(const std::string& key, uint64_t hash, benchmark::State& state);

}  // namespace berth::bench

#endif  // BERTH_BENCH_PLANNER_COMMON_H_
