// berth show: draws a placed input.
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "allocator/formats/csv.h"
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
};

int RunShow(const ShowCommand& command) {
  absl::StatusOr<Input> input = ReadInput(command.input, command.csv);
  if (!input.ok()) return Fail(input.status());
  if (!IsPlaced(*input)) {
    SayNote(absl::StrCat(command.input, " is not placed: planning it first"));
    PhaseClock clock;
    Planned planned;
    const absl::Status status =
        PlanInput(command.request, clock, *input, planned);
    if (!status.ok()) return Fail(status);
  }
  const absl::Status drawn = Draw(*input, command.out);
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
  c.Text("-o,--out", show->out, "FILE.svg, FILE.png or FILE.html")
      .Required()
      .Type("FILE");
  AddPlanOptions(c, show->request.options, show->csv);
}

}  // namespace berth
