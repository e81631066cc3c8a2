// WindowIndex: what is placed, by windows of time (time_windows.h), so that one
// question, "the lowest x such that [x, x + w) is free while a node is live",
// looks at few and mostly contiguous bytes.
//
// Where a placed live range goes, with its addresses [lo, hi):
//   - into the timed list of each of its partial windows (at most two);
//   - into `cover` of each of its canonical nodes: taken all the time;
//   - into `touch` of its canonical nodes, its partial windows and of all
//     ancestors of these: taken some of the time.
// What a question asks, with a live range of its own:
//   - the timed list of each of its partial windows, with a filter on times;
//   - `cover` of the nodes that it touches without covering them;
//   - `touch` of its canonical nodes.
// Why that is everything: let P be placed, Q ask, and both be live at time t in
// window W. If W is partial to both, Q finds P in W's list. Else let N be the
// topmost of the canonical nodes above W of P and Q (at least one has one). If
// N is Q's, P was put in or below N, so in touch(N). If N is only P's, then Q
// touches N without covering it (else Q's canonical node would be N or above),
// so Q asks cover(N).
//
// The answer is where one cursor comes to rest that all sets in turn push up.
//
// `touch` is kept only while somebody will ask for it: questions to come are
// counted beforehand by node and struck off as they are placed.
//
// Addresses are uint32_t or uint64_t in any unit; the caller converts.
//
// Thread-safety: none. Memory: 12 bytes (uint32_t) or 20 (uint64_t) for each
// partial window of a live range, the coalesced ranges, about 100 bytes a node
// of the tree over windows.
#ifndef BERTH_ALLOCATOR_PLACEMENT_WINDOW_INDEX_H_
#define BERTH_ALLOCATOR_PLACEMENT_WINDOW_INDEX_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "absl/types/span.h"
#include "allocator/model/intervals.h"
#include "allocator/placement/range_set.h"
#include "allocator/placement/time_windows.h"
#include "allocator/placement/timed_list.h"
#include "allocator/placement/window_layout.h"

namespace berth {

// What becomes of the question of what is inserted: it is struck, or it has
// none (a pin), or it was struck before.
enum class WindowIndexQuestion { kStrike, kNone };

template <typename Address>
class WindowIndex {
 public:
  // Empty, with room for the nodes and pins of the layout's problem. `layout`
  // must outlive this.
  explicit WindowIndex(const WindowLayout& layout);

  // One question to come of every node.
  void ExpectAll();
  // One question to come, for a node of these live ranges.
  void ExpectQuestion(absl::Span<const Interval> live);
  // One question less, of a node that will not be placed.
  void StrikeQuestion(absl::Span<const Interval> live);

  // Bytes of a node, from its address, in the caller's unit.
  struct Part {
    Address lo;
    Address hi;
  };

  // The bytes of part_of(run) from `at` on are taken during each run of `live`.
  // REQUIRES: no part is empty; not more insertions than the problem has nodes
  // and pins.
  template <typename PartOf>
  void Insert(absl::Span<const Interval> live, Address at, PartOf part_of,
              WindowIndexQuestion question);

  // The lowest x in [from, highest] that align(x) returns unchanged and for
  // which the part of each run of `live`, moved to x, is free during that run.
  // align(x) is the least address >= x that the node may have, nullopt if there
  // is none. REQUIRES: an expected question. highest + any part does not wrap.
  template <typename PartOf, typename Align>
  std::optional<Address> Find(absl::Span<const Interval> live, Address from,
                              Address highest, PartOf part_of, Align align);

  // Starts to load what a question with this interval will look at; the nodes
  // first, some questions later the entries.
  void PrefetchNodes(const Interval& interval) const;
  void PrefetchEntries(const Interval& interval) const;

  uint64_t visits() const { return visits_; }

 private:
  struct Node {
    RangeSet<Address> cover;
    RangeSet<Address> touch;
    int32_t questions = 0;  // to come, that will ask for `touch`
  };
  // One set that pushes the cursor of a question.
  struct Gate {
    RangeSet<Address>* ranges = nullptr;       // or else
    const TimedList<Address>* list = nullptr;  // with
    uint32_t asked = 0;                        // packed part of the window
    uint32_t position = 0;                     // in the list
    Part part = {};                            // what has to be free
  };
  static constexpr uint32_t kNotBegun = ~uint32_t{0};

  void AllocateLists();
  void InsertTouch(int32_t node, Address lo, Address hi) {
    if (nodes_[node].questions > 0) nodes_[node].touch.Insert(lo, hi);
  }
  void OpenGates(const Interval& interval, Part part);
  void AddGate(const Gate& gate) {
    if (num_gates_ == gates_.size()) gates_.resize(2 * num_gates_ + 16);
    gates_[num_gates_++] = gate;
  }

  // The part of a partial window that the interval occupies.
  int32_t FirstIn(int32_t window, const Interval& interval) const {
    return std::max(interval.lo, windows_.First(window)) -
           windows_.First(window);
  }
  int32_t LastIn(int32_t window, const Interval& interval) const {
    return std::min(interval.hi, windows_.Last(window)) -
           windows_.First(window);
  }

  const WindowLayout& layout_;
  const TimeWindows& windows_;
  std::vector<Node> nodes_;
  std::vector<TimedList<Address>> lists_;  // per window
  std::unique_ptr<char[]> list_room_;
  std::vector<Gate> gates_;  // the first num_gates_: of the question at hand
  size_t num_gates_ = 0;
  uint64_t visits_ = 0;
};

template <typename Address>
WindowIndex<Address>::WindowIndex(const WindowLayout& layout)
    : layout_(layout),
      windows_(layout.windows()),
      nodes_(windows_.num_nodes()),
      lists_(windows_.num_windows()) {
  AllocateLists();
}

template <typename Address>
void WindowIndex<Address>::AllocateLists() {
  using List = TimedList<Address>;
  size_t bytes = 0;
  const absl::Span<const uint32_t> entries = layout_.list_entries();
  for (uint32_t count : entries) bytes += List::Bytes(List::Slots(count));
  // From a cache line on: a block of entries is a whole number of them.
  constexpr size_t kLineBytes = 64;
  size_t held = bytes + kLineBytes;
  list_room_.reset(new char[held]);
  void* begin = list_room_.get();
  char* room = static_cast<char*>(std::align(kLineBytes, bytes, begin, held));
  for (int32_t window = 0; window < windows_.num_windows(); ++window) {
    const size_t slots = List::Slots(entries[window]);
    lists_[window].Init(room, slots);
    room += List::Bytes(slots);
  }
}

template <typename Address>
void WindowIndex<Address>::ExpectAll() {
  for (int32_t node = 0; node < windows_.num_nodes(); ++node) {
    nodes_[node].questions += layout_.questions()[node];
  }
}

template <typename Address>
void WindowIndex<Address>::ExpectQuestion(absl::Span<const Interval> live) {
  for (const Interval& interval : live) {
    windows_.ForEachCanonical(windows_.SpanOf(interval), [this](int32_t node) {
      ++nodes_[node].questions;
    });
  }
}

template <typename Address>
void WindowIndex<Address>::StrikeQuestion(absl::Span<const Interval> live) {
  for (const Interval& interval : live) {
    windows_.ForEachCanonical(windows_.SpanOf(interval), [this](int32_t node) {
      --nodes_[node].questions;
    });
  }
}

template <typename Address>
template <typename PartOf>
void WindowIndex<Address>::Insert(absl::Span<const Interval> live, Address at,
                                  PartOf part_of,
                                  WindowIndexQuestion question) {
  const int32_t struck = question == WindowIndexQuestion::kStrike ? 1 : 0;
  size_t run = 0;
  for (const Interval& interval : live) {
    const Part part = part_of(run++);
    const Address lo = at + part.lo;
    const Address hi = at + part.hi;
    const TimeWindows::Span span = windows_.SpanOf(interval);
    windows_.ForEachCanonical(span, [&](int32_t node) {
      nodes_[node].questions -= struck;
      nodes_[node].cover.Insert(lo, hi);
      InsertTouch(node, lo, hi);
    });
    windows_.ForEachTouched(span, [&](int32_t node) {
      InsertTouch(node, lo, hi);
      if (node >= windows_.num_windows()) return;
      lists_[node].Insert(
          lo, hi,
          PackEntryTimes(FirstIn(node, interval), LastIn(node, interval)));
    });
  }
}

template <typename Address>
void WindowIndex<Address>::OpenGates(const Interval& interval, Part part) {
  const TimeWindows::Span span = windows_.SpanOf(interval);
  windows_.ForEachTouched(span, [&](int32_t node) {
    if (!nodes_[node].cover.empty()) {
      AddGate({&nodes_[node].cover, nullptr, 0, 0, part});
    }
    if (node < windows_.num_windows() && lists_[node].size() > 0) {
      AddGate({nullptr, &lists_[node],
               PackAskedTimes(FirstIn(node, interval), LastIn(node, interval)),
               kNotBegun, part});
    }
  });
  windows_.ForEachCanonical(span, [&](int32_t node) {
    if (!nodes_[node].touch.empty()) {
      AddGate({&nodes_[node].touch, nullptr, 0, 0, part});
    }
  });
}

template <typename Address>
template <typename PartOf, typename Align>
std::optional<Address> WindowIndex<Address>::Find(
    absl::Span<const Interval> live, Address from, Address highest,
    PartOf part_of, Align align) {
  num_gates_ = 0;
  size_t run = 0;
  for (const Interval& interval : live) OpenGates(interval, part_of(run++));
  std::optional<Address> x = align(from);
  if (!x.has_value() || *x > highest) return std::nullopt;
  // Round and round, from the gates that push furthest, until all agree.
  size_t gate_index = num_gates_;
  size_t agreeing = 0;
  while (agreeing < num_gates_) {
    if (gate_index == 0) gate_index = num_gates_;
    Gate& gate = gates_[--gate_index];
    const Address size = gate.part.hi - gate.part.lo;
    const Address lowest = *x + gate.part.lo;
    Address next;
    if (gate.ranges != nullptr) {
      next = gate.ranges->NextGap(lowest, size, visits_);
    } else {
      if (gate.position == kNotBegun) gate.position = gate.list->Begin(lowest);
      next = gate.list->NextGap({lowest, size, gate.asked}, gate.position,
                                visits_);
    }
    next -= gate.part.lo;
    if (next == *x) {
      ++agreeing;
      continue;
    }
    x = align(next);
    if (!x.has_value() || *x > highest) return std::nullopt;
    agreeing = *x == next ? 1 : 0;
  }
  return x;
}

template <typename Address>
void WindowIndex<Address>::PrefetchNodes(const Interval& interval) const {
  for (const int32_t time : {interval.lo, interval.hi}) {
    const int32_t window = windows_.WindowOf(time);
    __builtin_prefetch(&lists_[window]);
    __builtin_prefetch(&nodes_[window]);
  }
}

template <typename Address>
void WindowIndex<Address>::PrefetchEntries(const Interval& interval) const {
  const int32_t first = windows_.WindowOf(interval.lo);
  const int32_t last = windows_.WindowOf(interval.hi);
  lists_[first].Prefetch();
  if (last != first) lists_[last].Prefetch();
}

}  // namespace berth

#endif  // BERTH_ALLOCATOR_PLACEMENT_WINDOW_INDEX_H_
