// WindowLayout: what WindowFirstFit knows of a problem whatever the order of
// its nodes: windows of time, the unit of narrow addresses, how long each timed
// list can grow, how many questions each node of the tree can get. Planners
// that try several orders work it out once.
//
// Thread-safety: immutable after construction. Cost: O(V + P + num_times).
// Memory: O(windows).
#ifndef BERTH_ALLOCATOR_PLACEMENT_WINDOW_LAYOUT_H_
#define BERTH_ALLOCATOR_PLACEMENT_WINDOW_LAYOUT_H_

#include <bit>
#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "allocator/model/intervals.h"
#include "allocator/placement/problem.h"
#include "allocator/placement/time_windows.h"

namespace berth {

// True if every address is allowed for the node, whatever its remainders.
inline bool AnyAddress(const Problem& problem, int32_t node) {
  return problem.alignment[node] == 1 &&
         (problem.page_bytes == 1 ||
          problem.size_bytes[node] > problem.page_bytes);
}

// A number of bytes that others are counted in; nearly always a power of two,
// so that counting need not divide.
class AddressUnit {
 public:
  // REQUIRES: bytes > 0.
  explicit AddressUnit(uint64_t bytes)
      : bytes_(bytes),
        shift_(std::countr_zero(bytes)),
        odd_(bytes >> shift_),
        power_of_two_(odd_ == 1) {}

  uint64_t bytes() const { return bytes_; }

  // How many whole units `bytes` hold.
  uint64_t Count(uint64_t bytes) const {
    const uint64_t count = bytes >> shift_;
    return power_of_two_ ? count : count / odd_;
  }

 private:
  uint64_t bytes_;
  int shift_;
  uint64_t odd_;
  bool power_of_two_;
};

class WindowLayout {
 public:
  // `problem` must outlive this.
  explicit WindowLayout(const Problem& problem);
  // The same with a given number of events a window, >= 1.
  WindowLayout(const Problem& problem, int64_t events_per_window);

  const Problem& problem() const { return problem_; }
  const TimeWindows& windows() const { return windows_; }

  // The largest unit that all sizes, regions, pins and alignments are multiples
  // of, counted from the floor.
  AddressUnit unit() const { return unit_; }

  // Each node has one live range: that of node i is live.values[i].
  bool one_run_each() const { return one_run_each_; }

  // Every node may have any address.
  bool any_address() const { return any_address_; }

  // By window: for how many live ranges, of nodes and pins, it is partial.
  absl::Span<const uint32_t> list_entries() const { return list_entries_; }

  // By node of the tree: for how many live ranges it is canonical, of all nodes
  // with bytes.
  absl::Span<const int32_t> questions() const { return questions_; }

 private:
  void CountEntries(const TimeWindows::Span& span);

  const Problem& problem_;
  TimeWindows windows_;
  AddressUnit unit_;
  bool one_run_each_;
  bool any_address_;
  std::vector<uint32_t> list_entries_;
  std::vector<int32_t> questions_;
};

}  // namespace berth

#endif  // BERTH_ALLOCATOR_PLACEMENT_WINDOW_LAYOUT_H_
