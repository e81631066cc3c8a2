#include "tools/perf/stats.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "absl/types/span.h"

namespace berth::perf {
namespace {

struct Ranked {
  std::vector<double> ranks;  // mid-ranks, from 1
  double tie_term = 0;        // sum of t^3 - t over groups of equal values
};

Ranked RankOf(absl::Span<const double> values) {
  std::vector<size_t> order(values.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::sort(order.begin(), order.end(), [values](size_t i, size_t j) {
    return values[i] != values[j] ? values[i] < values[j] : i < j;
  });
  Ranked ranked;
  ranked.ranks.resize(values.size());
  for (size_t i = 0; i < order.size();) {
    size_t end = i + 1;
    while (end < order.size() && values[order[end]] == values[order[i]]) ++end;
    const double t = static_cast<double>(end - i);
    const double rank = (static_cast<double>(i + end) + 1) / 2;
    for (size_t k = i; k < end; ++k) ranked.ranks[order[k]] = rank;
    ranked.tie_term += t * t * t - t;
    i = end;
  }
  return ranked;
}

// P(|Z| >= z) of a standard normal variable.
double TwoSided(double z) { return std::erfc(std::abs(z) / std::sqrt(2.0)); }

// The two-sided p of `statistic`, given how many of the equally likely outcomes
// give each value; the distribution is symmetric.
double ExactP(const std::vector<double>& outcomes, double statistic) {
  const double mirrored = static_cast<double>(outcomes.size() - 1) - statistic;
  const size_t last = static_cast<size_t>(std::min(statistic, mirrored));
  const double all = std::accumulate(outcomes.begin(), outcomes.end(), 0.0);
  double tail = 0;
  for (size_t i = 0; i <= last; ++i) tail += outcomes[i];
  return std::min(1.0, 2 * tail / all);
}

// How many ways there are to choose n1 of n1 + n2 ranks, by U: the coefficients
// of the Gaussian binomial, factor by factor (1 - q^(n2+i)) / (1 - q^i).
std::vector<double> MannWhitneyOutcomes(size_t n1, size_t n2) {
  std::vector<double> count(n1 * n2 + 1, 0);
  count[0] = 1;
  for (size_t i = 1; i <= n1; ++i) {
    for (size_t u = count.size(); u-- > n2 + i;) count[u] -= count[u - n2 - i];
    for (size_t u = i; u < count.size(); ++u) count[u] += count[u - i];
  }
  return count;
}

// How many of the 2^n choices of signs give each rank sum.
std::vector<double> SignedRankOutcomes(size_t n) {
  std::vector<double> count(n * (n + 1) / 2 + 1, 0);
  count[0] = 1;
  for (size_t rank = 1; rank <= n; ++rank) {
    for (size_t sum = count.size(); sum-- > rank;) {
      count[sum] += count[sum - rank];
    }
  }
  return count;
}

double WithContinuity(double statistic, double mean, double variance) {
  if (variance <= 0) return 1;  // all values are equal
  const double distance = std::max(0.0, std::abs(statistic - mean) - 0.5);
  return TwoSided(distance / std::sqrt(variance));
}

}  // namespace

TestResult MannWhitney(absl::Span<const double> a, absl::Span<const double> b) {
  if (a.empty() || b.empty()) return {};
  std::vector<double> all(b.begin(), b.end());
  all.insert(all.end(), a.begin(), a.end());
  const Ranked ranked = RankOf(all);
  const double n1 = static_cast<double>(a.size());
  const double n2 = static_cast<double>(b.size());
  const double n = n1 + n2;
  double sum = 0;
  for (size_t i = 0; i < b.size(); ++i) sum += ranked.ranks[i];
  TestResult result;
  result.statistic = sum - n2 * (n2 + 1) / 2;
  result.exact = ranked.tie_term == 0 && n1 * n2 <= kMaxExactPairs;
  if (result.exact) {
    result.p =
        ExactP(MannWhitneyOutcomes(a.size(), b.size()), result.statistic);
  } else {
    const double variance =
        n1 * n2 / 12 * (n + 1 - ranked.tie_term / (n * (n - 1)));
    result.p = WithContinuity(result.statistic, n1 * n2 / 2, variance);
  }
  return result;
}

TestResult SignedRank(absl::Span<const double> differences) {
  std::vector<double> sizes;
  std::vector<bool> positive;
  for (const double difference : differences) {
    if (difference == 0) continue;
    sizes.push_back(std::abs(difference));
    positive.push_back(difference > 0);
  }
  if (sizes.empty()) return {};
  const Ranked ranked = RankOf(sizes);
  TestResult result;
  for (size_t i = 0; i < sizes.size(); ++i) {
    if (positive[i]) result.statistic += ranked.ranks[i];
  }
  result.exact =
      ranked.tie_term == 0 && sizes.size() <= size_t{kMaxExactDifferences};
  if (result.exact) {
    result.p = ExactP(SignedRankOutcomes(sizes.size()), result.statistic);
  } else {
    const double n = static_cast<double>(sizes.size());
    const double variance =
        n * (n + 1) * (2 * n + 1) / 24 - ranked.tie_term / 48;
    result.p = WithContinuity(result.statistic, n * (n + 1) / 4, variance);
  }
  return result;
}

std::vector<double> LogsOf(absl::Span<const double> times) {
  constexpr double kLeast = 1e-3;
  std::vector<double> logs;
  logs.reserve(times.size());
  for (const double time : times)
    logs.push_back(std::log(std::max(time, kLeast)));
  return logs;
}

std::vector<double> DifferencesOf(absl::Span<const double> a,
                                  absl::Span<const double> b) {
  std::vector<double> differences;
  for (size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    differences.push_back(b[i] - a[i]);
  }
  return differences;
}

double Quantile(std::vector<double> values, double q) {
  if (values.empty()) return 0;
  const double at = q * static_cast<double>(values.size() - 1);
  const size_t below = std::min(static_cast<size_t>(at), values.size() - 1);
  const auto here = values.begin() + static_cast<std::ptrdiff_t>(below);
  std::nth_element(values.begin(), here, values.end());
  if (here + 1 == values.end()) return *here;
  const double next = *std::min_element(here + 1, values.end());
  const double part = at - static_cast<double>(below);
  return *here + part * (next - *here);
}

double Median(std::vector<double> values) {
  return Quantile(std::move(values), 0.5);
}

double ShiftOf(absl::Span<const double> a, absl::Span<const double> b) {
  std::vector<double> all;
  all.reserve(a.size() * b.size());
  for (const double x : a) {
    for (const double y : b) all.push_back(y - x);
  }
  return Median(std::move(all));
}

double CentreOf(absl::Span<const double> differences) {
  std::vector<double> all;
  for (size_t i = 0; i < differences.size(); ++i) {
    for (size_t j = i; j < differences.size(); ++j) {
      all.push_back((differences[i] + differences[j]) / 2);
    }
  }
  return Median(std::move(all));
}

std::vector<double> Holm(const std::vector<double>& p) {
  std::vector<size_t> order(p.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::sort(order.begin(), order.end(), [&p](size_t i, size_t j) {
    return p[i] != p[j] ? p[i] < p[j] : i < j;
  });
  std::vector<double> adjusted(p.size());
  double most = 0;
  for (size_t k = 0; k < order.size(); ++k) {
    const double scaled = p[order[k]] * static_cast<double>(p.size() - k);
    most = std::max(most, std::min(1.0, scaled));
    adjusted[order[k]] = most;
  }
  return adjusted;
}

}  // namespace berth::perf
