// berth split: one core's program over N cores.
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "allocator/formats/csv.h"
#include "allocator/gen/split.h"
#include "allocator/model/program.h"
#include "tools/cli/arguments.h"
#include "tools/cli/commands.h"
#include "tools/cli/exit_codes.h"
#include "tools/cli/input.h"
#include "tools/cli/say.h"

namespace berth {
namespace {

struct SplitCommand {
  std::string input;
  std::string out;
  int64_t cores = 2;
};

int RunSplit(const SplitCommand& command) {
  absl::StatusOr<Input> input = ReadInput(command.input, CsvOptions());
  if (!input.ok()) return Fail(input.status());
  if (!input->is_program()) {
    SayError(absl::StrCat(command.input,
                          ": only programs can be split; berth convert makes "
                          "one of a CSV problem"));
    return kExitUsage;
  }
  absl::StatusOr<Program> split =
      SplitProgram(input->program(), static_cast<int32_t>(command.cores));
  if (!split.ok()) {
    return Fail(absl::Status(
        split.status().code(),
        absl::StrCat(command.input, ": ", split.status().message())));
  }
  input->content = *std::move(split);
  const absl::Status written = WriteOutput(*input, command.out);
  return written.ok() ? kExitOk : Fail(written);
}

}  // namespace

void AddSplit(Arguments& arguments) {
  const auto split = std::make_shared<SplitCommand>();
  Command c = arguments.Add(
      "split",
      "spread one core's program over N cores: private parts, shared staging "
      "buffers, hand-overs, barriers",
      [split] { return RunSplit(*split); });
  c.Text("INPUT", split->input, "a program of one core").Required();
  c.Int("--cores", split->cores, 1, kMaxSplitCores, "cores (default 2)")
      .Type("N");
  c.Text("-o,--out", split->out,
         "file to write; - writes the format of the input to standard output")
      .Required()
      .Type("FILE");
}

}  // namespace berth
