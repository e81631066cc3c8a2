// The fast path of spec §8's elimination order.
//
// Observations, in the order in which the code uses them:
//  1. Nodes with equal runs form a class. With P(class) = total w of active
//  nodes
//     that interfere with the class, its members included, pressure(i) is
//     P - w(i), so low(i) is P <= K: a class becomes low as a whole, once, as P
//     only falls. Within a low class the least (pressure, w, id) is the
//     greatest w, then the least id: a fixed order.
//  2. Classes of one run, sorted by lo: those that meet [lo, hi] are the
//     contiguous ones that begin in [lo, hi], and those that begin before lo
//     and end at lo or later. The first are one lazy range update of a tree,
//     the second a stab (pressure_tree.h). No interference graph is ever held.
//  3. A node of several runs meets such a class first in run k iff the class
//     begins after run k-1 ends, begins by the end of run k, and reaches run k:
//     each class is counted once without any marks.
//  4. Classes of several runs are few or short in practice; the ones that a
//  node
//     meets are enumerated over an index of their runs and marked.
#include <algorithm>
#include <cstdint>
#include <limits>
#include <numeric>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "allocator/base/check.h"
#include "allocator/base/int_math.h"
#include "allocator/model/intervals.h"
#include "allocator/placement/order.h"
#include "allocator/placement/pressure_tree.h"
#include "allocator/placement/problem.h"
#include "allocator/placement/run_index.h"

namespace berth {
namespace {

// Nodes of equal runs; single-run classes first, by (lo, hi).
struct Classes {
  std::vector<int32_t> class_of;        // node -> class
  std::vector<int32_t> representative;  // class -> one of its nodes
  std::vector<int32_t> member_offset;   // class -> where its members begin
  std::vector<int32_t> members;         // by (w descending, id)
  int32_t num_single = 0;

  int32_t size() const { return static_cast<int32_t>(representative.size()); }
};

bool SameRuns(absl::Span<const Interval> a, absl::Span<const Interval> b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end());
}

bool RunsLess(absl::Span<const Interval> a, absl::Span<const Interval> b) {
  return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end(),
                                      [](const Interval& x, const Interval& y) {
                                        return std::tie(x.lo, x.hi) <
                                               std::tie(y.lo, y.hi);
                                      });
}

Classes GroupByRuns(const Problem& problem) {
  const int32_t n = problem.num_nodes();
  // The first run beside the id: most comparisons end there.
  struct Item {
    Interval first;
    bool several;
    int32_t id;
  };
  std::vector<Item> items(n);
  for (int32_t i = 0; i < n; ++i) {
    const auto runs = problem.live.of(i);
    items[i] = {runs[0], runs.size() > 1, i};
  }
  std::sort(items.begin(), items.end(), [&](const Item& a, const Item& b) {
    if (a.several != b.several) return b.several;
    if (a.first.lo != b.first.lo) return a.first.lo < b.first.lo;
    if (a.first.hi != b.first.hi) return a.first.hi < b.first.hi;
    if (a.several) {
      const auto x = problem.live.of(a.id);
      const auto y = problem.live.of(b.id);
      if (!SameRuns(x, y)) return RunsLess(x, y);
    }
    if (problem.size_bytes[a.id] != problem.size_bytes[b.id]) {
      return problem.size_bytes[a.id] > problem.size_bytes[b.id];
    }
    return a.id < b.id;
  });
  Classes classes;
  classes.class_of.resize(n);
  classes.members.reserve(n);
  for (const Item& item : items) {
    const int32_t last =
        classes.representative.empty() ? -1 : classes.representative.back();
    if (last < 0 ||
        !SameRuns(problem.live.of(last), problem.live.of(item.id))) {
      classes.representative.push_back(item.id);
      classes.member_offset.push_back(
          static_cast<int32_t>(classes.members.size()));
      if (!item.several) ++classes.num_single;
    }
    classes.class_of[item.id] = classes.size() - 1;
    classes.members.push_back(item.id);
  }
  classes.member_offset.push_back(n);
  return classes;
}

// The worklist itself; T holds any sum of sizes.
template <typename T>
class Worklist {
 public:
  Worklist(const Problem& problem, const Classes& classes, T k)
      : problem_(problem),
        classes_(classes),
        single_lo_(classes.num_single),
        runs_of_several_(SeveralRuns(problem, classes)),
        singles_(SingleEnds(problem, classes), SingleTotals(problem, classes),
                 k),
        severals_(std::vector<int32_t>(classes.size() - classes.num_single, -1),
                  std::vector<T>(classes.size() - classes.num_single, 0), k),
        head_(classes.member_offset.begin(), classes.member_offset.end() - 1),
        removed_(problem.num_nodes(), false),
        marked_(classes.size() - classes.num_single, -1) {
    for (int32_t c = 0; c < classes.num_single; ++c) {
      single_lo_[c] = Runs(c)[0].lo;
    }
    for (int32_t c = 0; c < classes.size(); ++c) PublishHead(c);
    // Trees must know their leaves before totals move.
    singles_.Build();
    severals_.Build();
  }

  EliminationOrder Run();

 private:
  absl::Span<const Interval> Runs(int32_t c) const {
    return problem_.live.of(classes_.representative[c]);
  }
  bool single(int32_t c) const { return c < classes_.num_single; }

  static T TotalSize(const Problem& problem, const Classes& classes,
                     int32_t c) {
    T total = 0;
    for (int32_t m = classes.member_offset[c]; m < classes.member_offset[c + 1];
         ++m) {
      total += static_cast<T>(problem.size_bytes[classes.members[m]]);
    }
    return total;
  }
  static std::vector<int32_t> SingleEnds(const Problem& problem,
                                         const Classes& classes);
  static std::vector<T> SingleTotals(const Problem& problem,
                                     const Classes& classes);
  static RunIndex SeveralRuns(const Problem& problem, const Classes& classes);

  void PublishHead(int32_t c);
  void Remove(int32_t node);
  void AddToSingles(int32_t c, T delta);
  void AddToSeverals(int32_t c, T delta);

  const Problem& problem_;
  const Classes& classes_;
  std::vector<int32_t> single_lo_;  // per single class, ascending
  RunIndex runs_of_several_;        // owners are classes less num_single
  PressureTree<T> singles_;
  PressureTree<T> severals_;
  std::vector<int32_t> head_;  // class -> position of its first active member
  std::vector<bool> removed_;
  std::vector<int32_t> marked_;
  int32_t mark_ = 0;
  uint64_t visits_ = 0;
};

template <typename T>
std::vector<int32_t> Worklist<T>::SingleEnds(const Problem& problem,
                                             const Classes& classes) {
  std::vector<int32_t> ends(classes.num_single);
  for (int32_t c = 0; c < classes.num_single; ++c) {
    ends[c] = problem.live.of(classes.representative[c])[0].hi;
  }
  return ends;
}

// P of every single class: what begins by its end less what ended before it.
// What classes of several runs add or bear comes from AddTo*, exactly.
template <typename T>
std::vector<T> Worklist<T>::SingleTotals(const Problem& problem,
                                         const Classes& classes) {
  std::vector<T> begun(static_cast<size_t>(problem.num_times) + 1, 0);
  std::vector<T> ended(static_cast<size_t>(problem.num_times) + 1, 0);
  for (int32_t c = 0; c < classes.num_single; ++c) {
    const Interval run = problem.live.of(classes.representative[c])[0];
    const T size = TotalSize(problem, classes, c);
    begun[run.lo] += size;
    ended[run.hi + 1] += size;  // ended before time hi + 1
  }
  std::partial_sum(begun.begin(), begun.end(), begun.begin());
  std::partial_sum(ended.begin(), ended.end(), ended.begin());
  std::vector<T> totals(classes.num_single);
  for (int32_t c = 0; c < classes.num_single; ++c) {
    const Interval run = problem.live.of(classes.representative[c])[0];
    totals[c] = begun[run.hi] - ended[run.lo];
  }
  return totals;
}

template <typename T>
RunIndex Worklist<T>::SeveralRuns(const Problem& problem,
                                  const Classes& classes) {
  std::vector<OwnedInterval> runs;
  for (int32_t c = classes.num_single; c < classes.size(); ++c) {
    for (const Interval& run : problem.live.of(classes.representative[c])) {
      runs.push_back({run.lo, run.hi, c - classes.num_single});
    }
  }
  return RunIndex(std::move(runs));
}

// Moves the head of class `c` past removed members and tells its tree.
template <typename T>
void Worklist<T>::PublishHead(int32_t c) {
  int32_t& head = head_[c];
  const int32_t end = classes_.member_offset[c + 1];
  while (head < end && removed_[classes_.members[head]]) ++head;
  if (head == end) return;
  const int32_t id = classes_.members[head];
  const uint64_t size = problem_.size_bytes[id];
  if (single(c)) {
    singles_.SetHead(c, size, id);
  } else {
    severals_.SetHead(c - classes_.num_single, size, id);
  }
}

// Adds `delta` to the total of every single class that class `c` meets.
template <typename T>
void Worklist<T>::AddToSingles(int32_t c, T delta) {
  const auto begin = single_lo_.begin();
  int32_t after_previous = 0;  // first one that begins after the previous run
  for (const Interval& run : Runs(c)) {
    const int32_t first = static_cast<int32_t>(
        std::lower_bound(begin + after_previous, single_lo_.end(), run.lo) -
        begin);
    const int32_t last = static_cast<int32_t>(
        std::upper_bound(begin + first, single_lo_.end(), run.hi) - begin);
    singles_.AddRange(first, last, delta);
    singles_.AddStab(after_previous, first, run.lo, delta);
    after_previous = last;
  }
}

// The same for classes of several runs.
template <typename T>
void Worklist<T>::AddToSeverals(int32_t c, T delta) {
  if (marked_.empty()) return;
  ++mark_;
  for (const Interval& run : Runs(c)) {
    runs_of_several_.ForEachOverlap(run, [&](int32_t owner) {
      ++visits_;
      if (marked_[owner] == mark_) return;
      marked_[owner] = mark_;
      severals_.AddPoint(owner, delta);
    });
  }
  severals_.Flush();
}

template <typename T>
void Worklist<T>::Remove(int32_t node) {
  removed_[node] = true;
  const int32_t c = classes_.class_of[node];
  PublishHead(c);
  auto& tree = single(c) ? singles_ : severals_;
  const int32_t leaf = single(c) ? c : c - classes_.num_single;
  if (head_[c] == classes_.member_offset[c + 1]) {
    tree.Remove(leaf);
    if (!single(c)) runs_of_several_.RemoveOwner(leaf);
  } else {
    tree.Refresh(leaf);
  }
  const uint64_t size = problem_.size_bytes[node];
  if (size == 0) return;
  AddToSingles(c, -static_cast<T>(size));
  AddToSeverals(c, -static_cast<T>(size));
  singles_.SettleLow();
  severals_.SettleLow();
}

template <typename T>
EliminationOrder Worklist<T>::Run() {
  // Totals that involve classes of several runs.
  for (int32_t c = 0; c < classes_.size(); ++c) {
    const T size = TotalSize(problem_, classes_, c);
    if (!single(c)) AddToSingles(c, size);
    AddToSeverals(c, size);
  }
  singles_.SettleLow();
  severals_.SettleLow();

  const int32_t n = problem_.num_nodes();
  std::vector<std::pair<uint128, int32_t>> by_ratio(n);
  for (int32_t i = 0; i < n; ++i) by_ratio[i] = {HiRatio(problem_, i), i};
  std::sort(by_ratio.begin(), by_ratio.end());

  EliminationOrder order;
  order.pushed.reserve(n);
  size_t next = 0;
  while (static_cast<int32_t>(order.pushed.size()) < n) {
    int32_t chosen = -1;
    const auto a = singles_.best();
    const auto b = severals_.best();
    const auto head = [&](int32_t c) { return classes_.members[head_[c]]; };
    if (a.leaf >= 0) chosen = head(a.leaf);
    if (b.leaf >= 0) {
      const int32_t other = head(b.leaf + classes_.num_single);
      const auto key = [&](T pressure, int32_t id) {
        return std::make_tuple(pressure, problem_.size_bytes[id], id);
      };
      if (a.leaf < 0 || key(b.pressure, other) < key(a.pressure, chosen)) {
        chosen = other;
      }
    }
    if (chosen < 0) {
      while (removed_[by_ratio[next].second]) ++next;
      chosen = by_ratio[next].second;
    }
    order.pushed.push_back(chosen);
    Remove(chosen);
  }
  order.visits = visits_ + singles_.visits() + severals_.visits();
  return order;
}

}  // namespace

uint128 LowThreshold(const Problem& problem) {
  const uint64_t room =
      problem.ceiling > problem.floor ? problem.ceiling - problem.floor : 0;
  return std::min<uint128>(MaxLoad(problem), room);
}

EliminationOrder BriggsOrder(const Problem& problem) {
  const Classes classes = GroupByRuns(problem);
  const uint128 k = LowThreshold(problem);  // at most 2^64 - 1
  uint128 sum = k;
  for (const uint64_t size : problem.size_bytes) sum += size;
  if (sum < uint128{1} << 61) {
    return Worklist<int64_t>(problem, classes, static_cast<int64_t>(k)).Run();
  }
  return Worklist<int128>(problem, classes, static_cast<int128>(k)).Run();
}

}  // namespace berth
