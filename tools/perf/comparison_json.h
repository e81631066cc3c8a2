// A comparison for machines.
#ifndef BERTH_TOOLS_PERF_COMPARISON_JSON_H_
#define BERTH_TOOLS_PERF_COMPARISON_JSON_H_

#include <string>

#include "tools/perf/compare.h"

namespace berth::perf {

// One object: base, current (runs), paired, regression, notes, and rows, all
// that were compared: benchmark, measure, base, current, effect (null where
// there is none), p (of noisy measures), verdict, gates.
std::string ToJson(const Comparison& comparison);

}  // namespace berth::perf

#endif  // BERTH_TOOLS_PERF_COMPARISON_JSON_H_
