#include "tools/perf/measure.h"

#include "absl/strings/match.h"
#include "absl/strings/string_view.h"

namespace berth::perf {
namespace {

struct Named {
  absl::string_view name;
  MeasureRule rule;
};

// A counted instruction more or less comes from the loader and the environment;
// everything else counts exactly.
constexpr double kInstructionTolerance = 0.002;

constexpr Named kRules[] = {
    {kCpuTime, {MeasureKind::kNoisy, Better::kLower, 0, "ns"}},
    {kRealTime, {MeasureKind::kShown, Better::kLower, 0, "ns"}},
    {"max_rss_bytes", {MeasureKind::kShown, Better::kLower, 0, "bytes"}},
    {"visits", {MeasureKind::kCount, Better::kLower, 0, ""}},
    {"peak", {MeasureKind::kCount, Better::kLower, 0, "bytes"}},
    {"peak/bound", {MeasureKind::kCount, Better::kLower, 0, ""}},
    {"ratio", {MeasureKind::kCount, Better::kLower, 0, ""}},
    {"bytes", {MeasureKind::kCount, Better::kLower, 0, "bytes"}},
    {"allocations", {MeasureKind::kCount, Better::kLower, 0, ""}},
    {"steps", {MeasureKind::kCount, Better::kLower, 0, ""}},
    {"instructions",
     {MeasureKind::kCount, Better::kLower, kInstructionTolerance, ""}},
    {"lower_bound", {MeasureKind::kCount, Better::kEqual, 0, "bytes"}},
    {"locations", {MeasureKind::kCount, Better::kEqual, 0, ""}},
    {"intervals", {MeasureKind::kCount, Better::kEqual, 0, ""}},
    {"live_ranges", {MeasureKind::kCount, Better::kEqual, 0, ""}},
    {"placement_hash", {MeasureKind::kText, Better::kEqual, 0, ""}},
    {"hash", {MeasureKind::kText, Better::kEqual, 0, ""}},
};

}  // namespace

MeasureRule RuleOf(absl::string_view measure) {
  const absl::string_view per = measure.substr(0, measure.find('/'));
  const absl::string_view stem = per.substr(0, per.find("_per_"));
  for (const absl::string_view name : {measure, stem}) {
    for (const Named& named : kRules) {
      if (named.name == name) return named.rule;
    }
  }
  MeasureRule shown;
  shown.unit = absl::EndsWith(stem, "_time") ? "ns" : "";
  return shown;
}

const char* ToText(Better better) {
  switch (better) {
    case Better::kLower:
      return "lower is better";
    case Better::kHigher:
      return "higher is better";
    case Better::kEqual:
      break;
  }
  return "must stay equal";
}

}  // namespace berth::perf
