#include "tools/cli/explain.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "allocator/base/int_math.h"
#include "allocator/model/intervals.h"
#include "allocator/placement/first_fit.h"
#include "allocator/placement/order.h"
#include "allocator/placement/planners.h"
#include "allocator/placement/problem.h"

namespace berth {
namespace {

constexpr size_t kMaxLines = 20;  // of each list

struct Bytes {
  uint64_t lo;
  uint64_t hi;
};

bool Meet(absl::Span<const Interval> a, absl::Span<const Interval> b) {
  size_t i = 0;
  size_t j = 0;
  while (i < a.size() && j < b.size()) {
    if (Overlap(a[i], b[j])) return true;
    if (a[i].hi < b[j].hi) {
      ++i;
    } else {
      ++j;
    }
  }
  return false;
}

// The gaps of one region among `taken`, and what became of each.
void TryRegion(const PlacedRun& run, int32_t node, uint64_t start, uint64_t end,
               std::vector<Bytes> taken, std::vector<GapTried>& gaps) {
  const Problem& problem = run.problem;
  const uint64_t size = problem.size_bytes[node];
  uint64_t at = start;
  taken.push_back({end, end});
  std::sort(taken.begin(), taken.end(),
            [](const Bytes& a, const Bytes& b) { return a.lo < b.lo; });
  for (const Bytes& bytes : taken) {
    const uint64_t lo = std::min(std::max(bytes.lo, at), end);
    if (lo > at) {
      const auto place =
          PlaceInGap(at, lo, size, problem.alignment[node], problem.page_bytes);
      std::string verdict;
      if (place.has_value()) {
        verdict = *place == run.address[node]
                      ? "placed here"
                      : absl::StrCat("would fit at ", *place);
      } else if (lo - at < size) {
        verdict = "too small";
      } else {
        verdict = "no place that keeps its page and alignment";
      }
      gaps.push_back({at, lo, verdict});
      if (place.has_value()) return;
    }
    at = std::max(at, std::min(bytes.hi, end));
  }
}

// Regions in the order of spec §9.
void TryRegions(const PlacedRun& run, int32_t node,
                const std::vector<Bytes>& taken, std::vector<GapTried>& gaps) {
  const Problem& p = run.problem;
  const std::pair<uint64_t, uint64_t> cc(p.floor, p.cc_end);
  const std::pair<uint64_t, uint64_t> general(p.cc_end, p.ceiling);
  for (const auto& region :
       {p.cc[node] ? cc : general, p.cc[node] ? general : cc,
        std::make_pair(p.floor, p.ceiling)}) {
    if (region.first >= region.second) continue;
    TryRegion(run, node, region.first, region.second, taken, gaps);
    if (!gaps.empty() && gaps.back().verdict != "too small" &&
        gaps.back().verdict[0] != 'n') {
      return;
    }
  }
}

// Closed intervals as they are, half-open ones where times are a CSV's.
std::string Runs(const PlacedRun& run, absl::Span<const Interval> intervals) {
  const std::vector<int64_t>& ends = run.end_points;
  std::string text;
  for (const Interval& interval : intervals) {
    absl::StrAppend(&text, text.empty() ? "" : " ");
    if (ends.empty()) {
      absl::StrAppend(&text, "[", interval.lo, ", ", interval.hi, "]");
    } else {
      absl::StrAppend(&text, "[", ends[interval.lo], ", ",
                      ends[interval.hi + 1], ")");
    }
  }
  return text;
}

int64_t Time(const PlacedRun& run, int32_t time) {
  return run.end_points.empty() ? time : run.end_points[time];
}

std::string Range(uint64_t lo, uint64_t hi) {
  return absl::StrCat("[", lo, ", ", hi, ")");
}

}  // namespace

Explanation Explain(const PlacedRun& run, int32_t node) {
  const Problem& problem = run.problem;
  Explanation out;
  const std::vector<int32_t> popped = BriggsOrder(problem).Popped();
  const absl::StatusOr<Placement> replay = SelectFast(problem, popped);
  out.replayed = replay.ok() && replay->address == run.address;
  const auto own = problem.live.of(node);
  std::vector<bool> before(problem.num_nodes(), !out.replayed);
  if (out.replayed) {
    for (const int32_t id : popped) {
      ++out.turn;
      if (id == node) break;
      before[id] = true;
    }
  }
  std::vector<Bytes> taken;
  for (int32_t id = 0; id < problem.num_nodes(); ++id) {
    const uint64_t end = run.address[id] + problem.size_bytes[id];
    if (problem.size_bytes[id] > 0 &&
        (out.peak_holder < 0 ||
         end > run.address[out.peak_holder] +
                   problem.size_bytes[out.peak_holder])) {
      out.peak_holder = id;
    }
    if (id == node || problem.size_bytes[id] == 0 ||
        !Meet(own, problem.live.of(id))) {
      continue;
    }
    out.neighbours.push_back(id);
    if (before[id]) taken.push_back({run.address[id], end});
  }
  std::sort(out.neighbours.begin(), out.neighbours.end(),
            [&](int32_t a, int32_t b) {
              return std::make_pair(run.address[a], a) <
                     std::make_pair(run.address[b], b);
            });
  for (int32_t pin = 0; pin < problem.num_pins(); ++pin) {
    if (!Meet(own, problem.pin_live.of(pin))) continue;
    out.pinned_neighbours.push_back(pin);
    taken.push_back({problem.pins[pin].address, problem.pins[pin].end});
  }
  if (problem.size_bytes[node] > 0) TryRegions(run, node, taken, out.gaps);
  const std::vector<uint128> loads = Loads(problem);
  for (const Interval& interval : own) {
    for (int32_t t = interval.lo; t <= interval.hi; ++t) {
      if (loads[t] > out.busiest_load) {
        out.busiest_load = loads[t];
        out.busiest_time = t;
      }
    }
  }
  return out;
}

std::string ToText(const PlacedRun& run, int32_t node, const Explanation& out) {
  const Problem& p = run.problem;
  const uint64_t size = p.size_bytes[node];
  std::string text = absl::StrCat(
      "'", p.NameOf(node), "'", run.where.empty() ? "" : " of ", run.where,
      ": ", size, " bytes at ",
      Range(run.address[node], run.address[node] + size),
      p.cc[node] ? ", accessed by a collective" : "",
      p.alignment[node] > 1 ? absl::StrCat(", alignment ", p.alignment[node])
                            : "",
      "\nlive over ", run.time_word, " ", Runs(run, p.live.of(node)),
      "\nregions: floor ", p.floor,
      p.cc_end > p.floor ? absl::StrCat(", CC region up to ", p.cc_end) : "",
      ", ceiling ", p.ceiling, "\n");
  if (!p.floor_reason.empty()) {
    absl::StrAppend(&text, "floor: ", p.floor_reason, "\n");
  }
  absl::StrAppend(&text, out.neighbours.size(), " neighbours",
                  out.pinned_neighbours.empty()
                      ? ""
                      : absl::StrCat(" and ", out.pinned_neighbours.size(),
                                     " pre-placed ones"),
                  out.neighbours.empty() ? "\n" : ":\n");
  for (size_t i = 0; i < std::min(kMaxLines, out.neighbours.size()); ++i) {
    const int32_t id = out.neighbours[i];
    absl::StrAppend(
        &text, "  ", Range(run.address[id], run.address[id] + p.size_bytes[id]),
        " '", p.NameOf(id), "' live ", Runs(run, p.live.of(id)), "\n");
  }
  if (out.neighbours.size() > kMaxLines) {
    absl::StrAppend(&text, "  and ", out.neighbours.size() - kMaxLines,
                    " more\n");
  }
  for (const int32_t pin : out.pinned_neighbours) {
    absl::StrAppend(&text, "  ", Range(p.pins[pin].address, p.pins[pin].end),
                    " pre-placed '", run.pin_names[pin], "' live ",
                    Runs(run, p.pin_live.of(pin)), "\n");
  }
  if (size == 0) {
    absl::StrAppend(&text, "without bytes: at the start of its region\n");
  } else if (out.replayed) {
    absl::StrAppend(&text, "placed as number ", out.turn, " of ", p.num_nodes(),
                    "; gaps tried, among what was there:\n");
  } else {
    absl::StrAppend(&text,
                    "gaps among all its neighbours (another planner "
                    "placed this; its order is not known):\n");
  }
  const size_t hidden =
      out.gaps.size() > kMaxLines ? out.gaps.size() - kMaxLines : 0;
  if (hidden > 0) absl::StrAppend(&text, "  ", hidden, " lower ones\n");
  for (size_t i = hidden; i < out.gaps.size(); ++i) {
    const GapTried& gap = out.gaps[i];
    absl::StrAppend(&text, "  ", Range(gap.lo, gap.hi), " ", gap.hi - gap.lo,
                    " bytes: ", gap.verdict, "\n");
  }
  const uint128 lower_bound = MaxLoad(p);
  absl::StrAppend(&text, "busiest time ", Time(run, out.busiest_time), ": ",
                  ToString(out.busiest_load), " bytes live, lower bound ",
                  ToString(lower_bound), "\n");
  if (out.peak_holder >= 0) {
    const uint64_t peak =
        run.address[out.peak_holder] + p.size_bytes[out.peak_holder];
    absl::StrAppend(&text, "peak ", peak, " is held by '",
                    p.NameOf(out.peak_holder), "'",
                    out.peak_holder == node ? " (this one)" : "", ", ",
                    peak - p.floor, " bytes above the floor\n");
  }
  return text;
}

}  // namespace berth
