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

// Locations of one to four intervals, one after another with pauses.
std::vector<std::vector<Interval>> Several(int32_t n, Rng* rng) {
  std::vector<std::vector<Interval>> owners;
  for (int32_t left = n; left > 0;) {
    const int32_t count =
        std::min(left, 1 + static_cast<int32_t>(rng->Below(4)));
    int32_t lo = static_cast<int32_t>(rng->Below(n));
    std::vector<Interval>& intervals = owners.emplace_back();
    for (int32_t i = 0; i < count; ++i) {
      intervals.push_back({lo, lo + ShortExtent(rng)});
      lo = intervals.back().hi + 2 + ShortExtent(rng);
    }
    left -= count;
  }
  return owners;
}

// Ids in the order of `owners`.
Workload FromOwners(std::string name,
                    const std::vector<std::vector<Interval>>& owners) {
  Workload workload;
  workload.name = std::move(name);
  for (const std::vector<Interval>& intervals : owners) {
    const int32_t id = workload.owners.size();
    for (const Interval& i : intervals) {
      workload.intervals.push_back({i.lo, i.hi, id});
    }
    workload.owners.Append(intervals);
  }
  return workload;
}

std::vector<std::vector<Interval>> Single(
    const std::vector<Interval>& intervals) {
  std::vector<std::vector<Interval>> owners;
  for (const Interval& interval : intervals) owners.push_back({interval});
  return owners;
}

void AskStored(Workload* workload) {
  workload->queries_are_stored = true;
  for (const OwnedInterval& i : workload->intervals) {
    workload->queries.push_back({i.lo, i.hi});
  }
}

void Sample(int32_t max_queries, Workload* workload) {
  if (workload->queries.size() > static_cast<size_t>(max_queries)) {
    workload->queries.resize(static_cast<size_t>(max_queries));
  }
}

int32_t RankOf(const std::vector<int64_t>& times, int64_t time) {
  return static_cast<int32_t>(
      std::lower_bound(times.begin(), times.end(), time) - times.begin());
}

}  // namespace

const std::vector<std::string>& Families() {
  static const std::vector<std::string>& families =
      *new std::vector<std::string>{"liv",   "short", "nestA",
                                    "nestB", "nestC", "several"};
  return families;
}

absl::StatusOr<Workload> MakeWorkload(absl::string_view family, int32_t n,
                                      uint64_t seed, int32_t max_queries) {
  if (n < 1 || n > 1 << 20) {
    return absl::InvalidArgumentError(
        absl::StrCat("workload size ", n, " is not in 1..2^20"));
  }
  Rng rng(seed);
  std::vector<std::vector<Interval>> owners;
  std::vector<Interval> queries;  // empty: the stored ones ask
  if (family == "liv") {
    owners = Single(Liv(n, &rng));
  } else if (family == "short") {
    owners = Single(Short(n, &rng));
  } else if (family == "several") {
    owners = Several(n, &rng);
  } else if (family == "nestA") {
    owners = Single(Towers(n));
  } else if (family == "nestB") {
    const int32_t depth = n - n / 2;
    // So many times between steps that the short ones are about as dense as in
    // `short`.
    const int32_t flank = std::min(kFlankB, depth);
    const int32_t step = std::max(1, n / 2 / flank);
    owners = Single(Tower(depth, step));
    for (int32_t i = depth; i < n; ++i) {
      const int32_t lo =
          step * (2 * depth - flank) +
          static_cast<int32_t>(rng.Below(static_cast<uint64_t>(step) * flank));
      queries.push_back({lo, lo + ShortExtent(&rng)});
      owners.push_back({queries.back()});
    }
    if (queries.empty()) queries.push_back(owners[0][0]);
  } else if (family == "nestC") {
    owners = Single(Tower(n, 1));
    for (int32_t i = 0; i < n; ++i) {
      const int32_t t =
          2 * n - static_cast<int32_t>(rng.Below(std::min(kFlankC, n)));
      queries.push_back({t, t});
    }
  } else {
    return absl::InvalidArgumentError(
        absl::StrCat("no workload family '", family, "'"));
  }
  Shuffle(&owners, &rng);
  Shuffle(&queries, &rng);
  Workload workload = FromOwners(absl::StrCat(family, "/", n), owners);
  if (queries.empty()) {
    AskStored(&workload);
  } else {
    workload.queries = std::move(queries);
  }
  Sample(max_queries, &workload);
  return workload;
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
  std::vector<std::vector<Interval>> owners;
  for (const Buffer& buffer : instance.buffers) {
    int64_t lower = buffer.lower;
    std::vector<Interval>& intervals = owners.emplace_back();
    for (const Gap& gap : buffer.gaps) {
      intervals.push_back({RankOf(times, lower), RankOf(times, gap.lower) - 1});
      lower = gap.upper;
    }
    intervals.push_back(
        {RankOf(times, lower), RankOf(times, buffer.upper) - 1});
  }
  return FromRuns(std::move(name), std::move(owners), seed, max_queries);
}

Workload FromRuns(std::string name, std::vector<std::vector<Interval>> owners,
                  uint64_t seed, int32_t max_queries) {
  Rng rng(seed);
  Shuffle(&owners, &rng);
  Workload workload = FromOwners(std::move(name), owners);
  AskStored(&workload);
  Sample(max_queries, &workload);
  return workload;
}

}  // namespace berth::bench
