// Runs planners, ours and other people's, on the same inputs, each in a process
// of its own, and says what came of every run: `berth race`.
//
// Ours are runs of the program itself (`berth plan`), so that time and memory
// are measured alike for all; every answer to a CSV problem is judged here, by
// our own validator.
//
// Thread-safety: any thread, one race at a time. Cost: the runs, one after
// another.
#ifndef BERTH_TOOLS_RACE_RACE_H_
#define BERTH_TOOLS_RACE_RACE_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "allocator/model/options.h"

namespace berth {

struct Racer {
  std::string name;
  // Ours: the planner. Else a command line with {in}, {out} and maybe
  // {capacity} and {lower_bound}.
  std::optional<Planner> planner;
  std::string command;
};

// One run.
struct RaceRow {
  std::string input;
  std::string planner;
  // "valid", or why there is no answer to count: "invalid", "missing ids",
  // "garbage", "no output", "failed", "crashed", "timed out"
  // (external_planner.h), "unreadable" (the input), "not a CSV" (a program,
  // which only ours can place).
  std::string outcome;
  std::string message;  // one line, unless valid
  uint64_t locations = 0;
  uint64_t lower_bound = 0;  // max load of everything that has to be placed
  // Valid only:
  uint64_t peak = 0;
  double ratio = 0;  // (peak - floor) / lower bound
  bool proved_optimal = false;
  uint64_t placement_hash = 0;
  // Of the whole process, reading and writing included.
  double cpu_seconds = 0;
  double wall_seconds = 0;
  uint64_t max_rss_bytes = 0;
  std::optional<double> place_seconds;  // ours: order and search alone

  bool valid() const { return outcome == "valid"; }
};

struct RaceOptions {
  std::string berth;  // path of the program itself
  PlanOptions plan;   // capacity, memory, size rounding and budget count
  bool ignore_columns = false;
  // Of each run, wall clock. Planner tight is asked to end by then and has some
  // seconds more to write; the others are killed. Unset: a minute, and tight
  // ends by its budget of steps.
  std::optional<double> time_limit_seconds;
};

// The files to race on: each of `inputs`, or all programs and CSV problems
// below it if it is a folder, sorted by path. kInvalidArgument for an input
// that does not exist and for a folder without any.
absl::StatusOr<std::vector<std::string>> RaceInputs(
    const std::vector<std::string>& inputs);

// "NAME=COMMAND" as an external planner. kInvalidArgument if it is not that.
absl::StatusOr<Racer> ParseRacer(absl::string_view text);

// Every racer on every input; `show` is told of each run before it starts.
// An error only if processes cannot be started at all.
absl::StatusOr<std::vector<RaceRow>> Race(
    const RaceOptions& options, const std::vector<std::string>& inputs,
    const std::vector<Racer>& racers,
    const std::function<void(absl::string_view)>& show);

}  // namespace berth

#endif  // BERTH_TOOLS_RACE_RACE_H_
