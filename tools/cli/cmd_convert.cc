// berth convert: between the formats, and from those of other programs.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "allocator/base/status_macros.h"
#include "allocator/formats/convert.h"
#include "allocator/formats/csv.h"
#include "allocator/formats/program_io.h"
#include "allocator/liveness/liveness.h"
#include "allocator/model/instance.h"
#include "allocator/model/options.h"
#include "allocator/model/program.h"
#include "allocator/placement/problem.h"
#include "fuzz/inputs/problem_input.h"
#include "tools/cli/arguments.h"
#include "tools/cli/commands.h"
#include "tools/cli/exit_codes.h"
#include "tools/cli/files.h"
#include "tools/cli/input.h"
#include "tools/cli/options.h"
#include "tools/cli/say.h"
#include "tools/import/detect.h"
#include "tools/import/import.h"
#include "tools/import/imported.h"

namespace berth {
namespace {

struct ConvertCommand {
  std::string in;
  std::string out;
  std::string function;
  bool shared = false;
  bool unrounded = false;
  bool to_csv = false;  // what goes to standard output
  bool fuzz_problem = false;
  bool byte_map = false;
  CsvOptions csv;
  import::Options import;
  std::vector<std::string> dims;  // NAME=N, for import.dims
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

// What search_fuzzer, order_fuzzer and plan_fuzzer make of these bytes, as a
// CSV problem. (program_fuzzer's and sync_fuzzer's inputs are programs.)
Input FuzzProblem(const std::string& bytes, const ConvertCommand& command,
                  std::vector<std::string>& notes) {
  const std::string& path = command.in;
  const Problem problem =
      fuzz::DecodeProblem(bytes, {.byte_map = command.byte_map});
  notes.push_back(absl::StrCat(
      path, " as a problem has page ", problem.page_bytes, ", floor ",
      problem.floor, ", cc_end ", problem.cc_end, ", ceiling ", problem.ceiling,
      ", which neither format keeps"));
  Input input;
  input.path = path;
  input.format = Format::kCsv;
  input.content = ToCsvDocument(fuzz::ToInstance(problem));
  return input;
}

// Reads IN, whoever wrote it. `notes` are the importer's.
absl::StatusOr<Input> ReadAny(const ConvertCommand& command,
                              std::vector<std::string>& notes) {
  BERTH_ASSIGN_OR_RETURN(const std::string content, ReadFile(command.in));
  if (command.fuzz_problem) return FuzzProblem(content, command, notes);
  const import::Source source = import::DetectSource(content);
  if (source == import::Source::kNone) {
    return ParseInput(content, command.in, command.csv);
  }
  BERTH_ASSIGN_OR_RETURN(
      import::Imported imported,
      import::Import(source, content, NameOfInput(command.in), command.import));
  notes.push_back(absl::StrCat(command.in, " is ", import::NameOf(source)));
  for (std::string& note : imported.notes) notes.push_back(std::move(note));
  Input input;
  input.path = command.in;
  if (std::holds_alternative<Program>(imported.content)) {
    input.format = Format::kProgramText;
    input.content = std::move(std::get<Program>(imported.content));
  } else {
    input.format = Format::kCsv;
    input.content = ToCsvDocument(std::get<Instance>(imported.content));
  }
  return input;
}

// "batch=8".
bool ParseDim(const std::string& text, import::Options& options) {
  const size_t equals = text.rfind('=');
  int64_t size = 0;
  if (equals == std::string::npos || equals == 0 ||
      !absl::SimpleAtoi(text.substr(equals + 1), &size) || size < 0) {
    return false;
  }
  options.dims.emplace_back(text.substr(0, equals), size);
  return true;
}

bool ParseIo(const std::string& text, import::Options& options) {
  if (text == "external") {
    options.io = import::Io::kExternal;
  } else if (text == "pinned") {
    options.io = import::Io::kPinned;
  } else if (text == "placed") {
    options.io = import::Io::kPlaced;
  } else {
    return false;
  }
  return true;
}

int RunConvert(ConvertCommand& command) {
  for (const std::string& dim : command.dims) {
    if (ParseDim(dim, command.import)) continue;
    SayError(absl::StrCat("--dim ", dim, ": NAME=N is expected"));
    return kExitUsage;
  }
  const bool to_stdout = command.out == "-";
  const bool to_csv =
      to_stdout ? command.to_csv : absl::EndsWith(command.out, ".csv");
  const bool to_program = to_stdout
                              ? !command.to_csv
                              : absl::EndsWith(command.out, ".textproto") ||
                                    absl::EndsWith(command.out, ".pb");
  if (!to_csv && !to_program) {
    SayError(
        absl::StrCat(command.out, ": convert writes .textproto, .pb or .csv"));
    return kExitUsage;
  }
  std::vector<std::string> notes;
  absl::StatusOr<Input> input = ReadAny(command, notes);
  if (!input.ok()) return Fail(input.status());
  for (const std::string& note : notes) SayNote(note);
  notes.clear();
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
  if (to_stdout && to_program) output.format = Format::kProgramText;
  const absl::Status written = WriteOutput(output, command.out);
  return written.ok() ? kExitOk : Fail(written);
}

}  // namespace

void AddConvert(Arguments& arguments) {
  const auto convert = std::make_shared<ConvertCommand>();
  Command c = arguments.Add("convert", "convert between the formats",
                            [convert] { return RunConvert(*convert); });
  c.Text("IN", convert->in,
         "a program or CSV problem; or an ONNX model, an XLA buffer assignment "
         "(its text or its buffer-info CSV), heaptrack data (uncompressed), an "
         "ltrace log of malloc and free: told apart by content")
      .Required();
  c.Text(
       "OUT", convert->out,
       "FILE.textproto, FILE.pb or FILE.csv; - is standard output, which gets "
       "a text program")
      .Required();
  c.Flag("--csv", convert->to_csv, "to standard output: a CSV");
  c.Text("--function", convert->function,
         "to CSV: FUNCTION or CORE:FUNCTION of a program with several")
      .Type("NAME");
  c.Flag("--shared", convert->shared,
         "to CSV: the SHARED space instead of the LOCAL one");
  c.Flag("--unrounded", convert->unrounded,
         "to CSV: sizes as they are, not rounded up to the page");
  c.Flag("--ignore-columns", convert->csv.ignore_columns,
         "accept CSV columns of other names");
  c.Flag("--fuzz-problem", convert->fuzz_problem,
         "IN is an input of order_fuzzer, plan_fuzzer or, with --byte-map, "
         "search_fuzzer (those of program_fuzzer, sync_fuzzer and "
         "validate_fuzzer are programs as they stand)");
  c.Flag("--byte-map", convert->byte_map,
         "with --fuzz-problem: small pages and addresses below 2048, as "
         "search_fuzzer reads its input");
  constexpr char kImport[] = "Other programs' files";
  c.Parsed("--io",
           "ONNX, XLA: what goes in and out is external (default: the runtime "
           "places it), pinned (pre-placed one after another from address 0), "
           "or placed (as intermediates are)",
           [convert](const std::string& text) {
             return ParseIo(text, convert->import);
           })
      .Type("external|pinned|placed")
      .Group(kImport);
  c.Flag("--pin-weights", convert->import.pin_weights,
         "ONNX: weights and constants are pre-placed too")
      .Group(kImport);
  c.Texts("--dim", convert->dims,
          "ONNX: the size of a symbolic dimension; may be repeated")
      .OneEach()
      .Type("NAME=N")
      .Group(kImport);
  c.Int("--xla-color", convert->import.xla_color, 0, 1 << 20,
        "XLA: the memory space to take (default 0)")
      .Type("N")
      .Group(kImport);
}

}  // namespace berth
