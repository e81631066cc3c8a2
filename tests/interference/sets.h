// Interval sets and the brute-force answers that oracles are held against. The
// answers share no code with any oracle: two comparisons and std::sort.
#ifndef BERTH_TESTS_INTERFERENCE_SETS_H_
#define BERTH_TESTS_INTERFERENCE_SETS_H_

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "allocator/base/rng.h"
#include "allocator/model/intervals.h"

namespace berth {

inline std::vector<int32_t> BruteForce(const std::vector<OwnedInterval>& set,
                                       int64_t lo, int64_t hi) {
  std::vector<int32_t> ids;
  for (const OwnedInterval& i : set) {
    if (lo <= hi && !(i.hi < lo) && !(hi < i.lo)) ids.push_back(i.id);
  }
  std::sort(ids.begin(), ids.end());
  return ids;
}

// Unordered pairs of different stored intervals that overlap, as sorted ids.
inline std::vector<std::pair<int32_t, int32_t>> BruteForcePairs(
    const std::vector<OwnedInterval>& set) {
  std::vector<std::pair<int32_t, int32_t>> pairs;
  for (size_t a = 0; a < set.size(); ++a) {
    for (size_t b = a + 1; b < set.size(); ++b) {
      if (set[a].hi < set[b].lo || set[b].hi < set[a].lo) continue;
      pairs.push_back(std::minmax(set[a].id, set[b].id));
    }
  }
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

template <typename Ids>
std::vector<int32_t> Sorted(const Ids& ids) {
  std::vector<int32_t> sorted(ids.begin(), ids.end());
  std::sort(sorted.begin(), sorted.end());
  return sorted;
}

inline std::string Show(const std::vector<OwnedInterval>& set) {
  std::string text;
  for (const OwnedInterval& i : set) {
    text += std::to_string(i.id) + ":[" + std::to_string(i.lo) + "," +
            std::to_string(i.hi) + "] ";
  }
  return text;
}

// Calls `check` with every sequence of exactly `count` closed intervals within
// 0..times-1 (order matters to emission-order structures). Ids are 0, 1, 2, ...
template <typename Check>
void ForEachSmallSet(int count, int times, Check check) {
  std::vector<Interval> choices;
  for (int lo = 0; lo < times; ++lo) {
    for (int hi = lo; hi < times; ++hi) choices.push_back({lo, hi});
  }
  std::vector<size_t> digits(static_cast<size_t>(count), 0);
  for (;;) {
    std::vector<OwnedInterval> set;
    for (size_t i = 0; i < digits.size(); ++i) {
      const Interval& c = choices[digits[i]];
      set.push_back({c.lo, c.hi, static_cast<int32_t>(i)});
    }
    check(set);
    size_t place = 0;
    while (place < digits.size() && ++digits[place] == choices.size()) {
      digits[place++] = 0;
    }
    if (place == digits.size()) return;
  }
}

// Shapes that stress different parts of the structures.
enum class Shape {
  kShort,       // mean length 8 over as many times as intervals
  kLong,        // any two times
  kMixed,       // mostly short, some long
  kNested,      // one tower and points on its far flank
  kCrowded,     // few different times, many ties
  kClustered,   // two far clusters: time buckets are useless
  kExtreme,     // ends of int32, and whatever lies between
  kAfterwards,  // disjoint: nothing overlaps
  kSeveral,     // ids own several intervals
};
inline constexpr Shape kShapes[] = {
    Shape::kShort,   Shape::kLong,       Shape::kMixed,
    Shape::kNested,  Shape::kCrowded,    Shape::kClustered,
    Shape::kExtreme, Shape::kAfterwards, Shape::kSeveral};

inline Interval RandomInterval(Shape shape, int32_t i, int32_t n, Rng* rng) {
  constexpr int32_t kMin = INT32_MIN;
  constexpr int32_t kMax = INT32_MAX;
  const auto two = [rng](int64_t a, int64_t b) {
    const int32_t x = static_cast<int32_t>(rng->Between(a, b));
    const int32_t y = static_cast<int32_t>(rng->Between(a, b));
    return Interval{std::min(x, y), std::max(x, y)};
  };
  const int32_t start = static_cast<int32_t>(rng->Between(-n, n));
  switch (shape) {
    case Shape::kLong:
      return two(-n, n);
    case Shape::kMixed:
      if (rng->OneIn(6)) return two(-n, n);
      break;
    case Shape::kNested:
      if (i % 2 == 0) return {i, 2 * n - i};
      return {2 * n - i, 2 * n - i};
    case Shape::kCrowded:
      return two(0, 5);
    case Shape::kClustered: {
      const int32_t base = rng->OneIn(2) ? 0 : 1 << 30;
      const Interval in = two(0, 40);
      return {base + in.lo, base + in.hi};
    }
    case Shape::kExtreme:
      switch (rng->Below(5)) {
        case 0:
          return {kMin, kMin};
        case 1:
          return {kMin, kMax};
        case 2:
          return {kMax, kMax};
        default:
          return two(kMin, kMax);
      }
    case Shape::kAfterwards:
      return {3 * i, 3 * i + 1};
    case Shape::kShort:
    case Shape::kSeveral:
      break;
  }
  return {start, start + static_cast<int32_t>(rng->Below(16))};
}

inline std::vector<OwnedInterval> RandomSet(Shape shape, int32_t n,
                                            uint64_t seed) {
  Rng rng(seed * 1000003 + static_cast<uint64_t>(shape));
  std::vector<OwnedInterval> set;
  for (int32_t i = 0; i < n; ++i) {
    const Interval in = RandomInterval(shape, i, n, &rng);
    const int32_t id =
        shape == Shape::kSeveral
            ? static_cast<int32_t>(rng.Below(static_cast<uint64_t>(n / 3 + 1)))
            : i;
    set.push_back({in.lo, in.hi, id});
  }
  return set;
}

// Queries worth asking of a set: around its own ends, and anywhere.
inline std::vector<Interval> QueriesFor(const std::vector<OwnedInterval>& set,
                                        int32_t count, uint64_t seed) {
  Rng rng(seed ^ 0x5eed);
  std::vector<Interval> queries = {{INT32_MIN, INT32_MAX},
                                   {INT32_MIN, INT32_MIN},
                                   {INT32_MAX, INT32_MAX},
                                   {1, 0}};
  const auto some_time = [&]() -> int64_t {
    if (set.empty() || rng.OneIn(4)) {
      return rng.OneIn(2) ? rng.Between(-50, 50)
                          : rng.Between(INT32_MIN, INT32_MAX);
    }
    const OwnedInterval& i = set[rng.Below(set.size())];
    return (rng.OneIn(2) ? i.lo : i.hi) + rng.Between(-1, 1);
  };
  while (static_cast<int32_t>(queries.size()) < count) {
    const int64_t a = std::clamp<int64_t>(some_time(), INT32_MIN, INT32_MAX);
    const int64_t b = std::clamp<int64_t>(some_time(), INT32_MIN, INT32_MAX);
    queries.push_back({static_cast<int32_t>(std::min(a, b)),
                       static_cast<int32_t>(std::max(a, b))});
    queries.push_back({static_cast<int32_t>(a), static_cast<int32_t>(a)});
  }
  return queries;
}

}  // namespace berth

#endif  // BERTH_TESTS_INTERFERENCE_SETS_H_
