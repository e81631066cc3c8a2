// One recorded run of the benches: where it comes from, and its values.
#ifndef BERTH_TOOLS_PERF_RUN_H_
#define BERTH_TOOLS_PERF_RUN_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace berth::perf {

struct RunInfo {
  int64_t id = 0;           // in its history; 0 before it is stored
  std::string recorded_at;  // UTC, "2026-11-30T08:24:50Z"
  std::string commit;
  std::string machine;  // host and CPU: times of two machines do not compare
  std::string compiler;
  std::string flags;
  std::string label;
  // Two runs of one session were taken in turns, repetition by repetition.
  // Empty: taken alone.
  std::string session;
  double load = 0;  // load average of the machine when it began
};

// A measure of a benchmark: one value per repetition, in order. A text measure
// (a hash) has texts in place of values.
struct Series {
  std::vector<double> values;
  std::vector<std::string> texts;

  size_t size() const { return values.empty() ? texts.size() : values.size(); }
};

struct SeriesName {
  std::string benchmark;
  std::string measure;

  friend bool operator<(const SeriesName& a, const SeriesName& b) {
    return a.benchmark != b.benchmark ? a.benchmark < b.benchmark
                                      : a.measure < b.measure;
  }
  friend bool operator==(const SeriesName& a, const SeriesName& b) {
    return a.benchmark == b.benchmark && a.measure == b.measure;
  }
};

struct BenchRun {
  RunInfo info;
  std::map<SeriesName, Series> series;
};

}  // namespace berth::perf

#endif  // BERTH_TOOLS_PERF_RUN_H_
