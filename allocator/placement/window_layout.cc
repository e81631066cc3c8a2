#include "allocator/placement/window_layout.h"

#include <algorithm>
#include <numeric>

namespace berth {
namespace {

// gcd(unit, value), quick where nothing changes, as nearly always.
uint64_t Common(uint64_t unit, uint64_t value) {
  if (unit == 1 || (unit != 0 && value % unit == 0)) return unit;
  return std::gcd(unit, value);
}

// The largest unit that first fit's addresses above `base` are multiples of,
// counted from there: they come from sums of these.
uint64_t CommonUnit(const Problem& problem, uint64_t base) {
  uint64_t unit = problem.cc_end > base ? problem.cc_end - base : 0;
  for (uint64_t size : problem.size_bytes) unit = Common(unit, size);
  for (const ByteWindow& window : problem.windows) {
    unit = Common(Common(unit, window.lower), window.upper);
  }
  for (const Pin& pin : problem.pins) {
    if (pin.end > base) unit = Common(unit, pin.end - base);
  }
  for (int32_t node = 0; node < problem.num_nodes() && unit != 1; ++node) {
    if (problem.size_bytes[node] == 0 || AnyAddress(problem, node)) continue;
    unit = Common(Common(unit, base), problem.alignment[node]);
    if (problem.size_bytes[node] <= problem.page_bytes) {
      unit = Common(unit, problem.page_bytes);
    }
  }
  return std::max<uint64_t>(unit, 1);
}

bool AnyAddresses(const Problem& problem) {
  for (int32_t node = 0; node < problem.num_nodes(); ++node) {
    if (!AnyAddress(problem, node)) return false;
  }
  return true;
}

// The upper quartile of the lengths of intervals, in times after the first;
// `most` if it is more. REQUIRES: there are intervals.
int64_t UpperQuartile(absl::Span<const Interval> intervals, int64_t most) {
  std::vector<int32_t> held(most + 1, 0);  // by length
  for (const Interval& interval : intervals) {
    ++held[std::min<int64_t>(interval.hi - interval.lo, most)];
  }
  auto left = static_cast<int64_t>(intervals.size() / 4 * 3);
  int64_t length = 0;
  while (left >= held[length]) left -= held[length++];
  return length;
}

// Long enough that few live ranges cover whole windows, short enough that the
// list of one is quickly looked through: five times the events within the upper
// quartile of lengths. Means mislead where a few live for ever. The best is
// flat within a factor of two on random and real problems.
int64_t EventsPerWindow(const Problem& problem) {
  constexpr int64_t kQuartiles = 5, kFewest = 512, kMost = 8192;
  const std::vector<Interval>& live = problem.live.values;
  if (live.empty()) return 1;
  const auto events = int64_t{2} * static_cast<int64_t>(live.size());
  const int64_t times = std::max(problem.num_times, 1);
  // A quartile from there on gives kMost.
  const int64_t most =
      std::min(times, kMost * times / (kQuartiles * events) + 1);
  return std::clamp(
      kQuartiles * (UpperQuartile(live, most) + 1) * events / times, kFewest,
      kMost);
}

}  // namespace

WindowLayout::WindowLayout(const Problem& problem)
    : WindowLayout(problem, EventsPerWindow(problem)) {}

WindowLayout::WindowLayout(const Problem& problem, int64_t events_per_window)
    : problem_(problem),
      windows_(problem, events_per_window),
      unit_(CommonUnit(problem, problem.floor)),
      one_run_each_(problem.live.values.size() == problem.size_bytes.size()),
      any_address_(AnyAddresses(problem)),
      list_entries_(windows_.num_windows(), 0),
      questions_(windows_.num_nodes(), 0) {
  for (const Interval& interval : problem.pin_live.values) {
    CountEntries(windows_.SpanOf(interval));
  }
  for (int32_t node = 0; node < problem.num_nodes(); ++node) {
    const bool asks = problem.size_bytes[node] > 0;
    for (const Interval& interval : problem.live.of(node)) {
      const TimeWindows::Span span = windows_.SpanOf(interval);
      CountEntries(span);
      if (!asks) continue;
      windows_.ForEachCanonical(span, [this](int32_t n) { ++questions_[n]; });
    }
  }
}

void WindowLayout::CountEntries(const TimeWindows::Span& span) {
  if (span.first < span.whole_first || span.first > span.whole_last) {
    ++list_entries_[span.first];
  }
  if (span.last != span.first &&
      (span.last > span.whole_last || span.last < span.whole_first)) {
    ++list_entries_[span.last];
  }
}

}  // namespace berth
