// What `plan` says of one placed input: the keys of cli.md as JSON, and a table
// row. Field names are the JSON keys.
#ifndef BERTH_TOOLS_CLI_METRICS_H_
#define BERTH_TOOLS_CLI_METRICS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "allocator/dependence/program_dependences.h"
#include "allocator/model/instance.h"
#include "allocator/model/options.h"
#include "allocator/model/program.h"
#include "allocator/pipeline/accounting.h"
#include "allocator/pipeline/state.h"
#include "tools/cli/clock.h"

namespace berth {

struct Metrics {
  std::string input;
  std::string planner;
  bool is_program = false;
  uint64_t instructions = 0;  // 0 for a CSV
  // One per run; a CSV has one, of core 0 and function "".
  std::vector<RunReport> runs;
  MemoryUse use;                  // of a program
  DependenceSummary dependences;  // of a program
  int64_t merged_copies = 0;
  double seconds[kNumPhases] = {};
  double total_seconds = 0;
  uint64_t max_rss_bytes = 0;
  uint64_t placement_hash = 0;
  bool validated = false;

  uint64_t Sum(uint64_t RunRecord::*field) const;
  uint64_t Max(uint64_t RunRecord::*field) const;
  // The run that reaches highest; of equals the first.
  const RunReport& Highest() const;
  // (peak - floor) / lower bound of the highest run.
  double Ratio() const;
};

// `program` and `instance`: as placed.
Metrics MeasureProgram(const std::string& input, const Program& program,
                       const PlanOptions& options, const PlanReport& report,
                       const PhaseClock& clock);
Metrics MeasureInstance(const std::string& input, const Instance& instance,
                        const PlanOptions& options, const RunReport& run,
                        const PhaseClock& clock);

// One JSON object, one line, keys in the order of cli.md.
std::string ToJson(const Metrics& metrics);

// A table with a header: one row per input; below a program of one core and
// several runs one row per run; below one of several cores one per core, one
// per SHARED run, and the program's total; then a line per program about
// dependences. For people; ToJson is for machines.
std::string ToTable(const std::vector<Metrics>& all);

}  // namespace berth

#endif  // BERTH_TOOLS_CLI_METRICS_H_
