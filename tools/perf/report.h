// The history as one HTML page: no other file, no network; file:// will do.
#ifndef BERTH_TOOLS_PERF_REPORT_H_
#define BERTH_TOOLS_PERF_REPORT_H_

#include <string>
#include <vector>

#include "tools/perf/compare.h"
#include "tools/perf/run.h"

namespace berth::perf {

// A table of the newest run against its base, a chart for each benchmark and
// measure over all runs, marked where a run differs from its base (SelectBase)
// as Compare sees it. `runs`: in the order of recording.
std::string RenderReport(const std::vector<BenchRun>& runs,
                         const CompareOptions& options);

}  // namespace berth::perf

#endif  // BERTH_TOOLS_PERF_REPORT_H_
