// berth perf report: the history as one page. berth perf export: a run in the
// formats of benchmark servers.
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "tools/cli/arguments.h"
#include "tools/cli/cmd_perf.h"
#include "tools/cli/exit_codes.h"
#include "tools/cli/files.h"
#include "tools/cli/say.h"
#include "tools/perf/compare.h"
#include "tools/perf/export.h"
#include "tools/perf/history.h"
#include "tools/perf/report.h"
#include "tools/perf/run.h"

namespace berth {
namespace {

struct ReportCommand {
  std::string db = kDefaultHistory;
  std::string out;
  int64_t last = 200;
  perf::CompareOptions options;
};

absl::StatusOr<std::string> MakeReport(const ReportCommand& command) {
  absl::StatusOr<perf::History> history =
      perf::History::Open(command.db, perf::History::Access::kRead);
  if (!history.ok()) return history.status();
  auto infos = history->List();
  if (!infos.ok()) return infos.status();
  const size_t last = static_cast<size_t>(command.last);
  if (infos->size() > last)
    infos->erase(infos->begin(), infos->end() - command.last);
  std::vector<perf::BenchRun> runs;
  for (const perf::RunInfo& info : *infos) {
    absl::StatusOr<perf::BenchRun> run = history->Load(info);
    if (!run.ok()) return run.status();
    runs.push_back(*std::move(run));
  }
  return perf::RenderReport(runs, command.options);
}

int RunReport(const ReportCommand& command) {
  const absl::StatusOr<std::string> page = MakeReport(command);
  if (!page.ok()) return Fail(page.status());
  const absl::Status written = WriteFile(command.out, *page);
  return written.ok() ? kExitOk : Fail(written);
}

struct ExportCommand {
  std::string db = kDefaultHistory;
  std::string run = "latest";
  std::string format;
  std::string out = "-";
};

absl::StatusOr<std::string> Export(const ExportCommand& command) {
  absl::StatusOr<perf::History> history =
      perf::History::Open(command.db, perf::History::Access::kRead);
  if (!history.ok()) return history.status();
  const absl::StatusOr<perf::BenchRun> run = LoadRun(*history, command.run);
  if (!run.ok()) return run.status();
  if (command.format == "github") return perf::ToGithubActionBenchmark(*run);
  if (command.format == "bencher") return perf::ToBencher(*run);
  if (command.format == "lnt") return perf::ToLnt(*run);
  if (command.format == "lnt-berth") return perf::ToLntBerth(*run);
  if (command.format == "lnt-schema") return perf::LntBerthSchema(*run);
  return absl::InvalidArgumentError(
      absl::StrCat("no format is called '", command.format,
                   "'; there are github, bencher, lnt, lnt-berth and "
                   "lnt-schema"));
}

int RunExport(const ExportCommand& command) {
  const absl::StatusOr<std::string> text = Export(command);
  if (!text.ok()) return Fail(text.status());
  const absl::Status written = WriteFile(command.out, *text);
  return written.ok() ? kExitOk : Fail(written);
}

}  // namespace

void AddPerfReport(Arguments& arguments) {
  const auto report = std::make_shared<ReportCommand>();
  Command c = arguments.AddBelow(
      "perf", "report",
      "draw the history: one HTML page that needs nothing else",
      [report] { return RunReport(*report); });
  c.Text("-o,--out", report->out, "the page; - is standard output")
      .Required()
      .Type("FILE.html");
  AddHistoryOption(c, report->db);
  c.Int("--last", report->last, 1, 100000,
        "draw the newest N runs (default 200)")
      .Type("N");
  c.Real("--alpha", report->options.alpha, "as in compare, for what is marked")
      .Type("P");
  c.Real("--min-effect", report->options.min_effect,
         "as in compare, for what is marked")
      .Type("SHARE");
}

void AddPerfExport(Arguments& arguments) {
  const auto command = std::make_shared<ExportCommand>();
  Command c = arguments.AddBelow(
      "perf", "export", "write a run in the format of a benchmark server",
      [command] { return RunExport(*command); });
  c.Text("RUN", command->run, "an id, a commit, a label, or latest (default)");
  c.Text("--format", command->format,
         "github: github-action-benchmark, customSmallerIsBetter; bencher: "
         "Bencher Metric Format; lnt: LNT, its default suite nts; lnt-berth: "
         "LNT, a suite of its own with all measures; lnt-schema: that suite, "
         "for `lnt admin test-suite add`")
      .Required()
      .Type("FORMAT");
  c.Text("-o,--out", command->out, "default: standard output").Type("FILE");
  AddHistoryOption(c, command->db);
}

}  // namespace berth
