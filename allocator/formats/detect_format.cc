// DetectFormat of program_io.h.
#include <algorithm>
#include <cstddef>

#include "absl/strings/ascii.h"
#include "absl/strings/string_view.h"
#include "allocator/formats/program_io.h"
#include "allocator/formats/wire.h"

namespace berth {
namespace {

// A Program message has a comment and modules, and at least one module tells it
// from text: its tag is a control character.
bool LooksBinary(absl::string_view content) {
  constexpr char kCommentTag = 0x0a;
  constexpr char kModuleTag = 0x12;
  while (!content.empty() && content[0] == kCommentTag) {
    const char* const begin = content.data();
    WireReader reader(content);
    WireField comment;
    if (!reader.Next(comment)) return false;
    content.remove_prefix(reader.position() - begin);
  }
  return !content.empty() && content[0] == kModuleTag;
}

// Drops white space and `#` lines.
absl::string_view SkipBlank(absl::string_view text) {
  while (!text.empty()) {
    if (absl::ascii_isspace(static_cast<unsigned char>(text[0]))) {
      text.remove_prefix(1);
    } else if (text[0] == '#') {
      text.remove_prefix(std::min(text.find('\n'), text.size()));
    } else {
      break;
    }
  }
  return text;
}

}  // namespace

Format DetectFormat(absl::string_view content) {
  if (LooksBinary(content)) return Format::kProgramBinary;
  if (content.substr(0, 3) == "\xef\xbb\xbf") content.remove_prefix(3);
  const absl::string_view text = SkipBlank(content);
  size_t length = 0;
  while (length < text.size() &&
         (absl::ascii_isalnum(static_cast<unsigned char>(text[length])) ||
          text[length] == '_')) {
    ++length;
  }
  const absl::string_view rest = SkipBlank(text.substr(length));
  if (length > 0 && !rest.empty() &&
      (rest[0] == '{' || rest[0] == ':' || rest[0] == '<')) {
    return Format::kProgramText;
  }
  const absl::string_view line = text.substr(0, text.find('\n'));
  for (const char c : line) {
    if (absl::ascii_iscntrl(static_cast<unsigned char>(c)) && c != '\r' &&
        c != '\t') {
      return Format::kUnknown;
    }
  }
  return line.find(',') == absl::string_view::npos ? Format::kUnknown
                                                   : Format::kCsv;
}

}  // namespace berth
