#include "tools/perf/report.h"

#include <cmath>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_replace.h"
#include "nlohmann/json.hpp"
#include "tools/perf/history.h"
#include "tools/perf/report_texts.h"
#include "tools/perf/stats.h"

namespace berth::perf {
namespace {

using Json = nlohmann::ordered_json;

std::string Escape(const std::string& text) {
  return absl::StrReplaceAll(
      text, {{"&", "&amp;"}, {"<", "&lt;"}, {">", "&gt;"}, {"\"", "&quot;"}});
}

// Inside <script>: no text of ours ends it.
std::string ScriptJson(const Json& json) {
  return absl::StrReplaceAll(
      json.dump(-1, ' ', false, Json::error_handler_t::replace),
      {{"<", "\\u003c"}});
}

std::vector<RunInfo> InfosOf(const std::vector<BenchRun>& runs) {
  std::vector<RunInfo> infos;
  infos.reserve(runs.size());
  for (const BenchRun& run : runs) infos.push_back(run.info);
  return infos;
}

// Verdicts of each run against its base, but for kSame.
using Marks = std::map<std::pair<size_t, SeriesName>, Verdict>;

// The index in `runs` of what run `i` is compared with; -1 if nothing.
int BaseOf(const std::vector<BenchRun>& runs, const std::vector<RunInfo>& infos,
           size_t i) {
  const auto base = SelectBase(infos, infos[i]);
  if (!base.ok()) return -1;
  for (size_t k = 0; k < runs.size(); ++k) {
    if (runs[k].info.id == base->id && k < i) return static_cast<int>(k);
  }
  return -1;
}

Marks MarkAll(const std::vector<BenchRun>& runs,
              const CompareOptions& options) {
  const std::vector<RunInfo> infos = InfosOf(runs);
  Marks marks;
  for (size_t i = 0; i < runs.size(); ++i) {
    const int base = BaseOf(runs, infos, i);
    if (base < 0) continue;
    for (const Row& row :
         Compare(runs[static_cast<size_t>(base)], runs[i], options).rows) {
      if (row.verdict != Verdict::kSame) marks[{i, row.name}] = row.verdict;
    }
  }
  return marks;
}

Json RunList(const std::vector<BenchRun>& runs) {
  std::map<std::string, int> groups;
  Json list = Json::array();
  for (const BenchRun& run : runs) {
    const RunInfo& info = run.info;
    const std::string group =
        absl::StrCat(info.machine, "\n", info.compiler, "\n", info.flags);
    const int number =
        groups.emplace(group, static_cast<int>(groups.size())).first->second;
    list.push_back({{"id", info.id},
                    {"at", info.recorded_at},
                    {"commit", info.commit},
                    {"label", info.label},
                    {"group", number}});
  }
  return list;
}

// Numeric series only: a hash has no place on an axis.
Json SeriesList(const std::vector<BenchRun>& runs, const Marks& marks) {
  std::map<SeriesName, Json> all;
  for (size_t i = 0; i < runs.size(); ++i) {
    for (const auto& [name, series] : runs[i].series) {
      if (series.values.empty()) continue;
      Json point = {{"run", i},
                    {"median", Median(series.values)},
                    {"low", Quantile(series.values, 0.25)},
                    {"high", Quantile(series.values, 0.75)}};
      const auto mark = marks.find({i, name});
      if (mark != marks.end()) point["mark"] = ToText(mark->second);
      all[name].push_back(std::move(point));
    }
  }
  Json list = Json::array();
  for (auto& [name, points] : all) {
    list.push_back({{"benchmark", name.benchmark},
                    {"measure", name.measure},
                    {"unit", RuleOf(name.measure).unit},
                    {"points", std::move(points)}});
  }
  return list;
}

std::string Cell(const std::string& text, const char* style = "") {
  return absl::StrCat(*style == '\0' ? "<td>" : "<td class=\"", style,
                      *style == '\0' ? "" : "\">", Escape(text), "</td>");
}

std::string Number(double value) { return absl::StrFormat("%.6g", value); }

std::string ComparisonRow(const Row& row) {
  const bool is_text = row.rule.kind == MeasureKind::kText;
  const bool has_base = row.verdict != Verdict::kNew;
  const bool has_current = row.verdict != Verdict::kVanished;
  const std::string change = is_text || !has_base || !has_current ? ""
                             : std::isfinite(row.effect)
                                 ? absl::StrFormat("%+.2f %%", 100 * row.effect)
                                 : "from 0";
  return absl::StrCat(
      "<tr>", Cell(row.name.benchmark, "text name"),
      Cell(row.name.measure, "text"),
      Cell(!has_base ? ""
           : is_text ? row.base_text
                     : Number(row.base)),
      Cell(!has_current ? ""
           : is_text    ? row.current_text
                        : Number(row.current)),
      Cell(row.rule.unit, "text"), Cell(change),
      Cell(row.rule.kind == MeasureKind::kNoisy ? absl::StrFormat("%.2g", row.p)
                                                : ""),
      row.verdict == Verdict::kSame
          ? Cell("")
          : Cell(ToText(row.verdict),
                 absl::StrCat("text ", ToText(row.verdict)).c_str()),
      "</tr>\n");
}

constexpr char kComparisonHead[] =
    "<div class=\"box\"><table><thead><tr><th class=\"text\">benchmark</th>"
    "<th class=\"text\">measure</th><th>base</th><th>new</th>"
    "<th class=\"text\">unit</th><th>change</th><th>p</th>"
    "<th class=\"text\">verdict</th></tr></thead><tbody>\n";

// The newest run against its base: findings first, then all that was measured.
std::string LatestSection(const std::vector<BenchRun>& runs,
                          const CompareOptions& options) {
  const std::vector<RunInfo> infos = InfosOf(runs);
  const int base = runs.empty() ? -1 : BaseOf(runs, infos, runs.size() - 1);
  if (base < 0) {
    return "<p class=\"quiet\">The newest run has nothing to be compared "
           "with.</p>\n";
  }
  const Comparison comparison =
      Compare(runs[static_cast<size_t>(base)], runs.back(), options);
  std::string findings;
  std::string rest;
  int found = 0;
  for (const Row& row : comparison.rows) {
    const bool is_finding = row.verdict != Verdict::kSame;
    found += is_finding ? 1 : 0;
    (is_finding ? findings : rest) += ComparisonRow(row);
  }
  std::string html = absl::StrFormat(
      "<h2>Run %d (%s) against run %d (%s): %d findings</h2>\n",
      comparison.current.id, Escape(comparison.current.commit.substr(0, 12)),
      comparison.base.id, Escape(comparison.base.commit.substr(0, 12)), found);
  for (const std::string& note : comparison.notes) {
    absl::StrAppend(&html, "<p class=\"quiet\">", Escape(note), "</p>\n");
  }
  return absl::StrCat(html, kComparisonHead, findings, rest,
                      "</tbody></table></div>\n");
}

std::string RunsSection(const std::vector<BenchRun>& runs) {
  std::string html =
      "<h2>Runs</h2>\n<div class=\"box\"><table><thead><tr><th>run</th>"
      "<th class=\"text\">recorded</th><th class=\"text\">commit</th>"
      "<th class=\"text\">label</th><th class=\"text\">machine</th>"
      "<th class=\"text\">compiler</th><th class=\"text\">flags</th>"
      "<th>load</th></tr></thead><tbody>\n";
  for (size_t i = runs.size(); i-- > 0;) {
    const RunInfo& info = runs[i].info;
    absl::StrAppend(&html, "<tr>", Cell(absl::StrCat(info.id)),
                    Cell(info.recorded_at, "text"),
                    Cell(info.commit.substr(0, 18), "text"),
                    Cell(info.label, "text"), Cell(info.machine, "text"),
                    Cell(info.compiler, "text"), Cell(info.flags, "text"),
                    Cell(absl::StrFormat("%.2f", info.load)), "</tr>\n");
  }
  return absl::StrCat(html, "</tbody></table></div>\n");
}

constexpr char kControls[] =
    "<h2>Trends</h2>\n<p class=\"quiet\">Medians with the middle half of the "
    "repetitions; a dot marks a run that differs from its base: red worse, "
    "green better. Point at a chart for the run.</p>\n"
    "<div id=\"controls\"><label>find <input id=\"find\" type=\"search\">"
    "</label><label>measure <select id=\"measure\"><option value=\"\">all"
    "</option></select></label><label><input id=\"changed\" type=\"checkbox\">"
    " only what changed</label><span id=\"count\" class=\"quiet\"></span>"
    "</div>\n<div id=\"charts\"></div>\n";

}  // namespace

std::string RenderReport(const std::vector<BenchRun>& runs,
                         const CompareOptions& options) {
  const Json data = {{"runs", RunList(runs)},
                     {"series", SeriesList(runs, MarkAll(runs, options))}};
  return absl::StrCat(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<title>Berth: benchmark history</title>\n<style>",
      kUplotCss, kReportCss, "</style>\n</head>\n<body>\n",
      "<h1>Benchmark history</h1>\n<p class=\"quiet\">", runs.size(),
      " runs. Regressions are judged as <code>berth perf compare</code> does."
      "</p>\n",
      LatestSection(runs, options), kControls, RunsSection(runs),
      "<script id=\"data\" type=\"application/json\">", ScriptJson(data),
      "</script>\n<script>", kUplotJs, "</script>\n<script>", kReportJs,
      "</script>\n</body>\n</html>\n");
}

}  // namespace berth::perf
