// NameFault and QuotedName of check_program.h.
#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "allocator/model/check_program.h"

namespace berth {
namespace {

// The length of the well-formed UTF-8 sequence that `text` starts with and its
// code point, or 0: Unicode's table 3-7 (no overlong form, no surrogate, none
// above U+10FFFF). REQUIRES: text is not empty.
size_t DecodeOne(absl::string_view text, uint32_t& code_point) {
  const auto byte = [&](size_t i) { return static_cast<uint8_t>(text[i]); };
  const uint8_t lead = byte(0);
  if (lead < 0x80) {
    code_point = lead;
    return 1;
  }
  const size_t length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || text.size() < length) return 0;
  code_point = lead & (0x7f >> length);
  for (size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return 0;
    code_point = code_point << 6 | (byte(i) & 0x3f);
  }
  const bool overlong = (length == 3 && code_point < 0x800) ||
                        (length == 4 && code_point < 0x10000);
  const bool surrogate = code_point >= 0xd800 && code_point <= 0xdfff;
  return overlong || surrogate || code_point > 0x10ffff ? 0 : length;
}

}  // namespace

const char* NameFault(absl::string_view name) {
  if (name.empty()) return "is empty";
  for (size_t i = 0; i < name.size();) {
    uint32_t code_point = 0;
    const size_t length = DecodeOne(name.substr(i), code_point);
    if (length == 0) return "is not valid UTF-8";
    if (code_point < 0x20 || (code_point >= 0x7f && code_point < 0xa0)) {
      return "has a control character";
    }
    i += length;
  }
  return nullptr;
}

std::string QuotedName(absl::string_view name) {
  if (name.empty() || NameFault(name) == nullptr) {
    return absl::StrCat("'", name, "'");
  }
  return absl::StrCat("'", absl::CHexEscape(name), "'");
}

}  // namespace berth
