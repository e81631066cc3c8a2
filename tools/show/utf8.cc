#include "tools/show/utf8.h"

namespace berth::show {
namespace {

bool AllowedInXml(uint32_t code) {
  if (code == '\t' || code == '\n') return true;
  if (code < 0x20 || code == 0x7f) return false;
  return code < 0xd800 || (code > 0xdfff && code < 0xfffe) ||
         (code > 0xffff && code <= 0x10ffff);
}

// Decodes one code point at `at` and moves past it; one byte if malformed.
uint32_t DecodeOne(absl::string_view text, size_t& at) {
  const auto byte = [&](size_t i) {
    return i < text.size() ? static_cast<uint8_t>(text[i]) : 0u;
  };
  const uint32_t lead = byte(at);
  int following = 0;
  uint32_t least = 0;
  uint32_t code = lead;
  if (lead >= 0xf0 && lead < 0xf8) {
    following = 3, least = 0x10000, code = lead & 0x07;
  } else if (lead >= 0xe0) {
    following = 2, least = 0x800, code = lead & 0x0f;
  } else if (lead >= 0xc0) {
    following = 1, least = 0x80, code = lead & 0x1f;
  }
  if ((lead >= 0x80 && lead < 0xc0) || lead >= 0xf8) {
    ++at;
    return kReplacement;
  }
  for (int i = 1; i <= following; ++i) {
    if ((byte(at + i) & 0xc0) != 0x80) {
      ++at;
      return kReplacement;
    }
    code = code << 6 | (byte(at + i) & 0x3f);
  }
  if (code < least || !AllowedInXml(code)) {
    ++at;
    return kReplacement;
  }
  at += 1 + following;
  return code;
}

void AppendUtf8(uint32_t code, std::string& text) {
  if (code < 0x80) {
    text += static_cast<char>(code);
    return;
  }
  const int following = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
  constexpr uint8_t kLead[] = {0, 0xc0, 0xe0, 0xf0};
  text += static_cast<char>(kLead[following] | code >> (6 * following));
  for (int i = following - 1; i >= 0; --i) {
    text += static_cast<char>(0x80 | ((code >> (6 * i)) & 0x3f));
  }
}

}  // namespace

std::vector<uint32_t> DecodeUtf8(absl::string_view text) {
  std::vector<uint32_t> codes;
  for (size_t at = 0; at < text.size();) codes.push_back(DecodeOne(text, at));
  return codes;
}

std::string EscapeXml(absl::string_view text) {
  std::string escaped;
  for (uint32_t code : DecodeUtf8(text)) {
    switch (code) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      default:
        AppendUtf8(code, escaped);
    }
  }
  return escaped;
}

}  // namespace berth::show
