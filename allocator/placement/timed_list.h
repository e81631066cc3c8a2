// TimedList: the placed live ranges that end or begin inside one window of
// time, sorted by address, with the times of each. One question: the next run
// of at least w addresses that no entry alive in some part of the window
// occupies.
//
// An entry's times are relative to the window and packed into one word, so that
// "alive in the part asked for" is one subtraction and one mask:
//
//   bits 31..16  0x8000 | last time     minus  first time asked for
//   bits 15..0   0x8000 | (0x7fff - first time)  minus  (0x7fff - last asked)
//
// A half keeps its top bit exactly if its condition holds, and never borrows.
//
// Entries lie in three parallel arrays of a fixed capacity, known beforehand.
// The tail of the last block of kBlock entries holds words that never match.
//
// Thread-safety: none. Cost of a question: O(entries), of an insertion:
// O(entries) moved. Both by plain loops without unpredictable branches.
#ifndef BERTH_ALLOCATOR_PLACEMENT_TIMED_LIST_H_
#define BERTH_ALLOCATOR_PLACEMENT_TIMED_LIST_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "allocator/base/check.h"

namespace berth {

// Times in a window are 0 .. kMaxWindowTimes - 1.
inline constexpr int32_t kMaxWindowTimes = 0x7fff;

// The times [first, last] of an entry, packed as above.
inline uint32_t PackEntryTimes(int32_t first, int32_t last) {
  return static_cast<uint32_t>((0x8000 | last) << 16 |
                               (0x8000 | (0x7fff - first)));
}
// The part [first, last] of the window that a question asks for.
inline uint32_t PackAskedTimes(int32_t first, int32_t last) {
  return static_cast<uint32_t>(first << 16 | (0x7fff - last));
}
inline bool AliveInPart(uint32_t entry, uint32_t asked) {
  return ((entry - asked) & 0x80008000u) == 0x80008000u;
}

template <typename Address>
class TimedList {
 public:
  static constexpr uint32_t kBlock = 16;
  // A word that matches no question: it begins after every time.
  static constexpr uint32_t kNoEntry = 0x80008000u;

  // Entries rounded up to whole blocks.
  static size_t Slots(size_t entries) {
    return (entries + kBlock - 1) / kBlock * kBlock;
  }

  static size_t Bytes(size_t slots) {
    return slots * (2 * sizeof(Address) + sizeof(uint32_t));
  }

  // Room of Bytes(slots), with slots of Slots(), owned by the caller.
  void Init(char* room, size_t slots) {
    lo_ = reinterpret_cast<Address*>(room);
    hi_ = lo_ + slots;
    times_ = reinterpret_cast<uint32_t*>(hi_ + slots);
  }

  uint32_t size() const { return size_; }

  // REQUIRES: there is room.
  void Insert(Address lo, Address hi, uint32_t times) {
    const uint32_t at = std::upper_bound(lo_, lo_ + size_, lo) - lo_;
    if (size_ % kBlock == 0) {
      std::fill(times_ + size_, times_ + size_ + kBlock, kNoEntry);
    }
    MoveUp(lo_, at);
    MoveUp(hi_, at);
    MoveUp(times_, at);
    lo_[at] = lo;
    hi_[at] = hi;
    times_[at] = times;
    longest_ = std::max<Address>(longest_, hi - lo);
    ++size_;
  }

  // Where to begin for addresses from `from` on: no entry before that block
  // ends above `from`.
  uint32_t Begin(Address from) const {
    if (from <= longest_) return 0;
    const Address lowest = from - longest_;
    return (std::lower_bound(lo_, lo_ + size_, lowest) - lo_) / kBlock * kBlock;
  }

  // The lowest x >= from such that no entry alive in `asked` meets
  // [x, x + size). `position` comes from Begin() or an earlier call with the
  // same `asked`, a `from` that was not higher, and moves on.
  Address NextGap(Address from, Address size, uint32_t asked,
                  uint32_t& position, uint64_t& visits) const;

  // Starts to load what a question will look at.
  void Prefetch() const {
    constexpr uint32_t kLineBytes = 64;
    constexpr uint32_t kMaxLines = 12;
    const uint32_t lines =
        std::min<uint32_t>(size_ * sizeof(Address) / kLineBytes + 1, kMaxLines);
    for (uint32_t i = 0; i < lines; ++i) {
      __builtin_prefetch(reinterpret_cast<const char*>(lo_) + i * kLineBytes);
      __builtin_prefetch(reinterpret_cast<const char*>(hi_) + i * kLineBytes);
      __builtin_prefetch(reinterpret_cast<const char*>(times_) +
                         i * kLineBytes);
    }
  }

 private:
  uint32_t BlocksUpTo(Address within, uint32_t block) const;
  Address HighestEnd(uint32_t begin, uint32_t end, uint32_t asked) const;

  template <typename Word>
  void MoveUp(Word* words, uint32_t at) {
    std::memmove(words + at + 1, words + at, (size_ - at) * sizeof(Word));
  }

  Address* lo_ = nullptr;
  Address* hi_ = nullptr;
  uint32_t* times_ = nullptr;
  uint32_t size_ = 0;
  Address longest_ = 0;
};

template <typename Address>
Address TimedList<Address>::NextGap(Address from, Address size, uint32_t asked,
                                    uint32_t& position,
                                    uint64_t& visits) const {
  const Address above = size - 1;  // a gap: lo > from + above
  uint32_t block = position;
  while (block < size_) {
    // Entries are sorted by lo, so blocks whose last begins within `size` of
    // here hold no gap, whoever is alive: their highest end is all that counts.
    const Address within =
        from > static_cast<Address>(~above) ? ~Address{0} : from + above;
    const uint32_t near = BlocksUpTo(within, block);
    if (near > block) {
      from = std::max(from, HighestEnd(block, near, asked));
      block = near;
      continue;
    }
    // Without branches: where the block leaves us, and whether a gap that is
    // wide enough may have been passed. (A sum that wraps only says "may".)
    Address passed = from;
    Address gap = 0;
    for (uint32_t i = block; i < block + kBlock; ++i) {
      const Address alive =
          -static_cast<Address>(AliveInPart(times_[i], asked));
      gap |= (lo_[i] & alive) > static_cast<Address>(passed + above);
      passed = std::max(passed, hi_[i] & alive);
    }
    if (gap != 0) {
      for (uint32_t i = block; i < std::min(block + kBlock, size_); ++i) {
        if (!AliveInPart(times_[i], asked) || hi_[i] <= from) continue;
        if (lo_[i] > from && lo_[i] - from >= size) {
          visits += block - position + kBlock;
          position = block;
          return from;
        }
        from = hi_[i];
      }
    }
    from = passed;
    block += kBlock;
  }
  visits += block - position;
  position = block;
  return from;
}

// Past the last block from `block` on all of whose entries begin at or below
// `within`.
template <typename Address>
uint32_t TimedList<Address>::BlocksUpTo(Address within, uint32_t block) const {
  while (block < size_ && lo_[std::min(block + kBlock, size_) - 1] <= within) {
    block += kBlock;
  }
  return block;
}

// The highest end of an entry of [begin, end), whole blocks, alive in `asked`;
// 0 if there is none. Four lanes of plain vector operations that every x86-64
// has: no maximum of unsigned words is among them, but a signed compare is.
template <typename Address>
Address TimedList<Address>::HighestEnd(uint32_t begin, uint32_t end,
                                       uint32_t asked) const {
  Address highest = 0;
  if constexpr (sizeof(Address) == sizeof(uint32_t)) {
    using Words = uint32_t __attribute__((vector_size(16)));
    using Signed = int32_t __attribute__((vector_size(16)));
    constexpr uint32_t kSign = 0x80000000u;
    constexpr uint32_t kAlive = 0x80008000u;
    const Words sign = {kSign, kSign, kSign, kSign};
    const Words both = {kAlive, kAlive, kAlive, kAlive};
    const Words part = {asked, asked, asked, asked};
    Signed best = reinterpret_cast<Signed>(sign);  // 0, the sign flipped
    for (uint32_t i = begin; i < end; i += 4) {
      Words times, ends;
      std::memcpy(&times, times_ + i, sizeof(times));
      std::memcpy(&ends, hi_ + i, sizeof(ends));
      const Signed flipped = reinterpret_cast<Signed>(ends ^ sign);
      const Signed take = (((times - part) & both) == both) & (flipped > best);
      best = (flipped & take) | (best & ~take);
    }
    for (int lane = 0; lane < 4; ++lane) {
      highest = std::max(highest, static_cast<uint32_t>(best[lane]) ^ kSign);
    }
  } else {
    for (uint32_t i = begin; i < end; ++i) {
      const Address alive =
          -static_cast<Address>(AliveInPart(times_[i], asked));
      highest = std::max(highest, hi_[i] & alive);
    }
  }
  return highest;
}

}  // namespace berth

#endif  // BERTH_ALLOCATOR_PLACEMENT_TIMED_LIST_H_
