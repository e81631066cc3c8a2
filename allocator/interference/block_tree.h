// The static array interval tree, sorted (spec §4), laid out in blocks: the
// structure the source names, made fast.
//
// Intervals are sorted by lo and cut into blocks of kBlock. Numbered
// properties:
//
//   B1 all lo of block b lie in [block_lo[b], block_lo[b + 1]]
//   B2 within a block, intervals descend by hi; so its max is its first hi, and
//      those that reach a time are a prefix
//   B3 level l > 0 holds max over 16 entries of level l - 1; level 0 holds the
//      blocks' max: the max-augmented tree, 16 children wide, without pointers
//
// A query [q.lo, q.hi] splits the blocks into four runs:
//
//   blocks     0 .. l-1        l          l+1 .. r-2        r-1
//            lo <= q.lo   q.lo inside   all inside      q.hi inside
//            descend       test each    copy the run     test each
//
// In the first run only hi >= q.lo is open: descend by masks of 16 children,
// and of each block found copy a prefix. Blocks strictly between start inside
// the query and are hits as a whole.
//
// Cost: build O(n) (radix) + sorting each block; query O(log16 n + kBlock + k),
// a block visited before l gives at least one hit. About 13 bytes an interval.
#ifndef BERTH_ALLOCATOR_INTERFERENCE_BLOCK_TREE_H_
#define BERTH_ALLOCATOR_INTERFERENCE_BLOCK_TREE_H_

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "allocator/interference/append.h"
#include "allocator/interference/lo_order.h"
#include "allocator/interference/oracle.h"

namespace berth {

class BlockTree {
 public:
  static constexpr int32_t kBlock = 64;

  explicit BlockTree(absl::Span<const OwnedInterval> intervals);

  void Overlaps(int32_t lo, int32_t hi, IdList* out);
  absl::Status OverlapsOf(int32_t index, IdList* out);
  int64_t Count(int32_t lo, int32_t hi);

  int32_t size() const { return size_; }
  uint64_t bytes() const;
  int64_t visits() const { return visits_; }

 private:
  // The blocks that a query meets: [0, l) by descent, l, and up to r - 1.
  struct Range {
    int32_t l;
    int32_t r;
  };
  Range BlocksOf(int32_t lo, int32_t hi) const;
  // Intervals in block b (the last may be short).
  int32_t BlockSize(int32_t b) const;
  // Calls found(b) for each block b < end that has some hi >= lo, ascending.
  template <typename Found>
  void Descend(int32_t end, int32_t lo, Found found);

  absl::Span<const OwnedInterval> stored_;
  int32_t size_ = 0;
  IdList lo_;  // block by block, padded
  IdList hi_;
  IdList id_;
  std::vector<int32_t> block_lo_;
  RankTable block_rank_;
  // Levels of B3, each padded to a multiple of 16.
  std::vector<std::vector<int32_t>> max_;
  int64_t visits_ = 0;
};

}  // namespace berth

#endif  // BERTH_ALLOCATOR_INTERFERENCE_BLOCK_TREE_H_
