// The CFG as liveness walks it. A **segment** is a maximal chain of blocks that
// are laid out one after another, each the only successor of the one before and
// that its only predecessor: straight-line code, however it was cut. Dataflow
// facts change only between segments, so a chain of 100,000 blocks costs one.
//
// 1. Segment s holds the flat indices [first(s), first(s + 1)), perhaps none.
// 2. Segments are in layout order; segment 0 starts with the entry block.
// 3. If a path leads from s to t, rank(s) <= rank(t); the ranks of s and t are
//    equal exactly if paths lead both ways (strongly connected components in
//    topological order; unreachable segments have ranks like all others).
//
// Thread-safety: const use from several threads is safe.
#ifndef BERTH_ALLOCATOR_LIVENESS_SEGMENTS_H_
#define BERTH_ALLOCATOR_LIVENESS_SEGMENTS_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "allocator/model/program.h"

namespace berth {

class Segments {
 public:
  // REQUIRES: a checked program. Cost: O(blocks + edges); no recursion.
  explicit Segments(const Function& function);

  int32_t size() const { return static_cast<int32_t>(firsts_.size()) - 1; }
  int32_t first(int32_t segment) const { return firsts_[segment]; }
  // The segment that holds instruction `flat`, which lies in segment `from` or
  // after it. Cost: O(1) if it is `from`, else O(log segments).
  int32_t SegmentOf(int32_t flat, int32_t from) const;

  absl::Span<const int32_t> predecessors(int32_t segment) const {
    return predecessors_.of(segment);
  }
  // Segments without successor, ascending.
  const std::vector<int32_t>& exits() const { return exits_; }
  int32_t rank(int32_t segment) const { return ranks_[segment]; }

 private:
  // targets[begins[s]] .. targets[begins[s + 1] - 1] are the neighbours of s.
  struct Adjacency {
    std::vector<int64_t> begins;
    std::vector<int32_t> targets;

    absl::Span<const int32_t> of(int32_t segment) const {
      return absl::MakeConstSpan(targets).subspan(
          begins[segment], begins[segment + 1] - begins[segment]);
    }
  };

  // Numbers the segments, fills firsts_; gives the segment of each block.
  std::vector<int32_t> Cut(const Function& function);
  Adjacency Successors(const Function& function,
                       const std::vector<int32_t>& segment_of_block) const;
  Adjacency Reversed(const Adjacency& forward) const;
  void Rank(const Adjacency& successors);

  std::vector<int32_t> firsts_;
  Adjacency predecessors_;
  std::vector<int32_t> exits_;
  std::vector<int32_t> ranks_;
};

}  // namespace berth

#endif  // BERTH_ALLOCATOR_LIVENESS_SEGMENTS_H_
