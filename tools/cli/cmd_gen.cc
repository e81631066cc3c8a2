// berth gen: seeded programs and CSV problems.
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "allocator/base/int_math.h"
#include "allocator/formats/csv.h"
#include "allocator/formats/program_io.h"
#include "allocator/gen/gen.h"
#include "allocator/gen/split.h"
#include "tools/cli/arguments.h"
#include "tools/cli/commands.h"
#include "tools/cli/exit_codes.h"
#include "tools/cli/input.h"
#include "tools/cli/say.h"
#include "tools/cli/table.h"

namespace berth {
namespace {

struct GenCommand {
  GenOptions options;
  int64_t cores = 1;
  std::string out;
  bool list = false;
};

int List() {
  Table table({"kind", "makes"}, {true, true});
  for (const GenKind& kind : GenKinds()) table.Add({kind.name, kind.summary});
  std::printf("%s", table.ToString().c_str());
  return kExitOk;
}

int RunGen(GenCommand& command) {
  command.options.cores = static_cast<int32_t>(command.cores);
  if (command.list) return List();
  if (command.options.kind.empty() || command.out.empty()) {
    SayError("gen needs a KIND and -o FILE, or --list");
    return kExitUsage;
  }
  const bool to_csv = absl::EndsWith(command.out, ".csv");
  if (!to_csv && command.out != "-" &&
      !absl::EndsWith(command.out, ".textproto") &&
      !absl::EndsWith(command.out, ".pb")) {
    SayError(absl::StrCat(command.out, ": gen writes .textproto, .pb or .csv"));
    return kExitUsage;
  }
  SayNote(absl::StrCat("kind ", command.options.kind, ", size ",
                       command.options.size, ", cores ", command.options.cores,
                       ", seed ", command.options.seed));
  Input output;
  if (to_csv) {
    absl::StatusOr<Instance> instance = GenerateInstance(command.options);
    if (!instance.ok()) return Fail(instance.status());
    output.content = ToCsvDocument(*instance);
    output.format = Format::kCsv;
  } else {
    absl::StatusOr<Program> program = GenerateProgram(command.options);
    if (!program.ok()) return Fail(program.status());
    output.content = *std::move(program);
    output.format = Format::kProgramText;
  }
  const absl::Status written = WriteOutput(output, command.out);
  return written.ok() ? kExitOk : Fail(written);
}

}  // namespace

void AddGen(Arguments& arguments) {
  const auto gen = std::make_shared<GenCommand>();
  Command c = arguments.Add(
      "gen", "make a seeded program (.textproto, .pb) or CSV problem (.csv)",
      [gen] { return RunGen(*gen); });
  c.Text("KIND", gen->options.kind, "see --list");
  c.Int("--size", gen->options.size, 0, kMaxCount,
        absl::StrCat("number of locations of a core, about (default ",
                     GenOptions().size, ")"))
      .Type("N");
  c.Int("--cores", gen->cores, 1, kMaxSplitCores,
        "split the program over N cores (default 1)")
      .Type("N");
  c.Unsigned("--seed", gen->options.seed, "default 1").Type("S");
  c.Real("--live", gen->options.live,
         "random: mean number of live locations (default 50)")
      .Type("M");
  c.Text("-o,--out", gen->out,
         "file to write; - writes text to standard output")
      .Type("FILE");
  c.Flag("--list", gen->list, "name the kinds");
}

}  // namespace berth
