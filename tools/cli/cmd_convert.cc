// berth convert: between the formats.
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "allocator/base/status_macros.h"
#include "allocator/formats/convert.h"
#include "allocator/formats/csv.h"
#include "allocator/formats/program_io.h"
#include "allocator/liveness/liveness.h"
#include "allocator/model/options.h"
#include "allocator/model/program.h"
#include "tools/cli/arguments.h"
#include "tools/cli/commands.h"
#include "tools/cli/exit_codes.h"
#include "tools/cli/input.h"
#include "tools/cli/options.h"
#include "tools/cli/say.h"

namespace berth {
namespace {

struct ConvertCommand {
  std::string in;
  std::string out;
  std::string function;
  bool shared = false;
  bool unrounded = false;
  CsvOptions csv;
};

// The function that becomes a CSV: the one named, or the only one.
absl::StatusOr<const Function*> PickFunction(const Program& program,
                                             const ConvertCommand& command) {
  std::vector<const Function*> found;
  std::string names;
  for (const Module& module : program.modules) {
    for (const Function& function : module.functions) {
      const std::string label = absl::StrCat(module.core, ":", function.name);
      absl::StrAppend(&names, "\n  ", label);
      if (command.function.empty() || command.function == function.name ||
          command.function == label) {
        found.push_back(&function);
      }
    }
  }
  if (found.size() == 1) return found[0];
  return absl::InvalidArgumentError(absl::StrCat(
      command.in,
      ": a CSV holds one function; name one with --function:", names));
}

absl::Status ToCsv(const ConvertCommand& command, const Program& program,
                   Input& output, std::vector<std::string>& notes) {
  BERTH_ASSIGN_OR_RETURN(const Function* function,
                         PickFunction(program, command));
  BERTH_ASSIGN_OR_RETURN(const Liveness liveness, ComputeLiveness(*function));
  BERTH_ASSIGN_OR_RETURN(
      ConvertedInstance converted,
      ToInstance(
          *function, liveness.occupied,
          command.shared ? Space::kShared : Space::kLocal,
          command.unrounded ? SizeRounding::kNone : SizeRounding::kPage));
  notes = std::move(converted.notes);
  output.content = ToCsvDocument(converted.instance);
  output.format = Format::kCsv;
  return absl::OkStatus();
}

absl::Status ToProgramFormat(const Instance& instance, Input& output,
                             std::vector<std::string>& notes) {
  BERTH_ASSIGN_OR_RETURN(ConvertedProgram converted, ToProgram(instance));
  notes = std::move(converted.notes);
  output.content = std::move(converted.program);
  output.format = Format::kProgramText;
  return absl::OkStatus();
}

int RunConvert(const ConvertCommand& command) {
  absl::StatusOr<Input> input = ReadInput(command.in, command.csv);
  if (!input.ok()) return Fail(input.status());
  const bool to_csv = absl::EndsWith(command.out, ".csv");
  const bool to_program = absl::EndsWith(command.out, ".textproto") ||
                          absl::EndsWith(command.out, ".pb");
  if (!to_csv && !to_program) {
    SayError(
        absl::StrCat(command.out, ": convert writes .textproto, .pb or .csv"));
    return kExitUsage;
  }
  std::vector<std::string> notes;
  Input output = *std::move(input);
  absl::Status status;
  if (to_csv && output.is_program()) {
    const Program program = std::move(output.program());
    status = ToCsv(command, program, output, notes);
  } else if (to_program && !output.is_program()) {
    const Instance instance = std::move(output.csv().instance);
    status = ToProgramFormat(instance, output, notes);
  }
  if (!status.ok()) return Fail(status);
  for (const std::string& note : notes) SayNote(note);
  const absl::Status written = WriteOutput(output, command.out);
  return written.ok() ? kExitOk : Fail(written);
}

}  // namespace

void AddConvert(Arguments& arguments) {
  const auto convert = std::make_shared<ConvertCommand>();
  Command c = arguments.Add("convert", "convert between the formats",
                            [convert] { return RunConvert(*convert); });
  c.Text("IN", convert->in, "a program or CSV problem").Required();
  c.Text("OUT", convert->out, "FILE.textproto, FILE.pb or FILE.csv").Required();
  c.Text("--function", convert->function,
         "to CSV: FUNCTION or CORE:FUNCTION of a program with several");
  c.Flag("--shared", convert->shared,
         "to CSV: the SHARED space instead of the LOCAL one");
  c.Flag("--unrounded", convert->unrounded,
         "to CSV: sizes as they are, not rounded up to the page");
  c.Flag("--ignore-columns", convert->csv.ignore_columns,
         "accept CSV columns of other names");
}

}  // namespace berth
