#include "allocator/interference/window_lists.h"

#include <algorithm>
#include <limits>

#include "allocator/base/check.h"
#include "allocator/base/int_math.h"
#include "allocator/interference/append.h"
#include "allocator/interference/filter.h"

namespace berth {
namespace {

// Starters a window may have beyond what W3 gives for the living.
constexpr int64_t kScan = 32;
// Up to so many are filtered as they stand; more are searched first.
constexpr int32_t kFew = 96;
// Up to so many of a list are tested while copied; more are searched first.
constexpr int32_t kFewListed = 512;

// The last place of an ascending array's [begin, end) before which all are <=
// t, to within kFew / 2.
int32_t Narrow(const int32_t* times, int32_t begin, int32_t* end, int32_t t) {
  int32_t count = *end - begin;
  while (count > kFew / 2) {
    const int32_t half = count / 2;
    begin += times[begin + half - 1] <= t ? half : 0;
    count -= half;
  }
  *end = begin + count;
  return begin;
}

}  // namespace

WindowLists::WindowLists(absl::Span<const OwnedInterval> intervals)
    : stored_(intervals) {
  CheckIntervals(intervals);
  if (intervals.empty()) return;
  const size_t n = intervals.size();
  lo_.resize(n);
  hi_.resize(n);
  id_.resize(n + kFilterSlack);
  {
    const Uninitialized<OwnedInterval> sorted = SortedByLo(intervals);
    for (size_t p = 0; p < n; ++p) {
      lo_[p] = sorted[p].lo;
      hi_[p] = sorted[p].hi;
      id_[p] = sorted[p].id;
    }
  }
  Uninitialized<TimeAt> by_end(n);
  for (size_t p = 0; p < n; ++p) by_end[p] = {hi_[p], static_cast<int32_t>(p)};
  by_end = SortedByKey<TimeAt>(by_end, [](const TimeAt& e) { return ~e.time; });
  CutWindows(by_end);
  FillLists(by_end);
  window_rank_ = RankTable(time_);
}

// Walks the times at which anything starts or has just ended and closes a
// window as W3 asks.
void WindowLists::CutWindows(absl::Span<const TimeAt> by_end) {
  const int32_t n = size();
  const auto end_of = [&](int32_t k) { return by_end[n - 1 - k].time; };
  last_time_ = by_end.front().time;
  time_.push_back(lo_.front());
  windows_.push_back({0, 0});
  int64_t entries = 0;
  int32_t rank = 0;
  int32_t dead = 0;
  while (dead < n) {
    // The next time at which rank or dead changes.
    const int64_t start =
        rank < n ? int64_t{lo_[rank]} : std::numeric_limits<int64_t>::max();
    const int64_t t = std::min(start, int64_t{end_of(dead)} + 1);
    if (t > last_time_) break;
    while (rank < n && lo_[rank] <= t) ++rank;
    while (end_of(dead) < t) ++dead;
    const int64_t alive = rank - dead;
    const int64_t starters = rank - windows_.back().first;
    if (4 * starters <= 3 * alive + 4 * kScan) continue;
    time_.push_back(static_cast<int32_t>(t));
    windows_.push_back({rank, static_cast<int32_t>(entries)});
    entries += alive;
    BERTH_CHECK(entries < kMaxCount);
  }
  list_.resize(static_cast<size_t>(entries + kFilterSlack));
  list_hi_.resize(static_cast<size_t>(entries));
  windows_.push_back({n, static_cast<int32_t>(entries)});
}

// list_{w+1} is what reaches time_{w+1} of list_w and of w's starters, merged.
// Handing all intervals to their windows by hi descending sorts the starters of
// every window at once.
void WindowLists::FillLists(absl::Span<const TimeAt> by_end) {
  IdList window_of(lo_.size());
  IdList ends(static_cast<size_t>(windows()));  // where w's starters end
  for (int32_t w = 0; w < windows(); ++w) {
    ends[w] = windows_[w].first;
    std::fill(window_of.begin() + windows_[w].first,
              window_of.begin() + windows_[w + 1].first, w);
  }
  Uninitialized<TimeAt> starters(lo_.size());  // a window's by hi descending
  for (const TimeAt& end : by_end) {
    starters[ends[window_of[end.position]]++] = end;
  }
  for (int32_t w = 0; w + 1 < windows(); ++w) {
    const int32_t time = time_[w + 1];
    const int32_t* from = list_.data() + windows_[w].list;
    const int32_t* from_hi = list_hi_.data() + windows_[w].list;
    int32_t* to = list_.data() + windows_[w + 1].list;
    int32_t* to_hi = list_hi_.data() + windows_[w + 1].list;
    for (int32_t s = windows_[w].first; s < windows_[w + 1].first; ++s) {
      const TimeAt starter = starters[s];
      if (starter.time < time) break;
      // At most as many as the old list has left: it ends where `to` begins,
      // but what was written there may be large, so the bound is needed.
      const int32_t* end = list_hi_.data() + windows_[w + 1].list;
      while (from_hi < end && *from_hi >= starter.time) {
        *to++ = *from++;
        *to_hi++ = *from_hi++;
      }
      *to++ = id_[starter.position];
      *to_hi++ = starter.time;
    }
    const int64_t rest = list_.data() + windows_[w + 2].list - to;
    std::copy_n(from, rest, to);
    std::copy_n(from_hi, rest, to_hi);
  }
}

uint64_t WindowLists::bytes() const {
  return (lo_.capacity() + hi_.capacity() + id_.capacity() + time_.capacity() +
          list_.capacity() + list_hi_.capacity()) *
             sizeof(int32_t) +
         windows_.capacity() * sizeof(Window) + window_rank_.bytes();
}

int32_t WindowLists::RankIn(int32_t w, int32_t t) const {
  int32_t end = windows_[w + 1].first;
  if (t == std::numeric_limits<int32_t>::max()) return end;
  const int32_t begin = Narrow(lo_.data(), windows_[w].first, &end, t);
  return end - static_cast<int32_t>(Filter().count_at_least(
                   lo_.data() + begin, end - begin, t + 1));
}

int32_t WindowLists::PrefixOf(int32_t w, int32_t t) const {
  const int32_t begin = windows_[w].list;
  const int32_t* his = list_hi_.data() + begin;
  int32_t count = windows_[w + 1].list - begin;
  int32_t prefix = 0;
  while (count > kFew / 2) {
    const int32_t half = count / 2;
    prefix += his[prefix + half - 1] >= t ? half : 0;
    count -= half;
  }
  return prefix +
         static_cast<int32_t>(Filter().count_at_least(his + prefix, count, t));
}

void WindowLists::Overlaps(int32_t lo, int32_t hi, IdList* out) {
  if (Misses(lo, hi)) return;
  const FilterKernels& filter = Filter();
  Appender append(out);
  const int32_t w2 = WindowOf(hi);
  int32_t run = 0;  // where the run of starts begins
  if (lo >= time_[0]) {
    const int32_t w1 = WindowOf(lo);
    const Window& window = windows_[w1];
    const Window& after = windows_[w1 + 1];
    const int32_t listed = after.list - window.list;
    const int32_t starters = after.first - window.first;
    int32_t* end = append.Room(int64_t{listed} + starters);
    if (listed <= kFewListed) {
      end = filter.prefix(list_hi_.data() + window.list,
                          list_.data() + window.list, listed, lo, end);
    } else {
      end = CopyIds(list_.data() + window.list, PrefixOf(w1, lo), end);
    }
    visits_ += 2;
    const int32_t* los = lo_.data() + window.first;
    const int32_t* his = hi_.data() + window.first;
    const int32_t* ids = id_.data() + window.first;
    if (starters > kFew) {
      run = RankIn(w1, lo);
      end = filter.at_least(his, ids, run - window.first, lo, end);
      visits_ += run - window.first;
    } else {
      visits_ += starters;
      if (w1 == w2) {
        append.AdvanceTo(
            filter.overlapping(los, his, ids, starters, lo, hi, end));
        return;
      }
      // All of them start by hi; those that start after lo end after it.
      end = filter.at_least(his, ids, starters, lo, end);
      run = after.first;
    }
    append.AdvanceTo(end);
  }
  const int32_t last = RankIn(w2, hi);
  append.AdvanceTo(
      CopyIds(id_.data() + run, last - run, append.Room(last - run)));
}

OverlapRuns WindowLists::Runs(int32_t lo, int32_t hi, IdList* scratch) {
  scratch->clear();
  if (Misses(lo, hi)) return {};
  OverlapRuns runs;
  int32_t run = 0;
  if (lo >= time_[0]) {
    const int32_t w = WindowOf(lo);
    const Window& window = windows_[w];
    runs.alive = absl::MakeConstSpan(list_.data() + window.list,
                                     static_cast<size_t>(PrefixOf(w, lo)));
    run = RankIn(w, lo);
    const int32_t starters = run - window.first;
    {
      Appender append(scratch);
      append.AdvanceTo(Filter().at_least(hi_.data() + window.first,
                                         id_.data() + window.first, starters,
                                         lo, append.Room(starters)));
    }
    runs.recent = *scratch;
    visits_ += 2 + starters;
  }
  const int32_t last = RankIn(WindowOf(hi), hi);
  runs.started =
      absl::MakeConstSpan(id_.data() + run, static_cast<size_t>(last - run));
  return runs;
}

absl::Status WindowLists::OverlapsOf(int32_t index, IdList* out) {
  if (absl::Status status = CheckIndex(index, stored_); !status.ok()) {
    return status;
  }
  Overlaps(stored_[index].lo, stored_[index].hi, out);
  return absl::OkStatus();
}

int64_t WindowLists::Count(int32_t lo, int32_t hi) {
  if (Misses(lo, hi)) return 0;
  int64_t count = RankIn(WindowOf(hi), hi);
  if (lo < time_[0]) return count;
  const int32_t w = WindowOf(lo);
  const int32_t first = windows_[w].first;
  const int32_t rank = RankIn(w, lo);
  count += PrefixOf(w, lo) - rank +
           Filter().count_at_least(hi_.data() + first, rank - first, lo);
  visits_ += 2 + rank - first;
  return count;
}

}  // namespace berth
