#include "tools/race/race.h"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"
#include "allocator/base/status_macros.h"
#include "allocator/formats/csv.h"
#include "allocator/formats/program_io.h"
#include "allocator/model/instance.h"
#include "allocator/model/names.h"
#include "allocator/model/options.h"
#include "allocator/pipeline/plan_instance.h"
#include "allocator/placement/problem.h"
#include "nlohmann/json.hpp"
#include "tools/cli/files.h"
#include "tools/external/external_planner.h"
#include "tools/external/process.h"

namespace berth {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr double kDefaultSeconds = 60;
// What tight gets to write its answer after its own limit.
constexpr double kGraceSeconds = 10;

bool IsInputName(const fs::path& path) {
  const std::string ending = path.extension().string();
  return ending == ".csv" || ending == ".pb" || ending == ".textproto";
}

// An input as the race needs it.
struct Entry {
  std::string path;
  std::optional<Instance> instance;  // a CSV problem
  std::string fault;                 // not empty: cannot be read
  uint64_t lower_bound = 0;          // CSV
};

// Max load of all buffers, those that have an offset already included.
uint64_t LoadOf(const Instance& instance, const PlanOptions& options) {
  Instance free = instance;
  for (Buffer& buffer : free.buffers) buffer.offset.reset();
  const auto numbered = NumberInstance(free, options);
  if (!numbered.ok()) return 0;
  return static_cast<uint64_t>(
      std::min<uint128>(MaxLoad(numbered->problem), ~uint64_t{0}));
}

Entry Open(const std::string& path, const RaceOptions& options) {
  Entry entry;
  entry.path = path;
  const absl::StatusOr<std::string> content = ReadFile(path);
  if (!content.ok()) {
    entry.fault = std::string(content.status().message());
    return entry;
  }
  if (DetectFormat(*content) != Format::kCsv) return entry;
  auto document = ReadCsv(*content, path, {options.ignore_columns});
  if (!document.ok()) {
    entry.fault = std::string(document.status().message());
    return entry;
  }
  entry.lower_bound = LoadOf(document->instance, options.plan);
  entry.instance = std::move(document->instance);
  return entry;
}

// The command of one of our planners; `in`, `out` and `json` as words of the
// shell.
std::string OurCommand(const RaceOptions& options, Planner planner,
                       absl::string_view in, absl::string_view out,
                       absl::string_view json) {
  std::string command = absl::StrCat(
      ShellQuoted(options.berth), " plan ", in, " -o ", out,
      " --planner=", Name(planner),
      " --size-rounding=", Name(options.plan.size_rounding),
      " --memory=", Name(options.plan.csv_memory),
      " --capacity=", options.plan.capacity_bytes,
      " --budget-steps=", options.plan.budget_steps, " --json > ", json);
  if (planner == Planner::kTight && options.time_limit_seconds.has_value()) {
    absl::StrAppend(&command, " --time-limit=", *options.time_limit_seconds);
  }
  if (options.ignore_columns) absl::StrAppend(&command, " --ignore-columns");
  return command;
}

ProcessLimits LimitsOf(const RaceOptions& options, const Racer& racer) {
  ProcessLimits limits;
  limits.seconds = options.time_limit_seconds.value_or(kDefaultSeconds);
  if (racer.planner == Planner::kTight) limits.seconds += kGraceSeconds;
  return limits;
}

void TakeProcess(const ProcessResult& process, RaceRow& row) {
  row.cpu_seconds = process.cpu_seconds;
  row.wall_seconds = process.seconds;
  row.max_rss_bytes = process.max_rss_bytes;
}

// What our own program printed; null if it is not what it prints.
Json ReadMetrics(const std::string& path) {
  const absl::StatusOr<std::string> text = ReadFile(path);
  if (!text.ok()) return nullptr;
  Json json = Json::parse(*text, nullptr, /*allow_exceptions=*/false);
  return json.is_object() ? json : Json(nullptr);
}

void TakePlaceSeconds(const Json& metrics, RaceRow& row) {
  const Json seconds = metrics.value("seconds", Json::object());
  row.place_seconds = seconds.value("order", 0.0) + seconds.value("place", 0.0);
}

// A CSV problem, by any racer.
absl::Status RunOnInstance(const RaceOptions& options, const Entry& entry,
                           const Racer& racer, const std::string& scratch,
                           RaceRow& row) {
  const std::string json = scratch + "/metrics.json";
  ExternalPlanner planner{racer.name, ""};
  if (racer.planner.has_value()) {
    planner.command =
        OurCommand(options, *racer.planner, "{in}", "{out}", ShellQuoted(json));
  } else {
    planner.command = absl::StrReplaceAll(
        racer.command, {{"{lower_bound}", absl::StrCat(entry.lower_bound)}});
  }
  ExternalOptions external;
  external.plan = options.plan;
  external.limits = LimitsOf(options, racer);
  BERTH_ASSIGN_OR_RETURN(const ExternalResult result,
                         RunExternal(planner, *entry.instance, external));
  TakeProcess(result.process, row);
  row.outcome = std::string(Name(result.outcome));
  row.message = result.message;
  row.locations = entry.instance->buffers.size();
  row.lower_bound = entry.lower_bound;
  if (racer.planner.has_value()) {
    const Json metrics = ReadMetrics(json);
    if (metrics.is_object()) {
      TakePlaceSeconds(metrics, row);
      row.proved_optimal = metrics.value("proved_optimal", false);
    }
  }
  if (!row.valid()) return absl::OkStatus();
  row.peak = result.peak;
  row.ratio = row.lower_bound == 0 ? 1
                                   : static_cast<double>(row.peak) /
                                         static_cast<double>(row.lower_bound);
  row.proved_optimal |= row.peak == row.lower_bound;
  row.placement_hash = PlacementHash(result.placed);
  return absl::OkStatus();
}

// A program, which our own tool places and validates.
absl::Status RunOnProgram(const RaceOptions& options, const Entry& entry,
                          const Racer& racer, const std::string& scratch,
                          RaceRow& row) {
  if (!racer.planner.has_value()) {
    row.outcome = "not a CSV";
    row.message = "external planners get CSV problems only";
    return absl::OkStatus();
  }
  const std::string json = scratch + "/metrics.json";
  const std::string command =
      OurCommand(options, *racer.planner, ShellQuoted(entry.path),
                 ShellQuoted(scratch + "/placed.pb"), ShellQuoted(json));
  const ProcessLimits limits = LimitsOf(options, racer);
  BERTH_ASSIGN_OR_RETURN(const ProcessResult process,
                         RunProcess(command, limits));
  TakeProcess(process, row);
  const Json metrics = ReadMetrics(json);
  if (process.timed_out) {
    row.outcome = std::string(Name(ExternalOutcome::kTimedOut));
    row.message = absl::StrCat("not done after ", limits.seconds, " s");
    return absl::OkStatus();
  }
  if (process.exit_code != 0 || !metrics.is_object()) {
    row.outcome =
        std::string(Name(process.exit_code == 3 ? ExternalOutcome::kInvalid
                         : process.signal != 0  ? ExternalOutcome::kCrashed
                                                : ExternalOutcome::kFailed));
    row.message = process.output;
    std::replace(row.message.begin(), row.message.end(), '\n', ' ');
    return absl::OkStatus();
  }
  row.outcome = std::string(Name(ExternalOutcome::kValid));
  row.locations = metrics.value("locations", uint64_t{0});
  row.lower_bound = metrics.value("lower_bound", uint64_t{0});
  row.peak = metrics.value("peak", uint64_t{0});
  row.ratio = metrics.value("ratio", 0.0);
  row.proved_optimal = metrics.value("proved_optimal", false);
  row.placement_hash = std::stoull(
      metrics.value("placement_hash", std::string("0")), nullptr, 16);
  TakePlaceSeconds(metrics, row);
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::vector<std::string>> RaceInputs(
    const std::vector<std::string>& inputs) {
  std::vector<std::string> files;
  for (const std::string& input : inputs) {
    std::error_code error;
    if (!fs::is_directory(input, error)) {
      if (!fs::exists(input, error)) {
        return absl::InvalidArgumentError(
            absl::StrCat(input, ": no such file or folder"));
      }
      files.push_back(input);
      continue;
    }
    std::vector<std::string> found;
    for (auto it = fs::recursive_directory_iterator(input, error);
         !error && it != fs::recursive_directory_iterator();
         it.increment(error)) {
      if (it->is_regular_file() && IsInputName(it->path())) {
        found.push_back(it->path().string());
      }
    }
    if (error) {
      return absl::InvalidArgumentError(
          absl::StrCat(input, ": ", error.message()));
    }
    if (found.empty()) {
      return absl::InvalidArgumentError(absl::StrCat(
          input, ": no .csv, .textproto or .pb file in this folder"));
    }
    std::sort(found.begin(), found.end());
    files.insert(files.end(), found.begin(), found.end());
  }
  return files;
}

absl::StatusOr<Racer> ParseRacer(absl::string_view text) {
  const size_t equals = text.find('=');
  if (equals == absl::string_view::npos || equals == 0) {
    return absl::InvalidArgumentError(
        absl::StrCat("'", text, "' is not NAME='COMMAND {in} {out}'"));
  }
  Racer racer;
  racer.name = std::string(text.substr(0, equals));
  racer.command = std::string(text.substr(equals + 1));
  BERTH_RETURN_IF_ERROR(CheckExternalCommand(racer.command));
  return racer;
}

absl::StatusOr<std::vector<RaceRow>> Race(
    const RaceOptions& options, const std::vector<std::string>& inputs,
    const std::vector<Racer>& racers,
    const std::function<void(absl::string_view)>& show) {
  BERTH_ASSIGN_OR_RETURN(const TemporaryFolder scratch,
                         TemporaryFolder::Make());
  std::vector<RaceRow> rows;
  const size_t runs = inputs.size() * racers.size();
  for (const std::string& input : inputs) {
    const Entry entry = Open(input, options);
    for (const Racer& racer : racers) {
      show(absl::StrCat("racing ", racer.name, " on ", input, " (",
                        rows.size() + 1, "/", runs, ")"));
      RaceRow row;
      row.input = input;
      row.planner = racer.name;
      std::error_code ignored;
      fs::remove(scratch.path() + "/metrics.json", ignored);
      if (!entry.fault.empty()) {
        row.outcome = "unreadable";
        row.message = entry.fault;
      } else if (entry.instance.has_value()) {
        BERTH_RETURN_IF_ERROR(
            RunOnInstance(options, entry, racer, scratch.path(), row));
      } else {
        BERTH_RETURN_IF_ERROR(
            RunOnProgram(options, entry, racer, scratch.path(), row));
      }
      rows.push_back(std::move(row));
    }
  }
  return rows;
}

}  // namespace berth
