#include "allocator/pipeline/overload.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "allocator/base/int_math.h"
#include "allocator/model/intervals.h"
#include "allocator/pipeline/state.h"
#include "allocator/placement/problem.h"

namespace berth {
namespace {

constexpr size_t kMostNamed = 10;

bool Occupies(const Problem& problem, int32_t node, int32_t time) {
  const auto runs = problem.live.of(node);
  return std::any_of(runs.begin(), runs.end(), [time](const Interval& run) {
    return run.lo <= time && time <= run.hi;
  });
}

}  // namespace

Overload FindOverload(const Problem& problem, const std::string& where,
                      const std::string& time_word) {
  Overload overload;
  overload.where = where;
  overload.time_word = time_word;
  const std::vector<uint128> loads = Loads(problem);
  const auto fullest = std::max_element(loads.begin(), loads.end());
  if (fullest == loads.end()) return overload;
  overload.load_bytes = *fullest;
  overload.time = static_cast<int32_t>(fullest - loads.begin());
  std::vector<int32_t> live;
  for (int32_t node = 0; node < problem.num_nodes(); ++node) {
    if (Occupies(problem, node, overload.time)) live.push_back(node);
  }
  std::sort(live.begin(), live.end(), [&](int32_t a, int32_t b) {
    const uint64_t x = problem.size_bytes[a];
    const uint64_t y = problem.size_bytes[b];
    return x != y ? x > y : a < b;
  });
  overload.live = static_cast<int64_t>(live.size());
  live.resize(std::min(live.size(), kMostNamed));
  for (const int32_t node : live) {
    overload.largest.emplace_back(problem.NameOf(node),
                                  problem.size_bytes[node]);
  }
  return overload;
}

}  // namespace berth
