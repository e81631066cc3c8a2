// What a race prints: a table for people, or one JSON object a run.
//
// Thread-safety: pure functions.
#ifndef BERTH_TOOLS_RACE_RACE_REPORT_H_
#define BERTH_TOOLS_RACE_RACE_REPORT_H_

#include <string>
#include <vector>

#include "tools/race/race.h"

namespace berth {

// One object, one line: input, planner, outcome, message, locations,
// lower_bound, peak, ratio, proved_optimal, placement_hash, seconds {cpu, wall,
// place}, max_rss_bytes. What a run has not is null.
std::string ToJson(const RaceRow& row);

// A row for every run, whatever came of it, and below, if there are several
// inputs, a summary for every planner: how many it answered, how often none was
// lower, the geometric mean of its ratios, its CPU seconds in all.
std::string ToTable(const std::vector<RaceRow>& rows);

}  // namespace berth

#endif  // BERTH_TOOLS_RACE_RACE_REPORT_H_
