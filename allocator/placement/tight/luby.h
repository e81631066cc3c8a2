// Luby's sequence of restart lengths.
#ifndef BERTH_ALLOCATOR_PLACEMENT_TIGHT_LUBY_H_
#define BERTH_ALLOCATOR_PLACEMENT_TIGHT_LUBY_H_

#include <cstdint>

namespace berth::tight {

// 1 1 2 1 1 2 4 1 1 2 1 1 2 4 8 ...; i counts from 1.
inline int64_t Luby(int64_t i) {
  for (int64_t length = 1;; length = 2 * length + 1) {
    if (i == length) return (length + 1) / 2;
    if (i < length) return Luby(i - length / 2);
  }
}

}  // namespace berth::tight

#endif  // BERTH_ALLOCATOR_PLACEMENT_TIGHT_LUBY_H_
