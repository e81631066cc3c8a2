// Whether two runs are measured well enough for a slowdown to be found, and so
// when two builds that are measured in turns have been measured enough.
//
// Looks at the spread alone: the runs are first moved onto each other. So it
// says nothing of which one is slower, and stopping when the spread is small
// enough raises no more false alarms than a number of repetitions fixed before.
//
// Thread-safety: functions of their arguments.
#ifndef BERTH_TOOLS_PERF_NOISE_H_
#define BERTH_TOOLS_PERF_NOISE_H_

#include <vector>

#include "tools/perf/run.h"

namespace berth::perf {

struct Resolution {
  double find = 0.05;   // relative slowdown that is to be found
  double alpha = 0.01;  // of a false alarm anywhere in one comparison
};

// The times, of benchmarks in both runs, with too few repetitions for their
// noise: a slowdown of `find` would be missed in more than about one comparison
// of twenty. Empty: all are measured well enough. `paired`: taken in turns.
// Cost: O(n^2) for n repetitions, each.
std::vector<SeriesName> TooNoisy(const BenchRun& base, const BenchRun& current,
                                 bool paired, const Resolution& resolution);

// How often two builds are measured in turns.
struct Repeat {
  int at_least = 10;
  int at_most = 200;  // at_least: exactly so often
  Resolution resolution;
};

// Whether `done` repetitions of both are enough. Looks every fifth time.
bool Enough(const Repeat& repeat, int done, const BenchRun& base,
            const BenchRun& current);

}  // namespace berth::perf

#endif  // BERTH_TOOLS_PERF_NOISE_H_
