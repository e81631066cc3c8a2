// berth shrink: the smallest input for which a command still exits 0.
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "allocator/formats/csv.h"
#include "allocator/formats/program_io.h"
#include "tools/cli/arguments.h"
#include "tools/cli/commands.h"
#include "tools/cli/exit_codes.h"
#include "tools/cli/input.h"
#include "tools/cli/say.h"
#include "tools/cli/shrink_input.h"
#include "tools/external/process.h"

namespace berth {
namespace {

struct ShrinkCommand {
  std::string input;
  std::string command;
  std::string out;
  int64_t tries = 2000;
  double seconds = 60;
  CsvOptions csv;
};

const char* EndingOf(const Input& input) {
  if (!input.is_program()) return ".csv";
  return input.format == Format::kProgramBinary ? ".pb" : ".textproto";
}

int RunShrink(const ShrinkCommand& command) {
  if (!absl::StrContains(command.command, "{}")) {
    SayError("--while needs {} where the input's path goes");
    return kExitUsage;
  }
  absl::StatusOr<Input> input = ReadInput(command.input, command.csv);
  if (!input.ok()) return Fail(input.status());
  const absl::StatusOr<TemporaryFolder> folder = TemporaryFolder::Make();
  if (!folder.ok()) return Fail(folder.status());
  const std::string path = folder->path() + "/candidate" + EndingOf(*input);
  const std::string line =
      absl::StrReplaceAll(command.command, {{"{}", ShellQuoted(path)}});
  ProcessLimits limits;
  limits.seconds = command.seconds;
  const auto holds = [&](const Input& candidate) {
    if (!WriteOutput(candidate, path).ok()) return false;
    const absl::StatusOr<ProcessResult> result = RunProcess(line, limits);
    return result.ok() && result->exit_code == 0;
  };
  if (!holds(*input)) {
    SayError(absl::StrCat("the command does not exit 0 for ", command.input,
                          " itself"));
    return kExitUsage;
  }
  const Shrunk shrunk = ShrinkInput(*input, holds, {command.tries});
  const absl::Status written = WriteOutput(shrunk.input, command.out);
  if (!written.ok()) return Fail(written);
  if (command.out != "-") {
    std::printf("%s -> %s, %lld tries%s\n", SizeText(*input).c_str(),
                SizeText(shrunk.input).c_str(),
                static_cast<long long>(shrunk.stats.tries),
                shrunk.stats.exhausted ? " (all that --tries allows)" : "");
  }
  return kExitOk;
}

}  // namespace

void AddShrink(Arguments& arguments) {
  const auto shrink = std::make_shared<ShrinkCommand>();
  Command c = arguments.Add(
      "shrink", "find the smallest input for which a command still exits 0",
      [shrink] { return RunShrink(*shrink); });
  c.Text("INPUT", shrink->input, "a program or CSV problem").Required();
  c.Text("--while", shrink->command,
         "a command line with {} for the input's path, which exits 0 as long "
         "as what is looked for is there")
      .Type("'COMMAND {}'")
      .Required();
  c.Text("-o,--out", shrink->out, "file to write; - is standard output")
      .Type("OUT")
      .Required();
  c.Int("--tries", shrink->tries, 1, 1'000'000,
        "runs of the command (default 2000)")
      .Type("N");
  c.Real("--time-limit", shrink->seconds, "of one run (default 60)").Type("S");
  c.Flag("--ignore-columns", shrink->csv.ignore_columns,
         "accept CSV columns of other names; they are left out");
}

}  // namespace berth
