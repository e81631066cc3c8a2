#include "allocator/placement/window_layout.h"

#include <algorithm>
#include <numeric>

namespace berth {
namespace {

// The largest unit that first fit's addresses above `base` are multiples of,
// counted from there: they come from sums of these.
uint64_t CommonUnit(const Problem& problem, uint64_t base) {
  uint64_t unit = problem.cc_end > base ? problem.cc_end - base : 0;
  for (uint64_t size : problem.size_bytes) unit = std::gcd(unit, size);
  for (const ByteWindow& window : problem.windows) {
    unit = std::gcd(std::gcd(unit, window.lower), window.upper);
  }
  for (const Pin& pin : problem.pins) {
    if (pin.end > base) unit = std::gcd(unit, pin.end - base);
  }
  for (int32_t node = 0; node < problem.num_nodes(); ++node) {
    if (problem.size_bytes[node] == 0 || AnyAddress(problem, node)) continue;
    unit = std::gcd(std::gcd(unit, base), problem.alignment[node]);
    if (problem.size_bytes[node] <= problem.page_bytes) {
      unit = std::gcd(unit, problem.page_bytes);
    }
  }
  return std::max<uint64_t>(unit, 1);
}

// Long enough that few live ranges cover whole windows, short enough that the
// list of one is quickly looked through: five times the events within the upper
// quartile of lengths. Means mislead where a few live for ever. The best is
// flat within a factor of two on random and real problems.
int64_t EventsPerWindow(const Problem& problem) {
  const std::vector<Interval>& live = problem.live.values;
  if (live.empty()) return 1;
  std::vector<int32_t> lengths;
  lengths.reserve(live.size());
  for (const Interval& interval : live) {
    lengths.push_back(interval.hi - interval.lo);
  }
  const auto quartile = lengths.begin() + lengths.size() / 4 * 3;
  std::nth_element(lengths.begin(), quartile, lengths.end());
  const auto events = int64_t{2} * static_cast<int64_t>(live.size());
  return std::clamp<int64_t>(
      5 * (int64_t{*quartile} + 1) * events / std::max(problem.num_times, 1),
      512, 8192);
}

}  // namespace

WindowLayout::WindowLayout(const Problem& problem)
    : WindowLayout(problem, EventsPerWindow(problem)) {}

WindowLayout::WindowLayout(const Problem& problem, int64_t events_per_window)
    : problem_(problem),
      windows_(problem, events_per_window),
      unit_(CommonUnit(problem, problem.floor)),
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
