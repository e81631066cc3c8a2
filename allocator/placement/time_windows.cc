#include "allocator/placement/time_windows.h"

namespace berth {
namespace {

// How many first and last times fall on each time.
std::vector<int32_t> CountEvents(const Problem& problem) {
  std::vector<int32_t> events(std::max(problem.num_times, 1), 0);
  for (const IntervalTable* table : {&problem.live, &problem.pin_live}) {
    for (const Interval& interval : table->values) {
      ++events[interval.lo];
      ++events[interval.hi];
    }
  }
  return events;
}

}  // namespace

TimeWindows::TimeWindows(const Problem& problem, int64_t events) {
  const std::vector<int32_t> at = CountEvents(problem);
  const int32_t num_times = static_cast<int32_t>(at.size());
  int64_t held = 0;  // by the window that is open
  begin_.push_back(0);
  for (int32_t time = 0; time < num_times; ++time) {
    const bool full = held + at[time] > events && held > 0;
    if (full || time - begin_.back() == kMaxWindowTimes) {
      begin_.push_back(time);
      held = 0;
    }
    held += at[time];
  }
  begin_.push_back(num_times);

  int32_t level_size = num_windows();
  levels_.push_back(0);
  while (level_size > 1) {
    levels_.push_back(levels_.back() + level_size);
    level_size = (level_size + kFanout - 1) / kFanout;
  }

  while ((num_times >> hint_shift_) > 4 * num_windows()) ++hint_shift_;
  int32_t window = 0;
  for (int64_t time = 0; time < num_times; time += int64_t{1} << hint_shift_) {
    while (begin_[window + 1] <= time) ++window;
    hint_.push_back(window);
  }
}

}  // namespace berth
