// berth passes: the pipeline that a set of options gives.
#include <cstdio>
#include <memory>
#include <optional>
#include <string>

#include "allocator/formats/csv.h"
#include "allocator/model/options.h"
#include "allocator/pipeline/pipeline.h"
#include "tools/cli/arguments.h"
#include "tools/cli/commands.h"
#include "tools/cli/exit_codes.h"
#include "tools/cli/options.h"
#include "tools/cli/say.h"

namespace berth {
namespace {

struct PassesCommand {
  PlanOptions options;
  CsvOptions csv;  // accepted like all options of plan; passes do not change
};

int RunPasses(const Command& arguments, const PassesCommand& command) {
  const OptionNotes checked = CheckPlanOptions(arguments, command.options);
  if (!checked.error.empty()) {
    SayError(checked.error);
    return kExitUsage;
  }
  for (const std::string& note : checked.notes) SayNote(note);
  for (const Pass& pass : BuildPipeline(command.options)) {
    std::printf("%.*s\n", static_cast<int>(pass.name.size()), pass.name.data());
  }
  return kExitOk;
}

}  // namespace

void AddPasses(Arguments& arguments) {
  const auto passes = std::make_shared<PassesCommand>();
  const auto command = std::make_shared<std::optional<Command>>();
  *command = arguments.Add(
      "passes", "name the passes that these options give, in order",
      [passes, command] { return RunPasses(**command, *passes); });
  AddPlanOptions(**command, passes->options, passes->csv);
}

}  // namespace berth
