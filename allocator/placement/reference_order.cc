// The rule of spec §8, word for word: every pressure by comparing every pair.
// It exists to be right, not fast; BriggsOrder is held equal to it.
#include <cstdint>
#include <tuple>
#include <vector>

#include "absl/types/span.h"
#include "allocator/base/int_math.h"
#include "allocator/model/intervals.h"
#include "allocator/placement/order.h"
#include "allocator/placement/problem.h"

namespace berth {
namespace {

bool Interfere(const Problem& problem, int32_t a, int32_t b) {
  for (const Interval& x : problem.live.of(a)) {
    for (const Interval& y : problem.live.of(b)) {
      if (Overlap(x, y)) return true;
    }
  }
  return false;
}

}  // namespace

EliminationOrder ReferenceOrder(const Problem& problem) {
  const int32_t n = problem.num_nodes();
  const uint128 k = LowThreshold(problem);
  EliminationOrder order;
  std::vector<uint128> pressure(n, 0);
  for (int32_t i = 0; i < n; ++i) {
    for (int32_t j = 0; j < n; ++j) {
      ++order.visits;
      if (i != j && Interfere(problem, i, j)) {
        pressure[i] += problem.size_bytes[j];
      }
    }
  }
  std::vector<bool> active(n, true);
  for (int32_t step = 0; step < n; ++step) {
    int32_t best_low = -1;
    int32_t best_high = -1;
    const auto low_key = [&](int32_t i) {
      return std::make_tuple(pressure[i], problem.size_bytes[i], i);
    };
    const auto high_key = [&](int32_t i) {
      return std::make_tuple(HiRatio(problem, i), i);
    };
    for (int32_t i = 0; i < n; ++i) {
      if (!active[i]) continue;
      ++order.visits;
      if (pressure[i] + problem.size_bytes[i] <= k) {
        if (best_low < 0 || low_key(i) < low_key(best_low)) best_low = i;
      } else if (best_high < 0 || high_key(i) < high_key(best_high)) {
        best_high = i;
      }
    }
    const int32_t chosen = best_low >= 0 ? best_low : best_high;
    active[chosen] = false;
    order.pushed.push_back(chosen);
    for (int32_t j = 0; j < n; ++j) {
      if (!active[j] || !Interfere(problem, chosen, j)) continue;
      pressure[j] -= problem.size_bytes[chosen];
    }
  }
  return order;
}

}  // namespace berth
