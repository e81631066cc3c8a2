// TimedList: the placed live ranges that end or begin inside one window of
// time, sorted by address, with the times of each. One question: the next run
// of at least w addresses that no entry alive in some part of the window
// occupies.
//
// Entries lie in three parallel arrays of a fixed capacity, known beforehand.
// The tail of the last block of kBlock entries holds words that never match.
//
// Thread-safety: none. Cost of a question: O(entries), of an insertion:
// O(entries) moved. timed_scan.h has the loop of the question.
#ifndef BERTH_ALLOCATOR_PLACEMENT_TIMED_LIST_H_
#define BERTH_ALLOCATOR_PLACEMENT_TIMED_LIST_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "allocator/placement/timed_scan.h"

namespace berth {

template <typename Address>
class TimedList {
 public:
  static constexpr uint32_t kBlock = kTimedBlock;
  // A word that matches no question: it begins after every time.
  static constexpr uint32_t kNoEntry = kAliveBits;

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

  // The answer to `question`. `position` comes from Begin() or an earlier call
  // with the same times asked and a `from` that was not higher, and moves on.
  Address NextGap(const GapQuestion<Address>& question, uint32_t& position,
                  uint64_t& visits) const;

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
  template <typename Word>
  void MoveUp(Word* words, uint32_t at) {
    std::memmove(words + at + 1, words + at, (size_ - at) * sizeof(Word));
  }

  Address* lo_ = nullptr;
  Address* hi_ = nullptr;
  uint32_t* times_ = nullptr;
  uint32_t size_ = 0;
  Address longest_ = 0;
  const GapScan* scan_ = &BestGapScan();
};

template <typename Address>
Address TimedList<Address>::NextGap(const GapQuestion<Address>& question,
                                    uint32_t& position,
                                    uint64_t& visits) const {
  const TimedEntries<Address> entries = {lo_, hi_, times_, size_};
  const uint32_t begin = position;
  Address x;
  if constexpr (std::is_same_v<Address, uint32_t>) {
    x = scan_->scan(entries, question, position);
  } else {
    x = ScanForGap(entries, question, position);
  }
  visits += position - begin + (position < size_ ? kBlock : 0);
  return x;
}

}  // namespace berth

#endif  // BERTH_ALLOCATOR_PLACEMENT_TIMED_LIST_H_
