// Google Benchmark's JSON (--benchmark_format=json) as runs.
#ifndef BERTH_TOOLS_PERF_GOOGLE_BENCHMARK_H_
#define BERTH_TOOLS_PERF_GOOGLE_BENCHMARK_H_

#include <string>

#include "absl/status/status.h"
#include "tools/perf/run.h"

namespace berth::perf {

struct ReadBenchmarkOptions {
  // Of the repetitions in one text keep the fastest (for each counter: the
  // value beside it). For texts that are each one repetition of a larger run.
  bool keep_fastest = false;
  // Take the word of the caller that the code was optimised. Without it a text
  // is refused that says "debug" of the library and nothing of the benchmarks.
  bool trust_build = false;
};

// Adds the benchmarks of `text` to `run`: repetitions of a benchmark that is
// there already are appended. Fills in compiler, flags, machine, time and load
// from the text's context where `run.info` has nothing. `source` is for errors.
//
// Kept are cpu_time and real_time in nanoseconds, user counters under their
// names, and hash=... out of the label. Counters whose name begins with "time"
// are rates of a time and are left out. Aggregates are left out; benchmarks
// that a bench skipped (an error that begins with "skipped") too.
//
// kInvalidArgument: no such JSON, a debug build, a failed benchmark, aggregates
// only.
absl::Status AddGoogleBenchmark(const std::string& source,
                                const std::string& text,
                                const ReadBenchmarkOptions& options,
                                BenchRun& run);

}  // namespace berth::perf

#endif  // BERTH_TOOLS_PERF_GOOGLE_BENCHMARK_H_
