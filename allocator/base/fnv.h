// FNV-1a, 64 bits: the hash of placement_hash (spec §14). Not for tables.
#ifndef BERTH_ALLOCATOR_BASE_FNV_H_
#define BERTH_ALLOCATOR_BASE_FNV_H_

#include <cstdint>

#include "absl/strings/string_view.h"

namespace berth {

class Fnv1a64 {
 public:
  void AddByte(uint8_t byte) { hash_ = (hash_ ^ byte) * 0x100000001b3u; }
  void AddBytes(absl::string_view bytes) {
    for (char c : bytes) AddByte(static_cast<uint8_t>(c));
  }
  void AddLittleEndian32(uint32_t value) { AddLow(value, 4); }
  void AddLittleEndian64(uint64_t value) { AddLow(value, 8); }
  uint64_t hash() const { return hash_; }

 private:
  void AddLow(uint64_t value, int bytes) {
    for (int i = 0; i < bytes; ++i) AddByte((value >> (8 * i)) & 0xff);
  }
  uint64_t hash_ = 0xcbf29ce484222325u;
};

}  // namespace berth

#endif  // BERTH_ALLOCATOR_BASE_FNV_H_
