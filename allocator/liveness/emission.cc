#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "allocator/base/check.h"
#include "allocator/base/int_math.h"
#include "allocator/base/status_macros.h"
#include "allocator/liveness/access_events.h"
#include "allocator/liveness/limits.h"
#include "allocator/liveness/liveness.h"
#include "allocator/model/intervals.h"
#include "allocator/model/options.h"
#include "allocator/model/program.h"

namespace berth {
namespace {

// Walks the def-use edges of a block-local location. A def meets every later
// use (listed or implied) up to and including the next full def's own
// instruction.
//
// Calls edges(defs, use): an edge from each of `defs`, which ascend, to `use`;
// alone(flat): a dead def, or a use that no def reaches.
// Cost: O(events) and the calls, so counting edges does not cost their number.
template <typename Edges, typename Alone>
void WalkEdges(absl::Span<const AccessEvent> events, const Edges& edges,
               const Alone& alone) {
  std::vector<int32_t> reaching;  // defs since the last full def, it included
  size_t num_used = 0;            // the first of them have met a use
  const auto end_unused = [&] {
    for (; num_used < reaching.size(); ++num_used) alone(reaching[num_used]);
  };
  for (const AccessEvent& event : events) {
    if (event.reads()) {
      if (!reaching.empty()) {
        edges(absl::MakeConstSpan(reaching), event.flat);
        num_used = reaching.size();
      } else if (!event.def()) {
        alone(event.flat);
      }
    }
    if (event.full_def()) {
      end_unused();
      reaching.clear();
      num_used = 0;
    }
    if (event.def()) reaching.push_back(event.flat);
  }
  end_unused();
}

int64_t CountEdges(absl::Span<const AccessEvent> events) {
  int64_t count = 0;
  WalkEdges(
      events,
      [&](absl::Span<const int32_t> defs, int32_t) {
        count += static_cast<int64_t>(defs.size());
      },
      [&](int32_t) { ++count; });
  return count;
}

void AppendEdges(absl::Span<const AccessEvent> events, int32_t id,
                 std::vector<OwnedInterval>& result) {
  WalkEdges(
      events,
      [&](absl::Span<const int32_t> defs, int32_t use) {
        for (const int32_t def : defs) result.push_back({def, use, id});
      },
      [&](int32_t flat) {
        result.push_back({flat, flat, id});
      });
}

void AppendRuns(absl::Span<const Interval> runs, int32_t id,
                std::vector<OwnedInterval>& result) {
  for (const Interval& run : runs) result.push_back({run.lo, run.hi, id});
}

// Which of `nodes` are emitted edge by edge: one flag per location.
std::vector<uint8_t> EmittedByEdge(const Function& function,
                                   const Liveness& liveness,
                                   absl::Span<const int32_t> nodes) {
  std::vector<uint8_t> by_edge(function.locations.size(), 0);
  for (const int32_t node : nodes) {
    by_edge[node] =
        liveness.block_local[node] && !function.locations[node].pinned();
  }
  return by_edge;
}

// The number of intervals, if it stays below `limit`.
template <typename CountOf>
absl::StatusOr<int64_t> Count(const Function& function,
                              absl::Span<const int32_t> nodes, int64_t limit,
                              const CountOf& count_of) {
  int64_t total = 0;
  for (const int32_t node : nodes) {
    total += count_of(node);
    if (total >= limit) {
      return absl::ResourceExhaustedError(absl::StrCat(
          "function '", function.name, "': location '",
          function.locations[node].name, "' brings the intervals to ", total,
          ", ", limit, " or more are too many"));
    }
  }
  return total;
}

absl::StatusOr<std::vector<OwnedInterval>> EmitMerged(
    const Function& function, const Liveness& liveness,
    absl::Span<const int32_t> nodes, int64_t limit) {
  BERTH_ASSIGN_OR_RETURN(
      const int64_t total, Count(function, nodes, limit, [&](int32_t node) {
        return static_cast<int64_t>(liveness.occupied.of(node).size());
      }));
  std::vector<OwnedInterval> result;
  result.reserve(total);
  for (size_t id = 0; id < nodes.size(); ++id) {
    AppendRuns(liveness.occupied.of(nodes[id]), static_cast<int32_t>(id),
               result);
  }
  return result;
}

absl::StatusOr<std::vector<OwnedInterval>> EmitPerEdge(
    const Function& function, const Liveness& liveness,
    absl::Span<const int32_t> nodes, int64_t limit) {
  const std::vector<uint8_t> by_edge = EmittedByEdge(function, liveness, nodes);
  const AccessEvents events(function, by_edge);
  BERTH_ASSIGN_OR_RETURN(
      const int64_t total, Count(function, nodes, limit, [&](int32_t node) {
        return by_edge[node]
                   ? CountEdges(events.of(node))
                   : static_cast<int64_t>(liveness.occupied.of(node).size());
      }));
  std::vector<OwnedInterval> result;
  result.reserve(total);
  for (size_t i = 0; i < nodes.size(); ++i) {
    const int32_t id = static_cast<int32_t>(i);
    if (by_edge[nodes[i]]) {
      AppendEdges(events.of(nodes[i]), id, result);
    } else {
      AppendRuns(liveness.occupied.of(nodes[i]), id, result);
    }
  }
  BERTH_CHECK(static_cast<int64_t>(result.size()) == total);
  std::sort(result.begin(), result.end(),
            [](const OwnedInterval& a, const OwnedInterval& b) {
              return std::tie(a.hi, a.id, a.lo) < std::tie(b.hi, b.id, b.lo);
            });
  return result;
}

}  // namespace

absl::StatusOr<std::vector<OwnedInterval>> EmitIntervals(
    const Function& function, const Liveness& liveness, Emission emission,
    absl::Span<const int32_t> nodes) {
  return EmitIntervalsUpTo(function, liveness, emission, nodes, kMaxCount);
}

absl::StatusOr<std::vector<OwnedInterval>> EmitIntervalsUpTo(
    const Function& function, const Liveness& liveness, Emission emission,
    absl::Span<const int32_t> nodes, int64_t interval_limit) {
  return emission == Emission::kMerged
             ? EmitMerged(function, liveness, nodes, interval_limit)
             : EmitPerEdge(function, liveness, nodes, interval_limit);
}

}  // namespace berth
