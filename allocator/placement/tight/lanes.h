// Sixteen bytes of numbers at a time, by the compilers' vector extension: the
// same source for every machine.
//
// Thread-safety: pure functions.
#ifndef BERTH_ALLOCATOR_PLACEMENT_TIGHT_LANES_H_
#define BERTH_ALLOCATOR_PLACEMENT_TIGHT_LANES_H_

#include <cstdint>
#include <cstring>

namespace berth::tight {

template <typename T>
struct Vector {
  typedef T Lanes __attribute__((vector_size(16)));
  static constexpr int32_t kLanes = 16 / sizeof(T);

  static Lanes Load(const T* from) {
    Lanes lanes;
    std::memcpy(&lanes, from, sizeof(lanes));
    return lanes;
  }
  static void Store(const Lanes& lanes, T* to) {
    std::memcpy(to, &lanes, sizeof(lanes));
  }
  static bool Any(const Lanes& lanes) {
    uint64_t words[2];
    std::memcpy(words, &lanes, sizeof(lanes));
    return (words[0] | words[1]) != 0;
  }
};

}  // namespace berth::tight

#endif  // BERTH_ALLOCATOR_PLACEMENT_TIGHT_LANES_H_
