#include "allocator/formats/wire.h"

#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"

namespace berth {
namespace {

constexpr uint64_t kMostFieldNumber = (uint64_t{1} << 29) - 1;

}  // namespace

bool WireReader::ReadVarint(uint64_t& value) {
  value = 0;
  const char* at = at_;
  for (int shift = 0; shift < 64; shift += 7) {
    if (at == end_) return Fail("it ends within a number");
    const auto byte = static_cast<uint8_t>(*at++);
    if (shift == 63 && byte > 1) break;
    value |= static_cast<uint64_t>(byte & 0x7f) << shift;
    if (byte < 0x80) {
      at_ = at;
      return true;
    }
  }
  return Fail("a number passes 64 bits");
}

bool WireReader::Next(WireField& field) {
  if (at_ == end_) return false;
  uint64_t tag = 0;
  if (!ReadVarint(tag)) return false;
  if (tag >> 3 == 0 || tag >> 3 > kMostFieldNumber) {
    return Fail("a field number is out of range");
  }
  field.number = static_cast<uint32_t>(tag >> 3);
  field.type = static_cast<WireType>(tag & 7);
  uint64_t length = 0;
  switch (field.type) {
    case WireType::kVarint:
      return ReadVarint(field.varint);
    case WireType::kBytes:
      if (!ReadVarint(length)) return false;
      break;
    case WireType::kFixed64:
      length = 8;
      break;
    case WireType::kFixed32:
      length = 4;
      break;
    default:
      return Fail("a wire type is unknown");
  }
  if (length > static_cast<uint64_t>(end_ - at_)) {
    return Fail("it ends within a field");
  }
  field.bytes = absl::string_view(at_, length);
  at_ += length;
  return true;
}

void AppendVarint(uint64_t value, std::string& out) {
  char bytes[10];
  size_t count = 0;
  for (; value >= 0x80; value >>= 7) {
    bytes[count++] = static_cast<char>(value | 0x80);
  }
  bytes[count++] = static_cast<char>(value);
  out.append(bytes, count);
}

void AppendVarintField(uint32_t number, uint64_t value, std::string& out) {
  AppendVarint(number << 3 | static_cast<uint32_t>(WireType::kVarint), out);
  AppendVarint(value, out);
}

void AppendBytesField(uint32_t number, absl::string_view bytes,
                      std::string& out) {
  AppendVarint(number << 3 | static_cast<uint32_t>(WireType::kBytes), out);
  AppendVarint(bytes.size(), out);
  out.append(bytes.data(), bytes.size());
}

}  // namespace berth
