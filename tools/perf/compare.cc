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
#include "tools/perf/noise.h"
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

// Test and effect of a noisy measure; the verdict comes when all are tested.
void TestNoisy(const Series& base, const Series& current, bool paired,
               Row& row) {
  const std::vector<double> a = LogsOf(base.values);
  const std::vector<double> b = LogsOf(current.values);
  if (!paired) {
    row.p = MannWhitney(a, b).p;
    row.effect = std::expm1(ShiftOf(a, b));
    return;
  }
  const std::vector<double> differences = DifferencesOf(a, b);
  row.p = SignedRank(differences).p;
  row.effect = std::expm1(CentreOf(differences));
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

BenchRun Only(const BenchRun& run, const std::string& text) {
  BenchRun some;
  for (const auto& [name, series] : run.series) {
    if (absl::StrContains(name.benchmark, text)) some.series[name] = series;
  }
  return some;
}

// Says so where a slowdown would not be found.
void NoteNoise(const BenchRun& base, const BenchRun& current,
               const CompareOptions& options, Comparison& comparison) {
  const std::vector<SeriesName> too_noisy =
      TooNoisy(Only(base, options.only), Only(current, options.only),
               comparison.paired, options.resolution());
  size_t tests = 0;
  size_t blind = 0;
  std::string first;
  for (const Row& row : comparison.rows) {
    if (row.rule.kind != MeasureKind::kNoisy || row.verdict == Verdict::kNew ||
        row.verdict == Verdict::kVanished) {
      continue;
    }
    ++tests;
    if (!std::binary_search(too_noisy.begin(), too_noisy.end(), row.name)) {
      continue;
    }
    if (blind++ == 0) first = row.name.benchmark;
  }
  if (blind == 0) return;
  comparison.notes.push_back(absl::StrFormat(
      "%d of %d times have too few repetitions, for their noise, to show a "
      "change of %g %% (the first: %s)",
      blind, tests, 100 * options.find, first));
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
  NoteNoise(base, current, options, comparison);
  return comparison;
}

}  // namespace berth::perf
