// A run in the formats of the servers that keep benchmark histories.
//
// Schemas: github-action-benchmark's README ("customSmallerIsBetter"),
// bencher.dev's Bencher Metric Format, and LNT's "Importing Data" (format
// version 2) with its schemas/nts.yaml.
#ifndef BERTH_TOOLS_PERF_EXPORT_H_
#define BERTH_TOOLS_PERF_EXPORT_H_

#include <string>

#include "tools/perf/run.h"

namespace berth::perf {

// An array of {name, unit, value, range, extra}, smaller is better: medians of
// the measures for which it is.
std::string ToGithubActionBenchmark(const BenchRun& run);

// {benchmark: {measure: {value, lower_value, upper_value}}}: medians, with the
// quartiles as bounds. cpu_time is Bencher's own measure "latency", in ns.
std::string ToBencher(const BenchRun& run);

// LNT's JSON for its default test suite, which knows execution_time (seconds),
// mem_bytes and hash; other measures are left out, since LNT refuses a report
// with a metric that its suite does not have.
std::string ToLnt(const BenchRun& run);

// The same for a suite of our own that has every measure of `run`, and that
// suite's schema (YAML), which an LNT server is given once.
std::string ToLntBerth(const BenchRun& run);
std::string LntBerthSchema(const BenchRun& run);

}  // namespace berth::perf

#endif  // BERTH_TOOLS_PERF_EXPORT_H_
