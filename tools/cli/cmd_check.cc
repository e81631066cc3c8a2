// berth check: validates a placed program or CSV, whoever placed it.
#include <cstdio>
#include <memory>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "allocator/formats/csv.h"
#include "allocator/model/options.h"
#include "allocator/validate/validate.h"
#include "tools/cli/arguments.h"
#include "tools/cli/commands.h"
#include "tools/cli/exit_codes.h"
#include "tools/cli/input.h"
#include "tools/cli/options.h"
#include "tools/cli/say.h"

namespace berth {
namespace {

struct CheckCommand {
  std::string input;
  std::string original;
  ValidateOptions options;
  CsvOptions csv;
};

int RunCheck(const Command& arguments, const CheckCommand& command) {
  const OptionNotes checked = CheckPlanOptions(arguments, command.options.plan);
  if (!checked.error.empty()) {
    SayError(checked.error);
    return kExitUsage;
  }
  for (const std::string& note : checked.notes) SayNote(note);
  const absl::StatusOr<Input> placed = ReadInput(command.input, command.csv);
  if (!placed.ok()) return Fail(placed.status());
  absl::StatusOr<Input> original = Input();
  if (!command.original.empty()) {
    original = ReadInput(command.original, command.csv);
    if (!original.ok()) return Fail(original.status());
    if (original->is_program() != placed->is_program()) {
      SayError(absl::StrCat(command.input, " and ", command.original,
                            " are not of one kind"));
      return kExitUsage;
    }
  }
  const bool with_original = !command.original.empty();
  const Report report =
      placed->is_program()
          ? ValidateProgram(placed->program(),
                            with_original ? &original->program() : nullptr,
                            command.options)
          : ValidateInstance(
                placed->csv().instance,
                with_original ? &original->csv().instance : nullptr,
                command.options);
  std::printf("%s", report.ToString().c_str());
  if (!report.ok()) return kExitBroken;
  std::printf("%s: every invariant holds\n", command.input.c_str());
  return kExitOk;
}

}  // namespace

void AddCheck(Arguments& arguments) {
  const auto check = std::make_shared<CheckCommand>();
  const auto command = std::make_shared<std::optional<Command>>();
  *command = arguments.Add(
      "check", "validate a placed program or CSV, whoever placed it",
      [check, command] { return RunCheck(**command, *check); });
  Command& c = **command;
  c.Text("INPUT", check->input, "a placed program or CSV").Required();
  c.Text("--original", check->original,
         "the input as it was handed out: its pins must be where they were and "
         "nothing may be lost")
      .Type("FILE");
  c.Flag("--full", check->options.full, "also I9: nothing would fit lower");
  AddPlanOptions(c, check->options.plan, check->csv);
}

}  // namespace berth
