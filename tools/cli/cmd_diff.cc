// berth diff: two planners or oracles over files or seeded random programs.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "allocator/formats/csv.h"
#include "tools/cli/arguments.h"
#include "tools/cli/commands.h"
#include "tools/cli/exit_codes.h"
#include "tools/cli/input.h"
#include "tools/cli/options.h"
#include "tools/cli/say.h"
#include "tools/cli/shrink_input.h"
#include "tools/diff/compare.h"
#include "tools/diff/contender.h"
#include "tools/diff/random_input.h"

namespace berth {
namespace {

struct DiffCommand {
  std::vector<std::string> inputs;
  int64_t programs = 0;
  uint64_t seed = 1;
  std::string a = "reference";
  std::string b = "briggs";
  std::string criterion;
  std::string out;
  bool features = false;
  int64_t tries = 2000;
  std::optional<double> process_seconds;
  CompareOptions compare;
  CsvOptions csv;
};

// What is compared if --compare does not say: addresses where the contract
// gives them, else whether both are valid.
bool SetCriterion(const Contender& a, const Contender& b,
                  DiffCommand& command) {
  Criterion& criterion = command.compare.criterion;
  if (command.criterion.empty()) {
    criterion = a.by_contract() && b.by_contract() ? Criterion::kAddresses
                                                   : Criterion::kValidity;
  } else if (command.criterion == "addresses") {
    criterion = Criterion::kAddresses;
  } else if (command.criterion == "validity") {
    criterion = Criterion::kValidity;
  } else if (command.criterion == "peak") {
    criterion = Criterion::kPeak;
  } else {
    return false;
  }
  return true;
}

// A difference: shrinks it and writes it out.
int Report(const DiffCommand& command, const Contender& a, const Contender& b,
           const Input& input, const Difference& difference) {
  std::printf("%s: %s\n", input.path.c_str(), difference.message.c_str());
  std::fflush(stdout);
  SayNote(absl::StrCat("shrinking it, by at most ", command.tries,
                       " comparisons (--tries)"));
  const auto holds = [&](const Input& candidate) {
    const auto again = Compare(a, b, candidate, command.compare);
    return again.ok() && again->has_value() &&
           (*again)->kind == difference.kind;
  };
  const Shrunk shrunk = ShrinkInput(input, holds, {command.tries});
  std::string out = command.out;
  if (out.empty()) out = input.is_program() ? "diff.textproto" : "diff.csv";
  const absl::Status written = WriteOutput(shrunk.input, out);
  if (!written.ok()) return Fail(written);
  const auto last = Compare(a, b, shrunk.input, command.compare);
  std::printf("shrunk from %s to %s, written to %s: %s\n",
              SizeText(input).c_str(), SizeText(shrunk.input).c_str(),
              out.c_str(),
              last.ok() && last->has_value() ? (*last)->message.c_str()
                                             : "no longer the same");
  return difference.broken ? kExitBroken : kExitNo;
}

// nullopt: no difference, go on.
std::optional<int> One(const DiffCommand& command, const Contender& a,
                       const Contender& b, const Input& input) {
  const auto difference = Compare(a, b, input, command.compare);
  if (!difference.ok()) return Fail(difference.status());
  if (!difference->has_value()) return std::nullopt;
  return Report(command, a, b, input, **difference);
}

int RunAll(const DiffCommand& command, const Contender& a, const Contender& b) {
  for (const std::string& path : command.inputs) {
    const absl::StatusOr<Input> input = ReadInput(path, command.csv);
    if (!input.ok()) return Fail(input.status());
    if (const auto code = One(command, a, b, *input)) return *code;
  }
  RandomInputOptions random;
  random.features = command.features;
  const bool external = a.kind == Contender::Kind::kExternal ||
                        b.kind == Contender::Kind::kExternal;
  Progress progress;
  for (int64_t i = 0; i < command.programs; ++i) {
    const uint64_t seed = command.seed + static_cast<uint64_t>(i);
    // Programs and CSV problems in turn.
    random.csv = external || i % 2 == 1;
    if (i % 64 == 0) {
      progress.Show(absl::StrCat(i, "/", command.programs));
    }
    if (const auto code = One(command, a, b, RandomInput(seed, random))) {
      return *code;
    }
  }
  progress.Clear();
  std::printf("%lld inputs, no difference between %s and %s\n",
              static_cast<long long>(command.inputs.size()) +
                  static_cast<long long>(command.programs),
              a.name.c_str(), b.name.c_str());
  return kExitOk;
}

int RunDiff(const Command& arguments, DiffCommand& command) {
  const OptionNotes checked =
      CheckPlanOptions(arguments, command.compare.request.options);
  if (!checked.error.empty()) {
    SayError(checked.error);
    return kExitUsage;
  }
  for (const std::string& note : checked.notes) SayNote(note);
  const absl::StatusOr<Contender> a = ParseContender(command.a);
  const absl::StatusOr<Contender> b = ParseContender(command.b);
  if (!a.ok()) return Fail(a.status());
  if (!b.ok()) return Fail(b.status());
  if (!SetCriterion(*a, *b, command)) {
    SayError("--compare is addresses, validity or peak");
    return kExitUsage;
  }
  if (command.inputs.empty() && command.programs == 0) {
    SayError("diff needs inputs, or --programs N");
    return kExitUsage;
  }
  if (command.process_seconds.has_value()) {
    command.compare.limits.seconds = *command.process_seconds;
  }
  return RunAll(command, *a, *b);
}

}  // namespace

void AddDiff(Arguments& arguments) {
  const auto diff = std::make_shared<DiffCommand>();
  const auto command = std::make_shared<std::optional<Command>>();
  *command = arguments.Add(
      "diff", "compare two planners or oracles; shrink the first difference",
      [diff, command] { return RunDiff(**command, *diff); });
  Command& c = **command;
  c.Texts("INPUT", diff->inputs, "programs or CSV problems");
  c.Int("--programs", diff->programs, 0, 1'000'000'000,
        "compare on N seeded random inputs too")
      .Type("N");
  c.Unsigned("--seed", diff->seed, "of the first (default 1)").Type("S");
  c.Text("--a", diff->a,
         "reference, briggs, greedy, tight, 'cmd:COMMAND {in} {out} "
         "{capacity}', or an oracle: emission-tree, sorted-tree, block-tree, "
         "red-black, matrix, linear-scan, sweep, window-lists (default "
         "reference)")
      .Type("NAME");
  c.Text("--b", diff->b, "the other one (default briggs)").Type("NAME");
  c.Text("--compare", diff->criterion,
         "addresses, validity or peak (default: addresses for reference and "
         "briggs, else validity)")
      .Type("WHAT");
  c.Flag("--features", diff->features,
         "random CSV problems have alignments, gaps and pins too");
  c.Text("-o,--out", diff->out,
         "where the shrunk input goes (default diff.textproto or diff.csv)")
      .Type("OUT");
  c.Int("--tries", diff->tries, 1, 1'000'000,
        "comparisons while shrinking (default 2000)")
      .Type("N");
  AddPlanOptions(c, diff->compare.request.options, diff->csv);
  AddTimeLimit(c, diff->process_seconds,
               "seconds of each run of an external planner, which is then "
               "killed (default 60)");
}

}  // namespace berth
