#include "allocator/placement/problem.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "allocator/base/check.h"
#include "allocator/base/int_math.h"
#include "allocator/base/status_macros.h"
#include "allocator/model/instance.h"
#include "allocator/model/intervals.h"

namespace berth {
namespace {

// Runs of `table` are sorted, disjoint, not adjacent unless `may_touch`, inside
// [0, num_times).
absl::Status CheckTable(const IntervalTable& table, int32_t size,
                        int32_t num_times, bool may_touch,
                        absl::string_view what) {
  if (table.size() != size) {
    return absl::InvalidArgumentError(absl::StrCat(
        what, ": intervals of ", table.size(), " owners, expected ", size));
  }
  for (int32_t owner = 0; owner < size; ++owner) {
    int64_t previous_hi = -2;
    if (table.of(owner).empty()) {
      return absl::InvalidArgumentError(
          absl::StrCat(what, " ", owner, " has no interval"));
    }
    for (const Interval& interval : table.of(owner)) {
      if (interval.lo > interval.hi ||
          interval.lo <= previous_hi + (may_touch ? 0 : 1) || interval.lo < 0 ||
          interval.hi >= num_times) {
        return absl::InvalidArgumentError(
            absl::StrCat(what, " ", owner, ": interval [", interval.lo, ", ",
                         interval.hi, "] is out of order or out of range"));
      }
      previous_hi = interval.hi;
    }
  }
  return absl::OkStatus();
}

absl::Status CheckWindows(const Problem& problem) {
  if (problem.windows.empty()) return absl::OkStatus();
  if (problem.windows.size() != problem.live.values.size()) {
    return absl::InvalidArgumentError("problem: not a window for each run");
  }
  for (int32_t id = 0; id < problem.num_nodes(); ++id) {
    const auto runs = static_cast<int32_t>(problem.live.of(id).size());
    for (int32_t run = 0; run < runs; ++run) {
      const ByteWindow window = problem.WindowOf(id, run);
      if (window.upper > problem.size_bytes[id] ||
          (window.lower >= window.upper && problem.size_bytes[id] > 0)) {
        return absl::InvalidArgumentError(
            absl::StrCat("'", problem.NameOf(id), "': window ", window.lower,
                         ":", window.upper, " is empty or outside the size"));
      }
    }
  }
  return absl::OkStatus();
}

}  // namespace

std::string Problem::NameOf(int32_t id) const {
  if (names.empty()) return absl::StrCat("#", id);
  return std::string(names[id]);
}

std::vector<uint128> Loads(const Problem& problem) {
  // Differences first: +w where a run begins, -w after it ends.
  std::vector<int128> change(static_cast<size_t>(problem.num_times) + 1, 0);
  for (int32_t id = 0; id < problem.num_nodes(); ++id) {
    int32_t run = 0;
    for (const Interval& interval : problem.live.of(id)) {
      const ByteWindow window = problem.WindowOf(id, run++);
      change[interval.lo] += window.upper - window.lower;
      change[interval.hi + 1] -= window.upper - window.lower;
    }
  }
  std::vector<uint128> loads(problem.num_times);
  int128 load = 0;
  for (int32_t t = 0; t < problem.num_times; ++t) {
    load += change[t];
    loads[t] = static_cast<uint128>(load);
  }
  return loads;
}

uint128 MaxLoad(const Problem& problem) {
  uint128 most = 0;
  for (const uint128 load : Loads(problem)) most = std::max(most, load);
  return most;
}

uint64_t Peak(const Problem& problem, const Placement& placement) {
  uint64_t peak = problem.floor;
  for (int32_t id = 0; id < problem.num_nodes(); ++id) {
    if (problem.size_bytes[id] == 0) continue;
    peak = std::max(peak, placement.address[id] + problem.size_bytes[id]);
  }
  return peak;
}

absl::Status CheckProblem(const Problem& problem) {
  const size_t nodes = problem.size_bytes.size();
  if (nodes >= static_cast<size_t>(kMaxCount) ||
      problem.alignment.size() != nodes ||
      problem.occupied_length.size() != nodes || problem.cc.size() != nodes ||
      (!problem.names.empty() && problem.names.size() != nodes)) {
    return absl::InvalidArgumentError("problem: arrays of unequal length");
  }
  if (problem.page_bytes == 0) {
    return absl::InvalidArgumentError("problem: page of 0 bytes");
  }
  BERTH_RETURN_IF_ERROR(CheckTable(problem.live, problem.num_nodes(),
                                   problem.num_times, !problem.windows.empty(),
                                   "node"));
  BERTH_RETURN_IF_ERROR(CheckTable(problem.pin_live, problem.num_pins(),
                                   problem.num_times, false, "pin"));
  BERTH_RETURN_IF_ERROR(CheckWindows(problem));
  bool any_bytes = false;
  for (int32_t id = 0; id < problem.num_nodes(); ++id) {
    if (problem.alignment[id] == 0) {
      return absl::InvalidArgumentError(
          absl::StrCat("'", problem.NameOf(id), "' has alignment 0"));
    }
    any_bytes |= problem.size_bytes[id] > 0;
  }
  for (const Pin& pin : problem.pins) {
    if (pin.address > pin.end) {
      return absl::InvalidArgumentError("problem: a pin ends before it begins");
    }
  }
  if (problem.floor > problem.ceiling) {
    if (!any_bytes) return absl::OkStatus();
    return absl::ResourceExhaustedError(
        absl::StrCat("the floor ", problem.floor, " (", problem.floor_reason,
                     ") is above the ceiling ", problem.ceiling));
  }
  if (problem.cc_end < problem.floor || problem.cc_end > problem.ceiling) {
    return absl::InvalidArgumentError(
        absl::StrCat("problem: cc_end ", problem.cc_end, " outside floor ",
                     problem.floor, " .. ceiling ", problem.ceiling));
  }
  return absl::OkStatus();
}

absl::Status DoesNotFit(const Problem& problem, int32_t node,
                        uint64_t largest_gap) {
  std::string message =
      absl::StrCat("'", problem.NameOf(node), "' of ", problem.size_bytes[node],
                   " bytes does not fit: largest gap ", largest_gap,
                   " bytes, floor ", problem.floor);
  if (!problem.floor_reason.empty()) {
    absl::StrAppend(&message, " (", problem.floor_reason, ")");
  }
  absl::StrAppend(&message, ", ceiling ", problem.ceiling);
  return absl::ResourceExhaustedError(message);
}

}  // namespace berth
