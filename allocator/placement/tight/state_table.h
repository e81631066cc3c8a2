// The states that a search has exhausted, by hash, each with the greatest
// capacity for which that is known.
//
// A cache: when it is full, entries are overwritten. Grows with what is put in,
// so that small problems touch little memory.
//
// Thread-safety: none. Cost: O(1), amortised. Memory: 16 bytes a slot, up to
// 2^max_bits slots.
#ifndef BERTH_ALLOCATOR_PLACEMENT_TIGHT_STATE_TABLE_H_
#define BERTH_ALLOCATOR_PLACEMENT_TIGHT_STATE_TABLE_H_

#include <cstdint>
#include <vector>

namespace berth::tight {

class StateTable {
 public:
  explicit StateTable(int32_t max_bits) : max_bits_(max_bits) {}

  // True if the state is known to be exhausted at `capacity` or above.
  bool Contains(uint64_t hash, int64_t capacity) const {
    const Slot& slot = slots_[hash >> shift_];
    return slot.hash == hash && slot.capacity >= capacity;
  }

  void Insert(uint64_t hash, int64_t capacity) {
    if (used_ * 2 > slots_.size() && 64 - shift_ < max_bits_) Grow();
    Slot& slot = slots_[hash >> shift_];
    if (slot.capacity < 0) ++used_;
    if (slot.hash == hash && slot.capacity >= capacity) return;
    slot = {hash, capacity};
  }

 private:
  struct Slot {
    uint64_t hash = 0;
    int64_t capacity = -1;  // empty
  };

  void Grow() {
    std::vector<Slot> old(slots_.size() * 4);
    old.swap(slots_);
    shift_ -= 2;
    used_ = 0;
    for (const Slot& slot : old) {
      if (slot.capacity < 0) continue;
      used_ += slots_[slot.hash >> shift_].capacity < 0;
      slots_[slot.hash >> shift_] = slot;
    }
  }

  int32_t max_bits_;
  int32_t shift_ = 64 - 10;
  size_t used_ = 0;
  std::vector<Slot> slots_ = std::vector<Slot>(size_t{1} << 10);
};

}  // namespace berth::tight

#endif  // BERTH_ALLOCATOR_PLACEMENT_TIGHT_STATE_TABLE_H_
