#include "allocator/interference/window_lists.h"

#include <algorithm>
#include <limits>

#include "allocator/base/check.h"
#include "allocator/interference/append.h"
#include "allocator/interference/filter.h"

namespace berth {
namespace {

// Starters a window may have beyond the living: two vectors cost nothing.
constexpr int64_t kScan = 16;

}  // namespace

WindowLists::WindowLists(absl::Span<const OwnedInterval> intervals)
    : stored_(intervals) {
  CheckIntervals(intervals);
  if (intervals.empty()) return;
  const std::vector<TimeAt> order = OrderByLo(intervals);
  const size_t n = order.size();
  lo_.resize(n);
  hi_.resize(n);
  id_.resize(n + kFilterSlack);
  std::vector<TimeAt> ends(n);
  for (size_t p = 0; p < n; ++p) {
    const OwnedInterval& interval = intervals[order[p].position];
    lo_[p] = interval.lo;
    hi_[p] = interval.hi;
    id_[p] = interval.id;
    ends[p] = {interval.hi, static_cast<int32_t>(p)};
  }
  SortByTime(&ends);
  end_.resize(n);
  for (size_t i = 0; i < n; ++i) end_[i] = ends[i].time;
  first_time_ = lo_.front();
  last_time_ = end_.back();
  CutWindows();
  FillLists(ends);
  FillBuckets();
}

// Walks the times at which anything starts or has just ended and closes a
// window as W3 asks.
void WindowLists::CutWindows() {
  const int32_t n = size();
  windows_.push_back({first_time_, 0, 0});
  int64_t entries = 0;
  int32_t rank = 0;
  int32_t dead = 0;
  while (rank < n || dead < n) {
    // The next time t at which rank(t) or dead(t) changes.
    const int64_t start =
        rank < n ? int64_t{lo_[rank]} : std::numeric_limits<int64_t>::max();
    const int64_t t = std::min(start, int64_t{end_[dead]} + 1);
    if (t > last_time_) break;
    while (rank < n && lo_[rank] <= t) ++rank;
    while (end_[dead] < t) ++dead;
    const int64_t alive = rank - dead;
    if (rank - windows_.back().first <= alive + kScan) continue;
    windows_.push_back(
        {static_cast<int32_t>(t), rank, static_cast<int32_t>(entries)});
    entries += alive;
  }
  // By W3 entries <= n, so int32 holds them.
  BERTH_CHECK(entries <= n);
  list_.resize(static_cast<size_t>(entries + kFilterSlack));
  windows_.push_back({last_time_, n, static_cast<int32_t>(entries)});
}

// Takes positions by hi descending, so that every list is filled in its order.
void WindowLists::FillLists(absl::Span<const TimeAt> ends) {
  const int32_t n = size();
  const int32_t count = static_cast<int32_t>(windows_.size()) - 1;
  // The first window whose list may hold a position.
  std::vector<int32_t> first_window(static_cast<size_t>(n));
  int32_t w = 0;
  for (int32_t p = 0; p < n; ++p) {
    while (w < count && windows_[w].first <= p) ++w;
    first_window[p] = w;
  }
  std::vector<int32_t> next(static_cast<size_t>(count));
  for (int32_t i = 0; i < count; ++i) next[i] = windows_[i].list;
  int32_t last = count - 1;
  for (int32_t i = n - 1; i >= 0; --i) {
    while (windows_[last].time > ends[i].time) --last;
    const int32_t p = ends[i].position;
    for (int32_t v = first_window[p]; v <= last; ++v) {
      list_[next[v]++] = id_[p];
    }
  }
}

void WindowLists::FillBuckets() {
  const int32_t n = size();
  const int32_t count = static_cast<int32_t>(windows_.size()) - 1;
  shift_ = ShiftFor(first_time_, last_time_, n / 4 + 1);
  buckets_.resize(BucketOf(last_time_) + 2);
  Bucket at = {0, 0, 0};
  for (size_t b = 0; b < buckets_.size(); ++b) {
    const int64_t time = first_time_ + (static_cast<int64_t>(b) << shift_);
    while (at.rank < n && lo_[at.rank] < time) ++at.rank;
    while (at.dead < n && end_[at.dead] < time) ++at.dead;
    while (at.window + 1 < count && windows_[at.window + 1].time <= time) {
      ++at.window;
    }
    buckets_[b] = at;
  }
}

uint64_t WindowLists::bytes() const {
  return (lo_.capacity() + hi_.capacity() + id_.capacity() + end_.capacity() +
          list_.capacity()) *
             sizeof(int32_t) +
         windows_.capacity() * sizeof(Window) +
         buckets_.capacity() * sizeof(Bucket);
}

// #(lo <= t). REQUIRES: first_time_ <= t <= last_time_, as below.
int32_t WindowLists::RankAt(int32_t t) const {
  const Bucket* bucket = &buckets_[BucketOf(t)];
  if (shift_ == 0) return bucket[1].rank;
  return RankTable::Within(lo_.data(), bucket[0].rank, bucket[1].rank, t);
}

// #(hi < t).
int32_t WindowLists::DeadAt(int32_t t) const {
  const Bucket* bucket = &buckets_[BucketOf(t)];
  if (shift_ == 0 || t == first_time_) return bucket[0].dead;
  return RankTable::Within(end_.data(), bucket[0].dead, bucket[1].dead, t - 1);
}

WindowLists::Moment WindowLists::At(int32_t t) const {
  const Bucket* bucket = &buckets_[BucketOf(t)];
  // The last window with time <= t.
  int32_t begin = bucket[0].window;
  int32_t count = bucket[1].window - begin + 1;
  while (count > 1) {
    const int32_t half = count / 2;
    begin += windows_[begin + half].time <= t ? half : 0;
    count -= half;
  }
  return {RankAt(t), DeadAt(t), &windows_[begin]};
}

OverlapRuns WindowLists::Runs(int32_t lo, int32_t hi, IdList* scratch) {
  scratch->clear();
  if (hi_.empty() || lo > hi || hi < first_time_ || lo > last_time_) return {};
  OverlapRuns runs;
  int32_t rank = 0;
  if (lo >= first_time_) {
    const Moment at = At(lo);
    rank = at.rank;
    const int32_t first = at.window->first;
    {
      Appender append(scratch);
      append.AdvanceTo(Filter().at_least(hi_.data() + first, id_.data() + first,
                                         rank - first, lo,
                                         append.Room(rank - first)));
    }
    runs.recent = *scratch;
    runs.alive = absl::MakeConstSpan(
        &list_[at.window->list],
        static_cast<size_t>(at.rank - at.dead) - scratch->size());
    visits_ += 2 + rank - first;
  }
  const int32_t end = hi >= last_time_ ? size() : RankAt(hi);
  runs.started =
      absl::MakeConstSpan(&id_[rank], static_cast<size_t>(end - rank));
  return runs;
}

void WindowLists::Overlaps(int32_t lo, int32_t hi, IdList* out) {
  if (hi_.empty() || lo > hi || hi < first_time_ || lo > last_time_) return;
  Appender append(out);
  int32_t rank = 0;
  if (lo >= first_time_) {
    const Moment at = At(lo);
    rank = at.rank;
    const int32_t first = at.window->first;
    const int32_t alive = rank - at.dead;
    int32_t* begin = append.Room(int64_t{alive} + rank - first);
    int32_t* end = Filter().at_least(hi_.data() + first, id_.data() + first,
                                     rank - first, lo, begin);
    end = CopyIds(&list_[at.window->list], alive - (end - begin), end);
    append.AdvanceTo(end);
    visits_ += 2 + rank - first;
  }
  const int32_t last = hi >= last_time_ ? size() : RankAt(hi);
  append.AdvanceTo(
      CopyIds(id_.data() + rank, last - rank, append.Room(last - rank)));
}

absl::Status WindowLists::OverlapsOf(int32_t index, IdList* out) {
  if (absl::Status status = CheckIndex(index, stored_); !status.ok()) {
    return status;
  }
  Overlaps(stored_[index].lo, stored_[index].hi, out);
  return absl::OkStatus();
}

// #(lo <= q.hi) - #(hi < q.lo).
int64_t WindowLists::Count(int32_t lo, int32_t hi) {
  if (hi_.empty() || lo > hi || hi < first_time_ || lo > last_time_) return 0;
  const int32_t started = hi >= last_time_ ? size() : RankAt(hi);
  return int64_t{started} - (lo <= first_time_ ? 0 : DeadAt(lo));
}

}  // namespace berth
