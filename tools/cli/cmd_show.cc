// berth show: draws a placed input.
#include <memory>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "allocator/formats/csv.h"
#include "allocator/model/instance.h"
#include "allocator/model/names.h"
#include "allocator/model/options.h"
#include "allocator/model/program.h"
#include "tools/cli/arguments.h"
#include "tools/cli/clock.h"
#include "tools/cli/commands.h"
#include "tools/cli/draw.h"
#include "tools/cli/exit_codes.h"
#include "tools/cli/input.h"
#include "tools/cli/options.h"
#include "tools/cli/plan_input.h"
#include "tools/cli/say.h"

namespace berth {
namespace {

struct ShowCommand {
  std::string input;
  std::string out;
  PlanRequest request;
  CsvOptions csv;
  std::optional<Planner> beside;
};

// Plans `input` with the planner of `request`.
absl::Status PlanToShow(const PlanRequest& request, Input& input) {
  PhaseClock clock;
  Planned planned;
  return PlanInput(request, clock, input, planned);
}

// Takes back what some planner placed, so that another can: all but pins. In a
// placed CSV an offset is no pin (nobody can tell).
void TakeBack(Input& input) {
  if (!input.is_program()) {
    for (Buffer& buffer : input.csv().instance.buffers) buffer.offset.reset();
    return;
  }
  for (Module& module : input.program().modules) {
    for (Function& function : module.functions) {
      function.runs.clear();
      for (Location& location : function.locations) {
        if (!location.placeable() || location.placed_by == PlacedBy::kInput) {
          continue;
        }
        location.address.reset();
        location.placed_by = PlacedBy::kNone;
      }
    }
  }
}

// What the placement that came with an input is called.
std::string PlannerOfPlaced(const Input& input) {
  if (input.is_program()) {
    for (const Module& module : input.program().modules) {
      for (const Function& function : module.functions) {
        if (function.runs.empty()) continue;
        return std::string(Name(function.runs[0].planner));
      }
    }
  }
  return "as given";
}

int RunShow(const ShowCommand& command) {
  absl::StatusOr<Input> input = ReadInput(command.input, command.csv);
  if (!input.ok()) return Fail(input.status());
  Input other;
  if (command.beside) other = *input;
  std::string title(Name(command.request.options.planner));
  if (IsPlaced(*input)) {
    title = PlannerOfPlaced(*input);
    if (command.beside) TakeBack(other);
  } else {
    SayNote(absl::StrCat(command.input, " is not placed: planning it first"));
    const absl::Status status = PlanToShow(command.request, *input);
    if (!status.ok()) return Fail(status);
  }
  absl::Status drawn;
  if (command.beside) {
    PlanRequest request = command.request;
    request.options.planner = *command.beside;
    const absl::Status status = PlanToShow(request, other);
    if (!status.ok()) return Fail(status);
    drawn = DrawBeside(*input, title, other, std::string(Name(*command.beside)),
                       command.out);
  } else {
    drawn = Draw(*input, command.out);
  }
  return drawn.ok() ? kExitOk : Fail(drawn);
}

}  // namespace

void AddShow(Arguments& arguments) {
  const auto show = std::make_shared<ShowCommand>();
  Command c = arguments.Add(
      "show", "draw a placed program or CSV: time across, address up",
      [show] { return RunShow(*show); });
  c.Text("INPUT", show->input,
         "a placed input; one that is not placed is planned first")
      .Required();
  c.Text("-o,--out", show->out,
         "FILE.svg, FILE.png or FILE.html; - writes SVG to standard output")
      .Required()
      .Type("FILE");
  c.Parsed("--beside",
           "FILE.html only: plan with this planner too, and show both side by "
           "side",
           [show](const std::string& text) {
             show->beside = ParsePlanner(text);
             return show->beside.has_value();
           })
      .Type("PLANNER");
  AddPlanOptions(c, show->request.options, show->csv);
}

}  // namespace berth
