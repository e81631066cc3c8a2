// What is measured of a benchmark, and how two values of a measure compare.
// The one place that knows measures by name.
#ifndef BERTH_TOOLS_PERF_MEASURE_H_
#define BERTH_TOOLS_PERF_MEASURE_H_

#include <string>

#include "absl/strings/string_view.h"

namespace berth::perf {

enum class MeasureKind {
  kNoisy,  // times, resident memory: compared by a test and a least effect
  kCount,  // deterministic numbers: any change beyond `tolerance` counts
  kText,   // deterministic texts (hashes): equal or not
  kShown,  // kept and drawn, never judged
};

enum class Better { kLower, kHigher, kEqual };

struct MeasureRule {
  MeasureKind kind = MeasureKind::kShown;
  Better better = Better::kLower;
  double tolerance = 0;  // relative; kCount only
  const char* unit = "";
};

// Names that every source uses. Times are in nanoseconds.
inline constexpr char kCpuTime[] = "cpu_time";
inline constexpr char kRealTime[] = "real_time";

// The rule of a measure, by its name up to the first '/' or '_per_':
// "visits/query" is judged as "visits". A name that is not known is kShown.
MeasureRule RuleOf(absl::string_view measure);

// "lower is better" and so on, for people.
const char* ToText(Better better);

}  // namespace berth::perf

#endif  // BERTH_TOOLS_PERF_MEASURE_H_
