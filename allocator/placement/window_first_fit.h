// WindowFirstFit: first fit (spec §7, concept in first_fit.h) without
// collecting neighbours. Answers equal PlainFirstFit's on every input;
// near-linear in nodes.
//
// What is placed lies in a WindowIndex (window_index.h). Addresses there are
// offsets from the floor, counted in the largest unit that all sizes, regions
// and pins are multiples of, and fit 32 bits as a rule. When one does not, or a
// question is not in that unit, everything placed moves over to absolute 64-bit
// addresses once, and stays there.
//
// Thread-safety: none. Memory: about 20 bytes a node above the problem where
// nodes have one run and addresses 32 bits (bench/first_fit reports it).
#ifndef BERTH_ALLOCATOR_PLACEMENT_WINDOW_FIRST_FIT_H_
#define BERTH_ALLOCATOR_PLACEMENT_WINDOW_FIRST_FIT_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "absl/types/span.h"
#include "allocator/model/intervals.h"
#include "allocator/placement/first_fit.h"
#include "allocator/placement/problem.h"
#include "allocator/placement/window_index.h"
#include "allocator/placement/window_layout.h"

namespace berth {

class WindowFirstFit {
 public:
  // `problem` and `order` must outlive this; `order` names no node twice. Cost:
  // O(V + P + num_times).
  WindowFirstFit(const Problem& problem, absl::Span<const int32_t> order);
  // The same with a given number of events a window, for tests: any number >= 1
  // gives the same answers.
  WindowFirstFit(const Problem& problem, absl::Span<const int32_t> order,
                 int64_t events_per_window);
  // For several orders of one problem: what does not depend on the order is
  // worked out once. `layout` must outlive this.
  WindowFirstFit(const WindowLayout& layout, absl::Span<const int32_t> order);

  // See first_fit.h.
  std::optional<uint64_t> Find(int32_t node, uint64_t start, uint64_t ceiling);
  void Place(int32_t node, uint64_t address);
  uint64_t visits() const;

  // Whether addresses are 64 bits wide by now, for tests.
  bool wide() const { return wide_ != nullptr; }

 private:
  using Question = WindowIndexQuestion;

  WindowFirstFit(std::unique_ptr<WindowLayout> layout,
                 absl::Span<const int32_t> order);

  absl::Span<const Interval> LiveOf(int32_t node) const {
    if (!layout_.one_run_each()) return problem_.live.of(node);
    return {&problem_.live.values[node], 1};
  }
  bool MayHaveAnyAddress(int32_t node) const {
    return layout_.any_address() || AnyAddress(problem_, node);
  }
  // `address` as a narrow offset; nullopt if it has none. (Here, for the
  // compiler to see through the optional.)
  std::optional<uint32_t> Narrow(uint64_t address) const {
    if (address < base_) return std::nullopt;
    const uint64_t narrow = unit_.Count(address - base_);
    if (narrow > narrow_limit_) return std::nullopt;
    if (narrow * unit_.bytes() != address - base_) return std::nullopt;
    return static_cast<uint32_t>(narrow);
  }
  bool InsertPinsNarrow();
  void Widen();
  void InsertWide(int32_t node, uint64_t address, Question question);
  template <typename Index>
  void ExpectQuestions(Index& index) const;
  template <typename Index>
  void PassTo(int32_t node, Index& index);
  template <typename Index>
  void PrefetchAhead(const Index& index) const;
  std::optional<uint64_t> FindNarrow(int32_t node, uint32_t start,
                                     uint64_t highest);

  const Problem& problem_;
  std::unique_ptr<WindowLayout> own_layout_;  // or the caller's
  const WindowLayout& layout_;
  absl::Span<const int32_t> order_;
  size_t next_ = 0;            // nodes of order_ before it are placed or passed
  uint64_t base_ = 0;          // narrow address 0
  AddressUnit unit_;           // of narrow addresses
  uint32_t narrow_limit_ = 0;  // highest narrow end
  std::unique_ptr<WindowIndex<uint32_t>> narrow_;
  std::unique_ptr<WindowIndex<uint64_t>> wide_;
  // Narrow offsets by place in order_, while narrow.
  std::vector<uint32_t> placed_at_;
  uint64_t visits_before_ = 0;  // of the narrow index, once wide
};

}  // namespace berth

#endif  // BERTH_ALLOCATOR_PLACEMENT_WINDOW_FIRST_FIT_H_
