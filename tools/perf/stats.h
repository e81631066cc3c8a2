// The statistics that comparing two runs needs: rank tests that ask nothing of
// the shape of the noise, and the size of a shift beside them.
//
// Both tests are two-sided. They are exact where there are no ties and the
// samples are small enough to count (kMaxExactPairs, kMaxExactDifferences); the
// normal approximation with tie correction and continuity correction otherwise.
//
// Thread-safety: functions of their arguments. Values must be finite.
#ifndef BERTH_TOOLS_PERF_STATS_H_
#define BERTH_TOOLS_PERF_STATS_H_

#include <vector>

#include "absl/types/span.h"

namespace berth::perf {

// Exact Mann-Whitney: at most this many pairs (n1 * n2).
inline constexpr int kMaxExactPairs = 2500;
// Exact signed rank: at most this many differences.
inline constexpr int kMaxExactDifferences = 50;

struct TestResult {
  double statistic = 0;  // U of `b`, or the rank sum of positive differences
  double p = 1;          // two-sided
  bool exact = false;
};

// Whether `a` and `b`, drawn independently, come from one distribution. The
// statistic counts pairs with b > a, ties as one half. p = 1 if one is empty.
// Cost: O(n log n), exact O((n1 * n2)^2 / n) at most 2500 pairs.
TestResult MannWhitney(absl::Span<const double> a, absl::Span<const double> b);

// Wilcoxon's signed-rank test: whether paired differences b_i - a_i are
// symmetric about 0. Zero differences are dropped.
TestResult SignedRank(absl::Span<const double> differences);

// Of times: ratios become differences. A time of 0 has no logarithm and counts
// as a thousandth of a nanosecond.
std::vector<double> LogsOf(absl::Span<const double> times);
// b_i - a_i, as far as there are both.
std::vector<double> DifferencesOf(absl::Span<const double> a,
                                  absl::Span<const double> b);

// 0 of none.
double Median(std::vector<double> values);
// The q-quantile, linear between order statistics; 0 <= q <= 1. 0 of none.
double Quantile(std::vector<double> values, double q);

// Hodges-Lehmann: the median of all b_j - a_i, and of all pairwise means of
// `differences`: how far one sample lies from the other. Cost: O(n^2).
double ShiftOf(absl::Span<const double> a, absl::Span<const double> b);
double CentreOf(absl::Span<const double> differences);

// Holm's step-down correction: p values to compare with the level that is to
// hold for all of them together. Order is kept.
std::vector<double> Holm(const std::vector<double>& p);

}  // namespace berth::perf

#endif  // BERTH_TOOLS_PERF_STATS_H_
