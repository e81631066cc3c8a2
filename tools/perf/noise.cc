#include "tools/perf/noise.h"

#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include "tools/perf/measure.h"
#include "tools/perf/run.h"
#include "tools/perf/stats.h"

namespace berth::perf {
namespace {

// What is found must be significant also where its estimate comes out low, as
// it does now and then: by a third.
constexpr double kMargin = 0.7;

constexpr int kLookEvery = 5;

// The p of two runs with this spread that lie `shift` apart.
double PIfApart(const Series& base, const Series& current, bool paired,
                double shift) {
  const std::vector<double> a = LogsOf(base.values);
  std::vector<double> b = LogsOf(current.values);
  if (paired) {
    std::vector<double> differences = DifferencesOf(a, b);
    const double by = shift - CentreOf(differences);
    for (double& difference : differences) difference += by;
    return SignedRank(differences).p;
  }
  const double by = shift - ShiftOf(a, b);
  for (double& value : b) value += by;
  return MannWhitney(a, b).p;
}

}  // namespace

std::vector<SeriesName> TooNoisy(const BenchRun& base, const BenchRun& current,
                                 bool paired, const Resolution& resolution) {
  std::vector<std::pair<SeriesName, double>> tested;
  const double shift = std::log1p(kMargin * resolution.find);
  for (const auto& [name, series] : base.series) {
    const auto other = current.series.find(name);
    if (RuleOf(name.measure).kind != MeasureKind::kNoisy ||
        other == current.series.end()) {
      continue;
    }
    tested.emplace_back(name, PIfApart(series, other->second, paired, shift));
  }
  std::vector<SeriesName> too_noisy;
  for (const auto& [name, p] : tested) {
    if (p * static_cast<double>(tested.size()) > resolution.alpha) {
      too_noisy.push_back(name);
    }
  }
  return too_noisy;
}

bool Enough(const Repeat& repeat, int done, const BenchRun& base,
            const BenchRun& current) {
  if (done >= repeat.at_most) return true;
  if (done < repeat.at_least || done % kLookEvery != 0) return false;
  return TooNoisy(base, current, /*paired=*/true, repeat.resolution).empty();
}

}  // namespace berth::perf
