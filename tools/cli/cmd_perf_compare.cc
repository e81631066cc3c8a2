// berth perf compare: what became worse between two runs.
#include <cmath>
#include <cstdio>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "tools/cli/arguments.h"
#include "tools/cli/cmd_perf.h"
#include "tools/cli/exit_codes.h"
#include "tools/cli/say.h"
#include "tools/cli/table.h"
#include "tools/perf/compare.h"
#include "tools/perf/comparison_json.h"
#include "tools/perf/history.h"

namespace berth {
namespace {

using perf::Comparison;
using perf::MeasureKind;
using perf::Row;
using perf::RunInfo;
using perf::Verdict;

struct CompareCommand {
  std::string db = kDefaultHistory;
  std::string base;
  std::string current = "latest";
  bool json = false;
  bool all = false;
  bool warn_times = false;
  perf::CompareOptions options;
};

std::string Describe(const RunInfo& run) {
  std::string text =
      absl::StrCat("run ", run.id, " of ", run.commit.substr(0, 12), " (");
  if (!run.label.empty()) absl::StrAppend(&text, run.label, ", ");
  return absl::StrCat(text, run.recorded_at, ")");
}

std::string Value(const Row& row, double value, const std::string& text,
                  bool there) {
  if (!there) return "-";
  if (row.rule.kind == MeasureKind::kText) return text;
  if (row.rule.kind == MeasureKind::kCount) {
    return absl::StrFormat("%.10g", value);
  }
  return absl::StrCat(absl::StrFormat("%.4g", value),
                      *row.rule.unit == '\0' ? "" : " ", row.rule.unit);
}

std::string Change(const Row& row) {
  if (row.rule.kind == MeasureKind::kText || row.verdict == Verdict::kNew ||
      row.verdict == Verdict::kVanished) {
    return "-";
  }
  if (!std::isfinite(row.effect)) return "from 0";
  return absl::StrFormat("%+.2f%%", 100 * row.effect);
}

bool IsFinding(const Row& row) { return row.verdict != Verdict::kSame; }

std::string ToTable(const Comparison& comparison, bool all) {
  Table table({"benchmark", "measure", "base", "new", "change", "p", "verdict"},
              {true, true, false, false, false, false, true});
  size_t rows = 0;
  for (const Row& row : comparison.rows) {
    if (!all && !IsFinding(row)) continue;
    ++rows;
    const bool tested = row.rule.kind == MeasureKind::kNoisy &&
                        row.verdict != Verdict::kNew &&
                        row.verdict != Verdict::kVanished;
    table.Add(
        {row.name.benchmark, row.name.measure,
         Value(row, row.base, row.base_text, row.verdict != Verdict::kNew),
         Value(row, row.current, row.current_text,
               row.verdict != Verdict::kVanished),
         Change(row), tested ? absl::StrFormat("%.2g", row.p) : "-",
         absl::StrCat(ToText(row.verdict), row.gates ? " *" : "")});
  }
  return rows == 0 ? "" : table.ToString();
}

std::string Summary(const Comparison& comparison) {
  int findings = 0;
  int gating = 0;
  for (const Row& row : comparison.rows) {
    findings += IsFinding(row) ? 1 : 0;
    gating += row.gates ? 1 : 0;
  }
  std::string text = absl::StrFormat(
      "%d benchmarks in both, %d findings, %d of them regressions",
      comparison.benchmarks, findings, gating);
  if (gating > 0) text += " (*)";
  return text;
}

absl::StatusOr<Comparison> CompareRuns(const CompareCommand& command) {
  absl::StatusOr<perf::History> history =
      perf::History::Open(command.db, perf::History::Access::kRead);
  if (!history.ok()) return history.status();
  const auto runs = history->List();
  if (!runs.ok()) return runs.status();
  const auto current = perf::SelectRun(*runs, command.current);
  if (!current.ok()) return current.status();
  const auto base = command.base.empty() ? perf::SelectBase(*runs, *current)
                                         : perf::SelectRun(*runs, command.base);
  if (!base.ok()) return base.status();
  if (base->id == current->id) {
    return absl::InvalidArgumentError(
        absl::StrCat("both are ", Describe(*base), ": name two runs"));
  }
  const auto base_run = history->Load(*base);
  if (!base_run.ok()) return base_run.status();
  const auto current_run = history->Load(*current);
  if (!current_run.ok()) return current_run.status();
  return perf::Compare(*base_run, *current_run, command.options);
}

int RunCompare(CompareCommand& command) {
  if (!(command.options.alpha > 0 && command.options.alpha < 1) ||
      !(command.options.min_effect >= 0)) {
    SayError("--alpha lies between 0 and 1, --min-effect is not negative");
    return kExitUsage;
  }
  command.options.gate_times = !command.warn_times;
  const absl::StatusOr<Comparison> comparison = CompareRuns(command);
  if (!comparison.ok()) return Fail(comparison.status());
  if (comparison->rows.empty()) {
    SayError("the runs have no benchmark to compare");
    return kExitUsage;
  }
  for (const std::string& note : comparison->notes) SayNote(note);
  if (command.json) {
    std::printf("%s\n", perf::ToJson(*comparison).c_str());
  } else {
    std::printf("base: %s\nnew:  %s\n%s%s\n",
                Describe(comparison->base).c_str(),
                Describe(comparison->current).c_str(),
                ToTable(*comparison, command.all).c_str(),
                Summary(*comparison).c_str());
  }
  return comparison->regression() ? kExitNo : kExitOk;
}

}  // namespace

void AddPerfCompare(Arguments& arguments) {
  const auto compare = std::make_shared<CompareCommand>();
  Command c = arguments.AddBelow(
      "perf", "compare", "what became worse between two runs; 1 if anything",
      [compare] { return RunCompare(*compare); });
  c.Text(
      "BASE", compare->base,
      "the run to judge by: an id, a commit, a label or latest (default: the "
      "one that NEW was measured in turns with, else the newest before it "
      "of the same machine, compiler and flags)");
  c.Text("NEW", compare->current, "the run to judge (default: latest)");
  AddHistoryOption(c, compare->db);
  c.Text("--only", compare->options.only,
         "only benchmarks whose name contains this")
      .Type("TEXT");
  c.Real("--alpha", compare->options.alpha,
         "chance of one false alarm about times in the whole comparison "
         "(default 0.01)")
      .Type("P");
  c.Real("--min-effect", compare->options.min_effect,
         "least relative change of a time that matters (default 0.03)")
      .Type("SHARE");
  c.Flag("--warn-times", compare->warn_times,
         "report slower times, but do not exit with 1 for them");
  c.Flag("--all", compare->all, "print what stayed the same too");
  c.Flag("--json", compare->json, "print one JSON object instead of the table");
}

}  // namespace berth
