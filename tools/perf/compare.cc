#include "tools/perf/compare.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "tools/perf/stats.h"

namespace berth::perf {
namespace {

bool AllEqual(const Series& series) {
  return std::adjacent_find(series.values.begin(), series.values.end(),
                            std::not_equal_to<>()) == series.values.end() &&
         std::adjacent_find(series.texts.begin(), series.texts.end(),
                            std::not_equal_to<>()) == series.texts.end();
}

double Relative(double base, double current) {
  if (base == current) return 0;
  return base == 0 ? INFINITY : (current - base) / std::abs(base);
}

void JudgeCount(const Series& base, const Series& current, Row& row) {
  row.effect = Relative(row.base, row.current);
  // What is counted with a tolerance may differ by as much within a run.
  if (row.rule.tolerance == 0 && (!AllEqual(base) || !AllEqual(current))) {
    row.verdict = Verdict::kUnsteady;
    row.gates = true;
    return;
  }
  if (std::abs(row.effect) <= row.rule.tolerance) return;
  if (row.rule.better == Better::kEqual) {
    row.verdict = Verdict::kChanged;
  } else {
    const bool higher = row.effect > 0;
    row.verdict = higher == (row.rule.better == Better::kHigher)
                      ? Verdict::kBetter
                      : Verdict::kWorse;
  }
  row.gates = row.verdict != Verdict::kBetter;
}

void JudgeText(const Series& base, const Series& current, Row& row) {
  if (!AllEqual(base) || !AllEqual(current)) {
    row.verdict = Verdict::kUnsteady;
    row.gates = true;
  } else if (row.base_text != row.current_text) {
    row.verdict = Verdict::kChanged;
    row.gates = true;
  }
}

std::vector<double> Logs(const std::vector<double>& values) {
  std::vector<double> logs;
  logs.reserve(values.size());
  // A time of 0 has no logarithm; a thousandth of a nanosecond is as good.
  for (const double value : values) {
    logs.push_back(std::log(std::max(value, 1e-3)));
  }
  return logs;
}

// Test and effect of a noisy measure; the verdict comes when all are tested.
void TestNoisy(const Series& base, const Series& current, bool paired,
               Row& row) {
  const std::vector<double> a = Logs(base.values);
  const std::vector<double> b = Logs(current.values);
  if (!paired) {
    row.p = MannWhitney(a, b).p;
    row.effect = std::expm1(ShiftOf(a, b));
    return;
  }
  std::vector<double> differences;
  for (size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    differences.push_back(b[i] - a[i]);
  }
  row.p = SignedRank(differences).p;
  row.effect = std::expm1(CentreOf(differences));
}

// The least corrected p that a row of these sizes can reach among `tests`.
double LeastP(const Series& base, const Series& current, bool paired,
              size_t tests) {
  const int n1 = static_cast<int>(base.size());
  const int n2 = static_cast<int>(current.size());
  const double p =
      paired ? LeastSignedRankP(std::min(n1, n2)) : LeastMannWhitneyP(n1, n2);
  return p * static_cast<double>(tests);
}

bool JudgesTimes(const BenchRun& base, const BenchRun& current) {
  return base.info.machine == current.info.machine;
}

Row Pair(const SeriesName& name, const Series& base, const Series& current,
         bool paired) {
  Row row;
  row.name = name;
  row.rule = RuleOf(name.measure);
  row.base = Median(base.values);
  row.current = Median(current.values);
  if (!base.texts.empty()) row.base_text = base.texts[0];
  if (!current.texts.empty()) row.current_text = current.texts[0];
  switch (row.rule.kind) {
    case MeasureKind::kNoisy:
      TestNoisy(base, current, paired, row);
      break;
    case MeasureKind::kCount:
      JudgeCount(base, current, row);
      break;
    case MeasureKind::kText:
      JudgeText(base, current, row);
      break;
    case MeasureKind::kShown:
      row.effect = Relative(row.base, row.current);
      break;
  }
  return row;
}

Row Alone(const SeriesName& name, const Series& series, Verdict verdict) {
  Row row;
  row.name = name;
  row.rule = RuleOf(name.measure);
  row.verdict = verdict;
  row.gates =
      verdict == Verdict::kVanished && row.rule.kind != MeasureKind::kShown;
  const bool vanished = verdict == Verdict::kVanished;
  (vanished ? row.base : row.current) = Median(series.values);
  if (!series.texts.empty()) {
    (vanished ? row.base_text : row.current_text) = series.texts[0];
  }
  return row;
}

void JudgeNoisy(const CompareOptions& options, bool may_gate,
                std::vector<Row>& rows) {
  std::vector<double> p;
  std::vector<size_t> tested;
  for (size_t i = 0; i < rows.size(); ++i) {
    const Row& row = rows[i];
    if (row.rule.kind == MeasureKind::kNoisy && row.verdict == Verdict::kSame) {
      tested.push_back(i);
      p.push_back(row.p);
    }
  }
  const std::vector<double> corrected = Holm(p);
  for (size_t k = 0; k < tested.size(); ++k) {
    Row& row = rows[tested[k]];
    row.p = corrected[k];
    if (row.p > options.alpha || std::abs(row.effect) < options.min_effect) {
      continue;
    }
    row.verdict = row.effect > 0 ? Verdict::kWorse : Verdict::kBetter;
    row.gates = row.verdict == Verdict::kWorse && may_gate;
  }
}

// A lower peak cannot come without another placement: then the changed hash is
// no finding of its own.
void ForgiveBetterPlacements(std::vector<Row>& rows) {
  std::set<std::string> better;
  for (const Row& row : rows) {
    if (row.verdict == Verdict::kBetter && row.name.measure == "peak") {
      better.insert(row.name.benchmark);
    }
  }
  for (Row& row : rows) {
    if (row.name.measure == "placement_hash" &&
        row.verdict == Verdict::kChanged &&
        better.count(row.name.benchmark) > 0) {
      row.gates = false;
    }
  }
}

void AddNotes(const BenchRun& base, const BenchRun& current,
              Comparison& comparison) {
  std::vector<std::string>& notes = comparison.notes;
  const RunInfo& a = base.info;
  const RunInfo& b = current.info;
  if (!JudgesTimes(base, current)) {
    notes.push_back(absl::StrCat("different machines ('", a.machine, "' and '",
                                 b.machine,
                                 "'): times are shown but do not gate"));
  } else if (!comparison.paired) {
    notes.push_back(
        "the runs were taken one after the other: a slow spell of the machine "
        "looks like a regression; 'berth perf record' takes two builds "
        "in turns (--base-bench, --base-program)");
  }
  if (a.compiler != b.compiler) {
    notes.push_back(
        absl::StrCat("different compilers: ", a.compiler, " and ", b.compiler));
  }
  if (a.flags != b.flags) {
    notes.push_back(
        absl::StrCat("different flags: '", a.flags, "' and '", b.flags, "'"));
  }
}

// Says so when too few repetitions make the test blind.
void NotePower(const BenchRun& base, const BenchRun& current,
               const CompareOptions& options, Comparison& comparison) {
  size_t tests = 0;
  for (const Row& row : comparison.rows) {
    tests += row.rule.kind == MeasureKind::kNoisy &&
             row.verdict != Verdict::kNew && row.verdict != Verdict::kVanished;
  }
  size_t blind = 0;
  for (const Row& row : comparison.rows) {
    const auto a = base.series.find(row.name);
    const auto b = current.series.find(row.name);
    if (row.rule.kind != MeasureKind::kNoisy || a == base.series.end() ||
        b == current.series.end()) {
      continue;
    }
    blind +=
        LeastP(a->second, b->second, comparison.paired, tests) > options.alpha;
  }
  if (blind == 0) return;
  comparison.notes.push_back(absl::StrFormat(
      "%d of %d times have too few repetitions to show anything at alpha "
      "%g: record more (--repetitions)",
      blind, tests, options.alpha));
}

}  // namespace

const char* ToText(Verdict verdict) {
  switch (verdict) {
    case Verdict::kSame:
      return "same";
    case Verdict::kBetter:
      return "better";
    case Verdict::kWorse:
      return "worse";
    case Verdict::kChanged:
      return "changed";
    case Verdict::kNew:
      return "new";
    case Verdict::kVanished:
      return "vanished";
    case Verdict::kUnsteady:
      break;
  }
  return "unsteady";
}

bool Comparison::regression() const {
  return std::any_of(rows.begin(), rows.end(),
                     [](const Row& row) { return row.gates; });
}

Comparison Compare(const BenchRun& base, const BenchRun& current,
                   const CompareOptions& options) {
  Comparison comparison;
  comparison.base = base.info;
  comparison.current = current.info;
  comparison.paired =
      !base.info.session.empty() && base.info.session == current.info.session;
  std::set<std::string> in_both;
  const auto wanted = [&options](const SeriesName& name) {
    return absl::StrContains(name.benchmark, options.only);
  };
  for (const auto& [name, series] : base.series) {
    if (!wanted(name)) continue;
    const auto it = current.series.find(name);
    if (it == current.series.end()) {
      comparison.rows.push_back(Alone(name, series, Verdict::kVanished));
    } else {
      in_both.insert(name.benchmark);
      comparison.rows.push_back(
          Pair(name, series, it->second, comparison.paired));
    }
  }
  for (const auto& [name, series] : current.series) {
    if (wanted(name) && base.series.count(name) == 0) {
      comparison.rows.push_back(Alone(name, series, Verdict::kNew));
    }
  }
  std::sort(comparison.rows.begin(), comparison.rows.end(),
            [](const Row& a, const Row& b) { return a.name < b.name; });
  comparison.benchmarks = static_cast<int>(in_both.size());
  JudgeNoisy(options, options.gate_times && JudgesTimes(base, current),
             comparison.rows);
  ForgiveBetterPlacements(comparison.rows);
  AddNotes(base, current, comparison);
  NotePower(base, current, options, comparison);
  return comparison;
}

}  // namespace berth::perf
