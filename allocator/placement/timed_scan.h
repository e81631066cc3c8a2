// The loop in which first fit spends its time: the next gap between those
// entries of a timed list (timed_list.h) that are alive in some part of its
// window.
//
// Portable code is the reference; 32-bit addresses have the same loop in AVX2
// and AVX-512, picked once at run time by what the machine supports
// (-march=native is not needed). All give the same answers and positions, so
// results and visits are the same on every machine; timed_scan_test holds
// every kernel that the machine supports to the definition.
//
// Thread-safety: pure functions. Cost: O(entries); on one machine portable 2 ns
// an entry, AVX-512 0.3.
#ifndef BERTH_ALLOCATOR_PLACEMENT_TIMED_SCAN_H_
#define BERTH_ALLOCATOR_PLACEMENT_TIMED_SCAN_H_

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "absl/types/span.h"

namespace berth {

// Times in a window are 0 .. kMaxWindowTimes - 1.
inline constexpr int32_t kMaxWindowTimes = 0x7fff;

// An entry's times are relative to the window and packed into one word, so that
// "alive in the part asked for" is one subtraction and one mask:
//
//   bits 31..16  0x8000 | last time     minus  first time asked for
//   bits 15..0   0x8000 | (0x7fff - first time)  minus  (0x7fff - last asked)
//
// A half keeps its top bit exactly if its condition holds, and never borrows.
inline constexpr uint32_t kAliveBits = 0x80008000u;

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
  return ((entry - asked) & kAliveBits) == kAliveBits;
}

// Entries are looked at in whole blocks.
inline constexpr uint32_t kTimedBlock = 16;

// Three parallel arrays, sorted by lo, [lo, hi) not empty. `size` entries, and
// up to the end of the last block entries that are never alive, whose lo and hi
// may be read and are anything.
template <typename Address>
struct TimedEntries {
  const Address* lo;
  const Address* hi;
  const uint32_t* times;
  uint32_t size;
};

// What is asked of them.
template <typename Address>
struct GapQuestion {
  Address from;
  Address size;    // > 0
  uint32_t asked;  // PackAskedTimes()
};

// The lowest x >= from such that no entry alive in `asked` at or after
// `position` meets [x, x + size). `position`, a multiple of kTimedBlock, moves
// on to the block that the gap comes before or lies in; to the first block
// without entries if no gap comes before one.
template <typename Address>
Address ScanForGap(const TimedEntries<Address>& entries,
                   const GapQuestion<Address>& question, uint32_t& position);

// The same for 32 bits, by vectors.
struct GapScan {
  const char* name;
  uint32_t (*scan)(const TimedEntries<uint32_t>& entries,
                   const GapQuestion<uint32_t>& question, uint32_t& position);
};

// The best on this machine.
const GapScan& BestGapScan();

// Every one this machine supports, the portable one first.
absl::Span<const GapScan* const> AllGapScans();

// Past the last block from `block` on all of whose entries begin at or below
// `within`.
template <typename Address>
uint32_t BlocksUpTo(const TimedEntries<Address>& entries, Address within,
                    uint32_t block) {
  const uint32_t size = entries.size;
  while (block < size &&
         entries.lo[std::min(block + kTimedBlock, size) - 1] <= within) {
    block += kTimedBlock;
  }
  return block;
}

// The highest end of an entry of [begin, end), whole blocks, alive in `asked`;
// 0 if there is none. Four lanes of plain vector operations that every x86-64
// has: no maximum of unsigned words is among them, but a signed compare is.
template <typename Address>
Address HighestEnd(const TimedEntries<Address>& entries, uint32_t begin,
                   uint32_t end, uint32_t asked) {
  Address highest = 0;
  if constexpr (sizeof(Address) == sizeof(uint32_t)) {
    using Words = uint32_t __attribute__((vector_size(16)));
    using Signed = int32_t __attribute__((vector_size(16)));
    constexpr uint32_t kSign = 0x80000000u;
    const Words sign = {kSign, kSign, kSign, kSign};
    const Words both = {kAliveBits, kAliveBits, kAliveBits, kAliveBits};
    const Words part = {asked, asked, asked, asked};
    Signed best = reinterpret_cast<Signed>(sign);  // 0, the sign flipped
    for (uint32_t i = begin; i < end; i += 4) {
      Words times, ends;
      std::memcpy(&times, entries.times + i, sizeof(times));
      std::memcpy(&ends, entries.hi + i, sizeof(ends));
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
          -static_cast<Address>(AliveInPart(entries.times[i], asked));
      highest = std::max(highest, entries.hi[i] & alive);
    }
  }
  return highest;
}

template <typename Address>
Address ScanForGap(const TimedEntries<Address>& entries,
                   const GapQuestion<Address>& question, uint32_t& position) {
  const auto& [lo, hi, times, entry_count] = entries;
  const Address above = question.size - 1;  // a gap: lo > from + above
  Address from = question.from;
  uint32_t block = position;
  while (block < entry_count) {
    // Entries are sorted by lo, so blocks whose last begins within `size` of
    // here hold no gap, whoever is alive: their highest end is all that counts.
    const Address within =
        from > static_cast<Address>(~above) ? ~Address{0} : from + above;
    const uint32_t near = BlocksUpTo(entries, within, block);
    if (near > block) {
      from = std::max(from, HighestEnd(entries, block, near, question.asked));
      block = near;
      continue;
    }
    // Without branches: where the block leaves us, and whether a gap that is
    // wide enough may have been passed. (A sum that wraps only says "may".)
    Address passed = from;
    Address gap = 0;
    for (uint32_t i = block; i < block + kTimedBlock; ++i) {
      const Address alive =
          -static_cast<Address>(AliveInPart(times[i], question.asked));
      gap |= (lo[i] & alive) > static_cast<Address>(passed + above);
      passed = std::max(passed, hi[i] & alive);
    }
    if (gap != 0) {
      const uint32_t end = std::min(block + kTimedBlock, entry_count);
      for (uint32_t i = block; i < end; ++i) {
        if (!AliveInPart(times[i], question.asked) || hi[i] <= from) continue;
        if (lo[i] > from && lo[i] - from >= question.size) {
          position = block;
          return from;
        }
        from = hi[i];
      }
    }
    from = passed;
    block += kTimedBlock;
  }
  position = block;
  return from;
}

}  // namespace berth

#endif  // BERTH_ALLOCATOR_PLACEMENT_TIMED_SCAN_H_
