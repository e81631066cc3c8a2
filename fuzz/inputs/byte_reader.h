// Numbers out of a fuzzer's bytes; zeros where there are none.
#ifndef BERTH_FUZZ_INPUTS_BYTE_READER_H_
#define BERTH_FUZZ_INPUTS_BYTE_READER_H_

#include <cstdint>

#include "absl/strings/string_view.h"
#include "allocator/base/fnv.h"

namespace berth::fuzz {

// The last byte: a choice besides what the bytes are read as.
inline uint8_t LastByte(absl::string_view bytes) {
  return bytes.empty() ? 0 : static_cast<uint8_t>(bytes.back());
}

// What decides which dear questions an input is asked: all bytes, for a byte
// that is inherited would have a fuzzer's favourites, and what comes of them,
// asked every time.
inline uint64_t DrawOf(absl::string_view bytes) {
  Fnv1a64 hash;
  hash.AddBytes(bytes);
  return hash.hash() >> 40;
}

// A seed for draws besides what the bytes are read as.
inline uint64_t SeedOf(absl::string_view bytes) {
  const char middle = bytes.empty() ? '\0' : bytes[bytes.size() / 2];
  return bytes.size() * 131 + static_cast<uint8_t>(middle);
}

class ByteReader {
 public:
  explicit ByteReader(absl::string_view bytes) : bytes_(bytes) {}

  bool empty() const { return bytes_.empty(); }
  uint8_t Byte() {
    if (bytes_.empty()) return 0;
    const auto byte = static_cast<uint8_t>(bytes_[0]);
    bytes_.remove_prefix(1);
    return byte;
  }
  // Little-endian, `count` bytes.
  uint64_t Number(int count) {
    uint64_t value = 0;
    for (int i = 0; i < count; ++i) value |= uint64_t{Byte()} << (8 * i);
    return value;
  }
  // One of `values`, by one byte.
  template <typename Value, size_t N>
  Value OneOf(const Value (&values)[N]) {
    return values[Byte() % N];
  }

 private:
  absl::string_view bytes_;
};

}  // namespace berth::fuzz

#endif  // BERTH_FUZZ_INPUTS_BYTE_READER_H_
