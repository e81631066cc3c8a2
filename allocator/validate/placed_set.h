// What the checks of one run look at, whether it came from a function, from the
// shared space or from a CSV: nodes with their bytes, and when they are live.
#ifndef BERTH_ALLOCATOR_VALIDATE_PLACED_SET_H_
#define BERTH_ALLOCATOR_VALIDATE_PLACED_SET_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "allocator/model/instance.h"

namespace berth::validation {

struct Node {
  absl::string_view name;  // not owned
  int32_t home = -1;       // index in PlacedSet::homes; -1: nothing to add
  bool pinned = false;     // avoided, never moved: I1 and I5 only
  bool cc = false;         // accessed by a COLLECTIVE
  bool placed = false;     // has an address
  bool absurd = false;     // its size or its end passes 2^64 - 1
  uint64_t address = 0;
  uint64_t size_bytes = 0;  // w; of a pinned node its byte size
  uint64_t alignment = 1;

  // Takes bytes [address, end()) that can be compared with others'.
  bool holds_bytes() const { return placed && !absurd && size_bytes > 0; }
  uint64_t end() const { return address + size_bytes; }
};

// Closed [lo, hi]: flat indices, phases, or a CSV's own times.
struct LiveRange {
  int64_t lo = 0;
  int64_t hi = 0;
  int32_t node = 0;
};

struct PlacedSet {
  std::vector<Node> nodes;
  // By node; those of one node sorted and disjoint. Those of node i begin at
  // range_offsets[i].
  std::vector<LiveRange> ranges;
  std::vector<int32_t> range_offsets = {0};
  // By range the bytes taken then, from the node's address; empty where all
  // nodes take all of theirs always.
  std::vector<ByteWindow> windows;
  // Where nodes live, for messages: " (core 1 main)".
  std::vector<std::string> homes;
  // Messages write times as [lo, hi + 1), as a CSV does.
  bool half_open_times = false;

  absl::Span<const LiveRange> ranges_of(int32_t node) const {
    return absl::MakeConstSpan(ranges).subspan(
        range_offsets[node], range_offsets[node + 1] - range_offsets[node]);
  }
  // The bytes of a range, by position. REQUIRES: its node holds bytes.
  uint64_t RangeBegin(int32_t range) const {
    const Node& node = nodes[ranges[range].node];
    return node.address + (windows.empty() ? 0 : windows[range].lower);
  }
  uint64_t RangeEnd(int32_t range) const {
    const Node& node = nodes[ranges[range].node];
    return windows.empty() ? node.end() : node.address + windows[range].upper;
  }
  // Whether the node leaves out some of its bytes at some time.
  bool HasWindow(int32_t node) const {
    if (windows.empty()) return false;
    for (int32_t i = range_offsets[node]; i < range_offsets[node + 1]; ++i) {
      if (windows[i].upper - windows[i].lower < nodes[node].size_bytes) {
        return true;
      }
    }
    return false;
  }
  // Closes the list of ranges of the last node added.
  void EndNode() {
    range_offsets.push_back(static_cast<int32_t>(ranges.size()));
  }

  // "'name'" and its home.
  std::string Label(int32_t node) const;
  // "0..4096", half-open: of the node, of one range.
  std::string Bytes(int32_t node) const;
  std::string RangeBytes(int32_t range) const;
  // "[3..9]", or "[3, 10)".
  std::string Times(const LiveRange& range) const;
};

// The first offender of one kind, or none.
struct Offence {
  int32_t first = -1;   // node
  int32_t second = -1;  // the other one, -1 where there is none
  std::string message;
  int64_t count = 0;  // nodes that offend

  explicit operator bool() const { return count > 0; }
};

}  // namespace berth::validation

#endif  // BERTH_ALLOCATOR_VALIDATE_PLACED_SET_H_
