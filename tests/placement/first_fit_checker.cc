#include "tests/placement/first_fit_checker.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "allocator/placement/plain_first_fit.h"
#include "allocator/placement/regions.h"
#include "allocator/placement/sweep_first_fit.h"
#include "allocator/placement/window_first_fit.h"

namespace berth {
namespace {

std::string Show(const std::optional<uint64_t>& address) {
  return address.has_value() ? absl::StrCat(*address) : "nowhere";
}

// Somewhere at or around what the problem speaks of.
uint64_t SomeAddress(const Problem& problem, Rng& rng) {
  uint64_t address = 0;
  switch (rng.Below(4)) {
    case 0:
      address = problem.floor;
      break;
    case 1:
      address = problem.cc_end;
      break;
    case 2:
      address = problem.ceiling;
      break;
    default:
      if (!problem.pins.empty()) {
        address = problem.pins[rng.Below(problem.pins.size())].end;
      }
  }
  const uint64_t step = rng.Below(50);
  return rng.OneIn(2) ? address + step : address - std::min(address, step);
}

template <typename FirstFit>
std::string Difference(const Problem& problem, absl::Span<const int32_t> order,
                       const FirstFitCheck& check, FirstFit& fast) {
  Rng rng(check.seed);
  PlainFirstFit plain(problem, order);
  for (const int32_t node : order) {
    if (check.extra_questions && problem.size_bytes[node] > 0) {
      for (int i = 0; i < 3; ++i) {
        const uint64_t start = SomeAddress(problem, rng);
        const uint64_t ceiling = SomeAddress(problem, rng);
        const auto want = plain.Find(node, start, ceiling);
        const auto got = fast.Find(node, start, ceiling);
        if (want != got) {
          return absl::StrCat("node ", node, " in [", start, ", ", ceiling,
                              "): plain ", Show(want), ", fast ", Show(got));
        }
      }
    }
    const auto want = FindInRegions(plain, problem, node);
    const auto got = FindInRegions(fast, problem, node);
    if (want != got) {
      return absl::StrCat("node ", node, " in its regions: plain ", Show(want),
                          ", fast ", Show(got));
    }
    if (want.has_value() && problem.size_bytes[node] > 0) {
      plain.Place(node, *want);
      fast.Place(node, *want);
    }
  }
  return "";
}

}  // namespace

std::vector<int32_t> OrderByStart(const Problem& problem) {
  std::vector<int32_t> order(problem.num_nodes());
  std::iota(order.begin(), order.end(), 0);
  const auto start = [&problem](int32_t node) {
    return problem.live.of(node).front().lo;
  };
  std::sort(order.begin(), order.end(), [&start](int32_t a, int32_t b) {
    return start(a) != start(b) ? start(a) < start(b) : a < b;
  });
  return order;
}

std::vector<int32_t> RandomOrder(const Problem& problem, Rng& rng) {
  std::vector<int32_t> order(problem.num_nodes());
  std::iota(order.begin(), order.end(), 0);
  for (size_t i = order.size(); i > 1; --i) {
    std::swap(order[i - 1], order[rng.Below(i)]);
  }
  return order;
}

std::string FirstFitDifference(const Problem& problem,
                               absl::Span<const int32_t> order,
                               const FirstFitCheck& check) {
  WindowFirstFit windows =
      check.events_per_window > 0
          ? WindowFirstFit(problem, order, check.events_per_window)
          : WindowFirstFit(problem, order);
  std::string difference = Difference(problem, order, check, windows);
  if (difference.empty() && SweepFirstFit::Serves(problem, order)) {
    SweepFirstFit sweep(problem, order);
    difference = Difference(problem, order, check, sweep);
    if (!difference.empty()) difference = "sweep: " + difference;
  }
  return difference;
}

}  // namespace berth
