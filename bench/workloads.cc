#include "bench/workloads.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "allocator/base/rng.h"

namespace berth::bench {
namespace {

constexpr double kShortMean = 20;
constexpr int32_t kTowerDepth = 256;
constexpr int32_t kFlankB = 900;
constexpr int32_t kFlankC = 1560;

template <typename T>
void Shuffle(std::vector<T>* items, Rng* rng) {
  for (size_t i = items->size(); i > 1; --i) {
    std::swap((*items)[i - 1], (*items)[rng->Below(i)]);
  }
}

// Length - 1 of a geometric distribution of mean kShortMean. std::log is not
// the same on every machine to the last bit, so it is summed from coin flips.
int32_t ShortExtent(Rng* rng) {
  int32_t extent = 0;
  while (extent < 10000 && rng->Unit() >= 1 / kShortMean) ++extent;
  return extent;
}

std::vector<Interval> Short(int32_t n, Rng* rng) {
  std::vector<Interval> intervals;
  for (int32_t i = 0; i < n; ++i) {
    const int32_t lo = static_cast<int32_t>(rng->Below(n));
    intervals.push_back({lo, lo + ShortExtent(rng)});
  }
  return intervals;
}

std::vector<Interval> Liv(int32_t n, Rng* rng) {
  std::vector<Interval> intervals = Short(n, rng);
  for (Interval& interval : intervals) {
    if (!rng->OneIn(10)) continue;
    interval.hi = interval.lo + static_cast<int32_t>(rng->Below(n / 4 + 1));
  }
  return intervals;
}

std::vector<Interval> Towers(int32_t n) {
  std::vector<Interval> intervals;
  for (int32_t i = 0; i < n; ++i) {
    const int32_t base = i / kTowerDepth * (2 * kTowerDepth + 1);
    const int32_t depth = i % kTowerDepth;
    intervals.push_back({base + depth, base + 2 * kTowerDepth - depth});
  }
  return intervals;
}

// Depth `depth`, its steps `step` apart: the i-th is [step i, step (2 depth -
// i)].
std::vector<Interval> Tower(int32_t depth, int32_t step) {
  std::vector<Interval> intervals;
  for (int32_t i = 0; i < depth; ++i) {
    intervals.push_back({step * i, step * (2 * depth - i)});
  }
  return intervals;
}

// Ids in random order of time; queries shuffled and sampled.
Workload Finish(std::string name, const std::vector<Interval>& intervals,
                std::vector<Interval> queries, int32_t max_queries, Rng* rng) {
  Workload workload;
  workload.name = std::move(name);
  workload.num_ids = static_cast<int32_t>(intervals.size());
  std::vector<Interval> shuffled = intervals;
  Shuffle(&shuffled, rng);
  for (size_t i = 0; i < shuffled.size(); ++i) {
    workload.intervals.push_back(
        {shuffled[i].lo, shuffled[i].hi, static_cast<int32_t>(i)});
  }
  Shuffle(&queries, rng);
  if (queries.size() > static_cast<size_t>(max_queries)) {
    queries.resize(static_cast<size_t>(max_queries));
  }
  workload.queries = std::move(queries);
  return workload;
}

int32_t RankOf(const std::vector<int64_t>& times, int64_t time) {
  return static_cast<int32_t>(
      std::lower_bound(times.begin(), times.end(), time) - times.begin());
}

}  // namespace

const std::vector<std::string>& Families() {
  static const std::vector<std::string>& families =
      *new std::vector<std::string>{"liv", "short", "nestA", "nestB", "nestC"};
  return families;
}

absl::StatusOr<Workload> MakeWorkload(absl::string_view family, int32_t n,
                                      uint64_t seed, int32_t max_queries) {
  if (n < 1 || n > 1 << 28) {
    return absl::InvalidArgumentError(
        absl::StrCat("workload size ", n, " is not in 1..2^28"));
  }
  Rng rng(seed);
  std::vector<Interval> intervals;
  std::vector<Interval> queries;
  if (family == "liv") {
    queries = intervals = Liv(n, &rng);
  } else if (family == "short") {
    queries = intervals = Short(n, &rng);
  } else if (family == "nestA") {
    queries = intervals = Towers(n);
  } else if (family == "nestB") {
    const int32_t depth = n / 2;
    // So many times between steps that the short ones are as dense as in
    // `short`.
    const int32_t flank = std::min(kFlankB, depth);
    const int32_t step = std::max(1, n / 2 / std::max(1, flank));
    intervals = Tower(depth, step);
    for (int32_t i = depth; i < n; ++i) {
      const int32_t lo = step * (2 * depth - flank) +
                         static_cast<int32_t>(rng.Below(
                             static_cast<uint64_t>(step * std::max(1, flank))));
      queries.push_back({lo, lo + ShortExtent(&rng)});
    }
    intervals.insert(intervals.end(), queries.begin(), queries.end());
  } else if (family == "nestC") {
    intervals = Tower(n, 1);
    for (int32_t i = 0; i < n; ++i) {
      const int32_t t =
          2 * n - static_cast<int32_t>(rng.Below(std::min(kFlankC, n)));
      queries.push_back({t, t});
    }
  } else {
    return absl::InvalidArgumentError(
        absl::StrCat("no workload family '", family, "'"));
  }
  return Finish(absl::StrCat(family, "/", n), intervals, std::move(queries),
                max_queries, &rng);
}

Workload FromInstance(std::string name, const Instance& instance, uint64_t seed,
                      int32_t max_queries) {
  std::vector<int64_t> times;
  for (const Buffer& buffer : instance.buffers) {
    times.insert(times.end(), {buffer.lower, buffer.upper});
    for (const Gap& gap : buffer.gaps) {
      times.insert(times.end(), {gap.lower, gap.upper});
    }
  }
  std::sort(times.begin(), times.end());
  times.erase(std::unique(times.begin(), times.end()), times.end());
  Workload workload;
  workload.name = std::move(name);
  for (const Buffer& buffer : instance.buffers) {
    int64_t lower = buffer.lower;
    const auto add = [&](int64_t upper) {
      const OwnedInterval interval = {
          RankOf(times, lower), RankOf(times, upper) - 1, workload.num_ids};
      workload.intervals.push_back(interval);
      workload.queries.push_back({interval.lo, interval.hi});
    };
    for (const Gap& gap : buffer.gaps) {
      add(gap.lower);
      lower = gap.upper;
    }
    add(buffer.upper);
    ++workload.num_ids;
  }
  Rng rng(seed);
  Shuffle(&workload.queries, &rng);
  if (workload.queries.size() > static_cast<size_t>(max_queries)) {
    workload.queries.resize(static_cast<size_t>(max_queries));
  }
  return workload;
}

}  // namespace berth::bench
