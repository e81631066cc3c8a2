// A memory whose bytes hold tags: which write put them there, and which byte of
// which location that write meant. Runs of bytes with one tag are stored as
// one, so a memory is exact to the byte and costs what is written, not what it
// spans.
//
// Thread-safety: none.
#ifndef BERTH_ALLOCATOR_SIMULATE_BYTE_MAP_H_
#define BERTH_ALLOCATOR_SIMULATE_BYTE_MAP_H_

#include <algorithm>
#include <cstdint>
#include <iterator>

#include "absl/container/btree_map.h"

namespace berth::machine {

// The first byte of a run; the byte k further on has origin + k.
struct Tag {
  int32_t writer = -1;      // which write (Trace::writers)
  int32_t memory = -1;      // of which location (Layout::memories)
  uint64_t origin = 0;      // and which of its bytes
  int32_t activation = -1;  // of whose run of a function

  Tag Plus(uint64_t bytes) const {
    return {writer, memory, origin + bytes, activation};
  }
  // Whether the bytes are the same; several activations may take part in one
  // write, that of a rendezvous.
  bool Same(const Tag& other) const {
    return writer == other.writer && memory == other.memory &&
           origin == other.origin;
  }
};

class ByteMap {
 public:
  // [lo, hi) now holds `tag`. REQUIRES: lo < hi. Cost: O(log runs + runs that
  // disappear).
  void Write(uint64_t lo, uint64_t hi, const Tag& tag);

  // Calls visit(lo, hi, tag) for each run in [from, to), clipped to it, in
  // order; bytes nobody wrote are left out. Cost: O(log runs + result).
  template <typename Visit>
  void ForEach(uint64_t from, uint64_t to, Visit visit) const {
    auto it = runs_.upper_bound(from);
    if (it != runs_.begin()) --it;
    for (; it != runs_.end() && it->first < to; ++it) {
      const uint64_t lo = std::max(it->first, from);
      const uint64_t hi = std::min(it->second.end, to);
      if (lo < hi) visit(lo, hi, it->second.tag.Plus(lo - it->first));
    }
  }

 private:
  struct Run {
    uint64_t end;
    Tag tag;
  };
  // Makes `at` the border of two runs if it lies inside one.
  void Split(uint64_t at);

  absl::btree_map<uint64_t, Run> runs_;  // by first byte; disjoint
};

}  // namespace berth::machine

#endif  // BERTH_ALLOCATOR_SIMULATE_BYTE_MAP_H_
