// RangeSet: a growing set of addresses as disjoint ranges, with one question:
// the next free run of at least w addresses. WindowFirstFit keeps one per group
// of times, SweepFirstFit one, of what is live.
//
// Ranges are [lo, hi), sorted, disjoint, and coalesced: no two touch. They lie
// in chunks of at most kMaxChunkRanges, so that an insertion moves little. Each
// chunk has a bound on the free gaps that follow its ranges; a chunk whose
// bound is below w is skipped. The bound is lazy: insertions only shrink gaps,
// so an old bound stays true unless a gap comes over from the chunk before, and
// a search that finds nothing in a chunk lowers it.
//
// `Address` is uint32_t or uint64_t. Nothing wraps, up to the largest value.
// Tests take small chunks, at least 2 ranges, so that there are many.
//
// Thread-safety: none (NextGap() lowers bounds).
// Cost, with n ranges: O(n / kMaxChunkRanges + kMaxChunkRanges) and small.
// Memory: 2 addresses a range, up to a quarter more for growth.
#ifndef BERTH_ALLOCATOR_PLACEMENT_RANGE_SET_H_
#define BERTH_ALLOCATOR_PLACEMENT_RANGE_SET_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace berth {

template <typename Address, size_t kMaxChunkRanges = 256>
class RangeSet {
 public:
  using AddressType = Address;
  struct Range {
    Address lo;
    Address hi;
  };

  bool empty() const { return chunks_.empty(); }

  // Adds [lo, hi). REQUIRES: lo < hi. It may overlap what is there.
  void Insert(Address lo, Address hi);

  // Removes [lo, hi). REQUIRES: lo < hi, and all of it is in the set.
  void Erase(Address lo, Address hi);

  // The lowest x >= from such that [x, x + size) is free. The free run above
  // the highest range counts as endless. Adds to `visits` the ranges looked at.
  Address NextGap(Address from, Address size, uint64_t& visits);

 private:
  struct Chunk {
    std::vector<Range> ranges;  // never empty
    Address end;                // ranges.back().hi
    // No free gap that follows a range of this chunk is larger. The gap above
    // the highest range of all does not count.
    Address gap_bound;
  };

  // First chunk that ends at or above `address`.
  size_t ChunkEndingAt(Address address) const;
  // First range that does. REQUIRES: one of these does.
  static Range* FirstEndingAt(std::vector<Range>& ranges, Address address);
  void InsertBefore(size_t chunk, size_t index, Range range);
  void Merge(size_t chunk, size_t index, Range range);
  void RaiseBoundAround(Address free);

  std::vector<Chunk> chunks_;
};

template <typename Address, size_t kMaxChunkRanges>
size_t RangeSet<Address, kMaxChunkRanges>::ChunkEndingAt(
    Address address) const {
  if (chunks_.size() <= 8) {
    size_t chunk = 0;
    while (chunk < chunks_.size() && chunks_[chunk].end < address) ++chunk;
    return chunk;
  }
  return std::partition_point(
             chunks_.begin(), chunks_.end(),
             [address](const Chunk& c) { return c.end < address; }) -
         chunks_.begin();
}

// First range whose hi is at least `address`, without unpredictable branches.
template <typename Address, size_t kMaxChunkRanges>
typename RangeSet<Address, kMaxChunkRanges>::Range*
RangeSet<Address, kMaxChunkRanges>::FirstEndingAt(std::vector<Range>& ranges,
                                                  Address address) {
  Range* first = ranges.data();
  size_t count = ranges.size();
  while (count > 1) {
    const size_t half = count / 2;
    first += half & -static_cast<size_t>(first[half - 1].hi < address);
    count -= half;
  }
  return first + (count == 1 && first->hi < address ? 1 : 0);
}

template <typename Address, size_t kMaxChunkRanges>
void RangeSet<Address, kMaxChunkRanges>::Insert(Address lo, Address hi) {
  const size_t chunk = ChunkEndingAt(lo);
  if (chunk == chunks_.size()) {  // above all ranges
    if (chunks_.empty()) {
      chunks_.push_back({{}, hi, 0});
      chunks_.back().ranges.push_back({lo, hi});
      return;
    }
    Chunk& last = chunks_.back();
    last.gap_bound = std::max<Address>(last.gap_bound, lo - last.end);
    InsertBefore(chunk - 1, last.ranges.size(), {lo, hi});
    return;
  }
  std::vector<Range>& ranges = chunks_[chunk].ranges;
  const size_t index = FirstEndingAt(ranges, lo) - ranges.data();
  if (ranges[index].lo > hi) {
    InsertBefore(chunk, index, {lo, hi});
  } else {
    Merge(chunk, index, {lo, hi});
  }
}

template <typename Address, size_t kMaxChunkRanges>
void RangeSet<Address, kMaxChunkRanges>::InsertBefore(size_t chunk,
                                                      size_t index,
                                                      Range range) {
  std::vector<Range>& ranges = chunks_[chunk].ranges;
  if (ranges.size() == ranges.capacity()) {
    ranges.reserve(ranges.size() + ranges.size() / 4 + 3);
  }
  ranges.insert(ranges.begin() + index, range);
  chunks_[chunk].end = ranges.back().hi;
  if (index == 0 && ranges.size() > 1) {
    // Part of a gap that the chunk before, if any, answered for.
    chunks_[chunk].gap_bound =
        std::max<Address>(chunks_[chunk].gap_bound, ranges[1].lo - range.hi);
  }
  if (ranges.size() < kMaxChunkRanges) return;
  // Split in two; the bound holds for both.
  const size_t half = ranges.size() / 2;
  Chunk upper{{ranges.begin() + half, ranges.end()},
              chunks_[chunk].end,
              chunks_[chunk].gap_bound};
  ranges.resize(half);
  chunks_[chunk].end = ranges.back().hi;
  chunks_.insert(chunks_.begin() + chunk + 1, std::move(upper));
}

// `range` touches range `index` of the chunk, and maybe ranges after it.
template <typename Address, size_t kMaxChunkRanges>
void RangeSet<Address, kMaxChunkRanges>::Merge(size_t chunk, size_t index,
                                               Range range) {
  std::vector<Range>& ranges = chunks_[chunk].ranges;
  range.lo = std::min(range.lo, ranges[index].lo);
  size_t last = index;  // the first range that is not swallowed
  while (last < ranges.size() && ranges[last].lo <= range.hi) {
    range.hi = std::max(range.hi, ranges[last++].hi);
  }
  ranges[index] = range;
  if (last > index + 1) {
    ranges.erase(ranges.begin() + index + 1, ranges.begin() + last);
  }
  if (index + 1 < ranges.size()) return;
  // It may reach into the chunks above.
  size_t next = chunk + 1;
  while (next < chunks_.size() && chunks_[next].ranges[0].lo <= range.hi) {
    Chunk& above = chunks_[next];
    size_t swallowed = 0;
    while (swallowed < above.ranges.size() &&
           above.ranges[swallowed].lo <= range.hi) {
      range.hi = std::max(range.hi, above.ranges[swallowed++].hi);
    }
    // The gap that followed the last swallowed range now follows this one.
    chunks_[chunk].gap_bound =
        std::max(chunks_[chunk].gap_bound, above.gap_bound);
    if (swallowed < above.ranges.size()) {
      above.ranges.erase(above.ranges.begin(),
                         above.ranges.begin() + swallowed);
      break;
    }
    ++next;
  }
  chunks_.erase(chunks_.begin() + chunk + 1, chunks_.begin() + next);
  chunks_[chunk].ranges.back() = range;
  chunks_[chunk].end = range.hi;
}

template <typename Address, size_t kMaxChunkRanges>
void RangeSet<Address, kMaxChunkRanges>::Erase(Address lo, Address hi) {
  const size_t chunk = ChunkEndingAt(hi);
  std::vector<Range>& ranges = chunks_[chunk].ranges;
  const size_t index = FirstEndingAt(ranges, hi) - ranges.data();
  const Range whole = ranges[index];
  if (whole.lo < lo && hi < whole.hi) {
    ranges[index].lo = hi;
    InsertBefore(chunk, index, {whole.lo, lo});
  } else if (whole.lo < lo) {
    ranges[index].hi = lo;
    chunks_[chunk].end = ranges.back().hi;
  } else if (hi < whole.hi) {
    ranges[index].lo = hi;
  } else if (ranges.size() > 1) {
    ranges.erase(ranges.begin() + index);
    chunks_[chunk].end = ranges.back().hi;
  } else {
    chunks_.erase(chunks_.begin() + chunk);
  }
  RaiseBoundAround(lo);
}

// `free` lies in a gap that has just grown: the bound of the chunk whose last
// range before it comes rises, if a range follows too.
template <typename Address, size_t kMaxChunkRanges>
void RangeSet<Address, kMaxChunkRanges>::RaiseBoundAround(Address free) {
  size_t chunk = ChunkEndingAt(free + 1);
  if (chunk == chunks_.size()) return;
  size_t index = FirstEndingAt(chunks_[chunk].ranges, free + 1) -
                 chunks_[chunk].ranges.data();
  const Address above = chunks_[chunk].ranges[index].lo;
  if (index == 0) {
    if (chunk == 0) return;
    index = chunks_[--chunk].ranges.size();
  }
  Chunk& holder = chunks_[chunk];
  holder.gap_bound =
      std::max<Address>(holder.gap_bound, above - holder.ranges[index - 1].hi);
}

template <typename Address, size_t kMaxChunkRanges>
Address RangeSet<Address, kMaxChunkRanges>::NextGap(Address from, Address size,
                                                    uint64_t& visits) {
  size_t chunk = 0;
  // First chunk that ends above `from`.
  if (from != std::numeric_limits<Address>::max()) {
    chunk = ChunkEndingAt(from + 1);
  } else {
    chunk = chunks_.size();
  }
  if (chunk == chunks_.size()) return from;
  ++visits;
  const Range* range = FirstEndingAt(chunks_[chunk].ranges, from + 1);
  if (range->lo >= from && range->lo - from >= size) return from;
  // From here on the answer is the end of some range.
  bool whole = range == chunks_[chunk].ranges.data();
  for (;;) {
    Chunk& current = chunks_[chunk];
    const Range* last = &current.ranges.back();
    const Range* first = range;
    while (range < last && range[1].lo - range[0].hi < size) ++range;
    visits += range - first;
    if (range < last || chunk + 1 == chunks_.size()) return range->hi;
    if (chunks_[chunk + 1].ranges[0].lo - range->hi >= size) return range->hi;
    if (whole) current.gap_bound = size - 1;
    do {
      ++chunk;
      ++visits;
    } while (chunk + 1 < chunks_.size() && chunks_[chunk].gap_bound < size);
    range = chunks_[chunk].ranges.data();
    whole = true;
  }
}

}  // namespace berth

#endif  // BERTH_ALLOCATOR_PLACEMENT_RANGE_SET_H_
