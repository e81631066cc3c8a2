// The protobuf wire format, field by field, over a string that stays in place.
//
// Berth reads and writes its messages by hand rather than through the generated
// classes: those hold a whole program a second time, several times as large as
// the file, and cut an oversized varint down to 32 bits without a word.
// tests/formats compares every byte with the generated classes.
//
// Thread-safety: none of the classes; pure functions.
#ifndef BERTH_ALLOCATOR_FORMATS_WIRE_H_
#define BERTH_ALLOCATOR_FORMATS_WIRE_H_

#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"

namespace berth {

enum class WireType : uint8_t {
  kVarint = 0,
  kFixed64 = 1,
  kBytes = 2,
  kFixed32 = 5
};

struct WireField {
  uint32_t number = 0;
  WireType type = WireType::kVarint;
  uint64_t varint = 0;      // kVarint
  absl::string_view bytes;  // kBytes

  bool IsVarint(uint32_t n) const {
    return number == n && type == WireType::kVarint;
  }
  bool IsBytes(uint32_t n) const {
    return number == n && type == WireType::kBytes;
  }
};

// The fields of one message, in order.
class WireReader {
 public:
  explicit WireReader(absl::string_view message)
      : at_(message.data()), end_(message.data() + message.size()) {}

  // The next field; false at the end or at a fault. Cost: O(1).
  bool Next(WireField& field);

  // Why Next() stopped before the end, or nullptr; and where.
  const char* fault() const { return fault_; }
  const char* position() const { return at_; }

 private:
  bool Fail(const char* fault) {
    fault_ = fault;
    return false;
  }
  bool ReadVarint(uint64_t& value);

  const char* at_;
  const char* end_;
  const char* fault_ = nullptr;
};

void AppendVarint(uint64_t value, std::string& out);
void AppendVarintField(uint32_t number, uint64_t value, std::string& out);
void AppendBytesField(uint32_t number, absl::string_view bytes,
                      std::string& out);

// Appends a message field whose content `body()` appends to `out`.
// Cost: one move of the content, to make room for its length.
template <typename Body>
void AppendMessageField(uint32_t number, std::string& out, Body body) {
  AppendVarint(number << 3 | static_cast<uint32_t>(WireType::kBytes), out);
  const size_t begin = out.size();
  body();
  std::string length;
  AppendVarint(out.size() - begin, length);
  out.insert(begin, length);
}

}  // namespace berth

#endif  // BERTH_ALLOCATOR_FORMATS_WIRE_H_
