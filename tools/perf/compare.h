// Compares two runs and says what is a regression.
//
// Deterministic measures (counts, hashes) gate hard: any worsening is a
// regression, with one repetition and on any machine. Times gate softly: a
// regression needs a rank test that is significant over all benchmarks of the
// comparison together (Holm), and a shift of at least `min_effect`, on the same
// machine.
//
// Runs that were recorded in turns (one session) are compared by pairs with the
// signed-rank test on log ratios: what both of a pair met, a slow spell of the
// machine, cancels. Others are compared by Mann-Whitney.
//
// Thread-safety: functions of their arguments.
#ifndef BERTH_TOOLS_PERF_COMPARE_H_
#define BERTH_TOOLS_PERF_COMPARE_H_

#include <string>
#include <vector>

#include "tools/perf/measure.h"
#include "tools/perf/noise.h"
#include "tools/perf/run.h"

namespace berth::perf {

struct CompareOptions {
  double alpha = 0.01;       // of a false alarm anywhere in one comparison
  double min_effect = 0.03;  // relative, of times
  double find = 0.05;        // where noise would hide such a change, notes say
  bool gate_times = true;    // false: a slower time is reported only
  std::string only;          // benchmarks whose name contains it

  Resolution resolution() const { return {.find = find, .alpha = alpha}; }
};

enum class Verdict {
  kSame,
  kBetter,
  kWorse,     // a regression where it gates
  kChanged,   // deterministic, neither better nor worse: gates
  kNew,       // benchmark or measure that the base lacks
  kVanished,  // that the new run lacks: gates
  kUnsteady,  // called deterministic, but differs between repetitions: gates
};

const char* ToText(Verdict verdict);

struct Row {
  SeriesName name;
  MeasureRule rule;
  Verdict verdict = Verdict::kSame;
  bool gates = false;  // this row alone makes it a regression
  double base = 0;     // medians
  double current = 0;
  std::string base_text;  // text measures
  std::string current_text;
  double effect = 0;  // relative change; 0.05 = 5 % more
  double p = 1;       // after correction; noisy measures only
};

struct Comparison {
  RunInfo base;
  RunInfo current;
  bool paired = false;
  std::vector<Row> rows;           // by benchmark, then measure
  std::vector<std::string> notes;  // what weakens the comparison
  int benchmarks = 0;              // in both runs

  bool regression() const;
};

Comparison Compare(const BenchRun& base, const BenchRun& current,
                   const CompareOptions& options);

}  // namespace berth::perf

#endif  // BERTH_TOOLS_PERF_COMPARE_H_
