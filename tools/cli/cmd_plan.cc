// berth plan: reads, places, validates, prints a table or JSON.
#include <sys/stat.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "allocator/base/phase.h"
#include "allocator/formats/csv.h"
#include "allocator/model/instance.h"
#include "allocator/pipeline/events.h"
#include "tools/cli/arguments.h"
#include "tools/cli/clock.h"
#include "tools/cli/commands.h"
#include "tools/cli/draw.h"
#include "tools/cli/exit_codes.h"
#include "tools/cli/files.h"
#include "tools/cli/input.h"
#include "tools/cli/metrics.h"
#include "tools/cli/options.h"
#include "tools/cli/plan_input.h"
#include "tools/cli/say.h"

namespace berth {
namespace {

struct PlanCommand {
  std::vector<std::string> inputs;
  std::string out;
  std::string map;
  bool json = false;
  bool log = false;
  bool no_validate = false;
  PlanRequest request;
  CsvOptions csv;
};

bool IsDirectory(const std::string& path) {
  struct stat info;
  return stat(path.c_str(), &info) == 0 && S_ISDIR(info.st_mode);
}

// Where the result of `input` goes: `out` itself, or into it if it is a folder.
std::string OutPath(const std::string& out, const std::string& input) {
  if (!IsDirectory(out)) return out;
  const size_t slash = input.find_last_of('/');
  const std::string name =
      input == "-" ? "stdin"
                   : input.substr(slash == std::string::npos ? 0 : slash + 1);
  return absl::StrCat(out, "/", name);
}

// Where the picture of `input` goes: as OutPath(), an SVG if into a folder.
std::string MapPath(const std::string& map, const std::string& input) {
  const std::string path = OutPath(map, input);
  return path == map ? path : absl::StrCat(path, ".svg");
}

// Of several inputs every one needs a file of its own in the folder `path`. An
// error message, or none.
std::string FaultOfFolder(const std::vector<std::string>& inputs,
                          const std::string& path) {
  if (inputs.size() < 2 || path.empty()) return "";
  if (!IsDirectory(path)) {
    return absl::StrCat("several inputs need a folder to write to, and '", path,
                        "' is none");
  }
  std::map<std::string, std::string> input_of;  // by file written
  for (const std::string& input : inputs) {
    const auto [it, is_new] = input_of.emplace(OutPath(path, input), input);
    if (is_new) continue;
    return absl::StrCat("'", it->second, "' and '", input,
                        "' would both be written to '", it->first, "'");
  }
  return "";
}

void PrintEvents(const PlanCommand& command, const Planned& planned) {
  for (const Event& event : planned.events) {
    if (command.log || IsWarning(event.kind)) SayNote(ToLine(event));
  }
}

// A placed CSV that is planned again has nothing to place: say so, since a peak
// of 0 surprises.
void NoteIfAllPinned(const Input& input) {
  if (input.is_program()) return;
  const std::vector<Buffer>& buffers = input.csv().instance.buffers;
  if (buffers.empty() ||
      !std::all_of(buffers.begin(), buffers.end(), [](const Buffer& buffer) {
        return buffer.offset.has_value();
      })) {
    return;
  }
  SayNote(absl::StrCat(input.path,
                       ": every buffer has an offset, and offsets are pins: "
                       "nothing is placed, no peak counts; berth check judges "
                       "placed files"));
}

// What the inputs were.
struct Kinds {
  bool program = false;
  bool csv = false;
};

// The ceiling of a program and that of a CSV are options of different names:
// say so where one was given that no input asks for.
void NoteCeilingOfOtherKind(const Command& arguments, const Kinds& kinds) {
  if (kinds.program && !kinds.csv && arguments.Given("--capacity")) {
    SayNote(
        "--capacity is for CSV problems: the window of a program's cores "
        "is --hbm-per-core");
  }
  if (kinds.csv && !kinds.program && arguments.Given("--hbm-per-core")) {
    SayNote(
        "--hbm-per-core is for programs: the ceiling of a CSV problem is "
        "--capacity");
  }
}

// Plans one input. Appends its metrics; returns its exit code.
int PlanOne(const PlanCommand& command, const std::string& path, Kinds& kinds,
            std::vector<Metrics>& all) {
  PhaseClock clock;
  clock.Enter(Phase::kRead);
  absl::StatusOr<Input> input = ReadInput(path, command.csv);
  clock.Enter(Phase::kOther);
  if (!input.ok()) return Fail(input.status());
  (input->is_program() ? kinds.program : kinds.csv) = true;
  NoteIfAllPinned(*input);
  Planned planned;
  const absl::Status status =
      PlanInput(command.request, clock, *input, planned);
  PrintEvents(command, planned);
  // A program that does not fit is still written: it says so itself.
  const bool writes =
      status.ok() || (absl::IsResourceExhausted(status) && input->is_program());
  if (!command.out.empty() && writes) {
    const absl::Status written =
        WriteOutput(*input, OutPath(command.out, path));
    if (!written.ok()) return Fail(written);
  }
  if (!status.ok()) return Fail(status);
  if (!command.map.empty()) {
    const absl::Status drawn = Draw(*input, MapPath(command.map, path));
    if (!drawn.ok()) return Fail(drawn);
  }
  if (command.json && command.out != "-") {
    std::printf("%s\n", ToJson(planned.metrics).c_str());
  }
  all.push_back(std::move(planned.metrics));
  if (planned.report.ok()) return kExitOk;
  SayError(absl::StrCat(path, ": the placement breaks an invariant:\n",
                        planned.report.ToString()));
  return kExitBroken;
}

int RunPlan(const Command& arguments, PlanCommand& command) {
  command.request.validate = !command.no_validate;
  const OptionNotes checked =
      CheckPlanOptions(arguments, command.request.options);
  if (!checked.error.empty()) {
    SayError(checked.error);
    return kExitUsage;
  }
  for (const std::string& note : checked.notes) SayNote(note);
  for (const std::string& path : {command.out, command.map}) {
    const std::string fault = FaultOfFolder(command.inputs, path);
    if (fault.empty()) continue;
    SayError(fault);
    return kExitUsage;
  }
  int worst = kExitOk;
  std::vector<Metrics> all;
  Kinds kinds;
  Progress progress;
  for (size_t i = 0; i < command.inputs.size(); ++i) {
    progress.Show(absl::StrCat("planning ", command.inputs[i], " (", i + 1, "/",
                               command.inputs.size(), ")"));
    const int code = PlanOne(command, command.inputs[i], kinds, all);
    worst = std::max(worst, code);
    progress.Clear();
  }
  NoteCeilingOfOtherKind(arguments, kinds);
  if (!command.json && !all.empty() && command.out != "-") {
    std::printf("%s", ToTable(all).c_str());
  }
  return worst;
}

}  // namespace

void AddPlan(Arguments& arguments) {
  const auto plan = std::make_shared<PlanCommand>();
  const auto command = std::make_shared<std::optional<Command>>();
  *command =
      arguments.Add("plan", "place the tensors of programs or CSV problems",
                    [plan, command] { return RunPlan(**command, *plan); });
  Command& c = **command;
  c.Texts("INPUT", plan->inputs,
          "programs or CSV problems; - is standard input")
      .Required();
  c.Text("-o,--out", plan->out,
         "write the placed input here (a folder for several inputs; - is "
         "standard output, and then no table)")
      .Type("OUT");
  c.Text("--map", plan->map,
         "draw the placement: FILE.svg, FILE.png or FILE.html; a folder for "
         "several inputs, and then SVG")
      .Type("FILE");
  c.Flag("--json", plan->json,
         "print one JSON object per input instead of the table");
  c.Flag("--log", plan->log, "print what the allocator says");
  c.Flag("--no-validate", plan->no_validate, "do not check the result");
  c.Flag("--full", plan->request.full,
         "check the result with invariant I9 too");
  AddPlanOptions(c, plan->request.options, plan->csv);
  AddTimeLimit(c, plan->request.time_limit_seconds,
               "end the tight planner's search after S seconds; the result "
               "then depends on time");
}

}  // namespace berth
