// berth race: planners side by side on the same inputs.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "allocator/model/names.h"
#include "allocator/model/options.h"
#include "tools/cli/arguments.h"
#include "tools/cli/commands.h"
#include "tools/cli/exit_codes.h"
#include "tools/cli/options.h"
#include "tools/cli/say.h"
#include "tools/external/external_planner.h"
#include "tools/race/race.h"
#include "tools/race/race_report.h"

namespace berth {
namespace {

struct RaceCommand {
  std::vector<std::string> inputs;
  std::vector<std::string> planners;
  std::vector<std::string> with;
  bool json = false;
  RaceOptions options;
};

// Ours of the given names, "cmd:COMMAND" among them, then those of --with.
absl::StatusOr<std::vector<Racer>> RacersOf(const RaceCommand& command) {
  std::vector<Racer> racers;
  std::vector<std::string> names = command.planners;
  if (names.empty()) names = {"briggs", "greedy", "tight"};
  for (const std::string& name : names) {
    if (const auto external = ExternalCommandOf(name)) {
      const absl::Status fault = CheckExternalCommand(*external);
      if (!fault.ok()) return fault;
      racers.push_back({name, std::nullopt, *external});
      continue;
    }
    const std::optional<Planner> planner = ParsePlanner(name);
    if (!planner.has_value()) {
      return absl::InvalidArgumentError(
          absl::StrCat("'", name,
                       "' is no planner: reference, briggs, greedy, tight or "
                       "cmd:COMMAND"));
    }
    racers.push_back({name, planner, ""});
  }
  for (const std::string& text : command.with) {
    absl::StatusOr<Racer> racer = ParseRacer(text);
    if (!racer.ok()) return racer.status();
    racers.push_back(*std::move(racer));
  }
  for (size_t i = 0; i < racers.size(); ++i) {
    for (size_t j = 0; j < i; ++j) {
      if (racers[i].name != racers[j].name) continue;
      return absl::InvalidArgumentError(
          absl::StrCat("two planners are called '", racers[i].name, "'"));
    }
  }
  return racers;
}

int RunRace(RaceCommand& command) {
  const auto racers = RacersOf(command);
  if (!racers.ok()) return Fail(racers.status());
  const auto inputs = RaceInputs(command.inputs);
  if (!inputs.ok()) return Fail(inputs.status());
  std::error_code error;
  command.options.berth =
      std::filesystem::read_symlink("/proc/self/exe", error).string();
  if (error) {
    SayError(absl::StrCat("/proc/self/exe: ", error.message()));
    return kExitUsage;
  }
  Progress progress;
  const auto rows =
      Race(command.options, *inputs, *racers,
           [&progress](absl::string_view text) { progress.Show(text); });
  progress.Clear();
  if (!rows.ok()) return Fail(rows.status());
  if (command.json) {
    for (const RaceRow& row : *rows) std::printf("%s\n", ToJson(row).c_str());
  } else {
    std::printf("%s", ToTable(*rows).c_str());
  }
  int worst = kExitOk;
  for (const RaceRow& row : *rows) {
    if (row.outcome == "unreadable") worst = std::max<int>(worst, kExitUsage);
    // Others may break what they like; ours may not.
    if (row.outcome == "invalid" && ParsePlanner(row.planner).has_value()) {
      worst = kExitBroken;
    }
  }
  return worst;
}

bool TakeSeconds(const std::string& text, std::optional<double>& seconds) {
  double value = 0;
  if (!absl::SimpleAtod(text, &value) || !(value > 0) || value > 1e6) {
    return false;
  }
  seconds = value;
  return true;
}

template <typename T>
bool Take(const std::optional<T>& value, T& target) {
  if (value.has_value()) target = *value;
  return value.has_value();
}

void AddRaceOptions(Command& c, RaceOptions& options) {
  c.Parsed("--time-limit",
           "seconds of each run (default 60): tight ends its search by then, "
           "others are killed",
           [&options](const std::string& text) {
             return TakeSeconds(text, options.time_limit_seconds);
           })
      .Type("S");
  c.Unsigned("--budget-steps", options.plan.budget_steps,
             "steps of the tight planner's search")
      .Type("N");
  c.Parsed("--capacity", "the ceiling of CSV problems (default 2^63 - 1)",
           [&options](const std::string& text) {
             return Take(ParseBytes(text), options.plan.capacity_bytes);
           })
      .Type("BYTES");
  c.Parsed("--memory", "of CSV problems: dram applies the page rule",
           [&options](const std::string& text) {
             return Take(ParseCsvMemory(text), options.plan.csv_memory);
           })
      .Type("other|dram");
  c.Parsed("--size-rounding", "size that the search uses (default page)",
           [&options](const std::string& text) {
             return Take(ParseSizeRounding(text), options.plan.size_rounding);
           })
      .Type("page|none");
  c.Flag("--ignore-columns", options.ignore_columns,
         "accept CSV columns of other names");
}

}  // namespace

void AddRace(Arguments& arguments) {
  const auto race = std::make_shared<RaceCommand>();
  Command c = arguments.Add(
      "race",
      "run planners, ours and others, on the same inputs: peak over lower "
      "bound, time, memory, validity. Time-outs, crashes and invalid answers "
      "are rows",
      [race] { return RunRace(*race); });
  c.Texts("INPUT", race->inputs, "CSV problems, programs, or folders of them")
      .Required();
  c.Texts("--planner", race->planners,
          "one of ours, or cmd:COMMAND; may be given several times (default "
          "briggs, greedy and tight)")
      .Type("NAME")
      .OneEach();
  c.Texts("--with", race->with,
          "one more planner: a command line that reads {in}, writes {out} and "
          "may be told {capacity} or {lower_bound}")
      .Type("NAME='COMMAND {in} {out}'")
      .OneEach();
  c.Flag("--json", race->json, "print one JSON object per run");
  AddRaceOptions(c, race->options);
}

}  // namespace berth
