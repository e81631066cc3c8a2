// Names as text: code points for the raster font, escapes for XML and HTML.
// Internal to tools/show.
#ifndef BERTH_TOOLS_SHOW_UTF8_H_
#define BERTH_TOOLS_SHOW_UTF8_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace berth::show {

inline constexpr uint32_t kReplacement = 0xfffd;

// The code points of `text`; every byte that is not part of well-formed UTF-8,
// and every code point that XML 1.0 cannot hold, gives U+FFFD.
std::vector<uint32_t> DecodeUtf8(absl::string_view text);

// `text` for XML or HTML content and quoted attributes, line ends kept.
std::string EscapeXml(absl::string_view text);

}  // namespace berth::show

#endif  // BERTH_TOOLS_SHOW_UTF8_H_
