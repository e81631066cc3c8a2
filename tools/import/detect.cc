#include "tools/import/detect.h"

#include <algorithm>
#include <cstddef>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/string_view.h"
#include "allocator/formats/wire.h"
#include "tools/import/trace_line.h"

namespace berth::import {
namespace {

// A ModelProto is written with its version first, which is field 1, a number;
// Berth's own programs never start so. It has a graph, be it cut off.
bool LooksOnnx(absl::string_view content) {
  constexpr uint32_t kVersion = 1;
  constexpr uint32_t kGraph = 7;
  WireReader reader(content);
  WireField field;
  if (!reader.Next(field) || !field.IsVarint(kVersion)) return false;
  while (reader.Next(field)) {
    if (field.IsBytes(kGraph)) return true;
  }
  return reader.fault() != nullptr && field.number == kGraph;
}

// heaptrack's first line: "v", then its version and that of the format in hex.
bool LooksHeaptrack(absl::string_view line) {
  if (!absl::StartsWith(line, "v ")) return false;
  line.remove_prefix(2);
  return !line.empty() && std::all_of(line.begin(), line.end(), [](char c) {
    return absl::ascii_isxdigit(static_cast<unsigned char>(c)) || c == ' ';
  });
}

bool IsWhole(TraceLine::Kind kind) {
  return kind == TraceLine::Kind::kCall || kind == TraceLine::Kind::kBegin;
}

}  // namespace

Source DetectSource(absl::string_view content) {
  if (LooksOnnx(content)) return Source::kOnnx;
  constexpr int kLinesLookedAt = 200;
  bool first = true;
  for (int i = 0; i < kLinesLookedAt && !content.empty(); ++i) {
    const size_t length = std::min(content.find('\n'), content.size());
    const absl::string_view line =
        absl::StripAsciiWhitespace(content.substr(0, length));
    content.remove_prefix(std::min(length + 1, content.size()));
    if (line.empty() || line[0] == '#') continue;
    if (first) {
      if (line == "BufferAssignment:" ||
          absl::StartsWith(line, "HloLiveRange (max ")) {
        return Source::kXlaAssignment;
      }
      if (absl::StartsWith(line, "buffer_id,buffer_name,") &&
          absl::StrContains(line, ",definition_time,end_time,")) {
        return Source::kXlaBufferInfo;
      }
      if (LooksHeaptrack(line)) return Source::kHeaptrack;
    }
    first = false;
    // A program may do much before its first malloc; ltrace shows it all. A
    // quote means that the call is somebody's name.
    if (line.find('"') == absl::string_view::npos &&
        IsWhole(ParseTraceLine(line).kind)) {
      return Source::kLtrace;
    }
  }
  return Source::kNone;
}

absl::string_view NameOf(Source source) {
  switch (source) {
    case Source::kNone:
      break;
    case Source::kOnnx:
      return "an ONNX model";
    case Source::kXlaAssignment:
      return "an XLA buffer assignment";
    case Source::kXlaBufferInfo:
      return "an XLA buffer-info CSV";
    case Source::kHeaptrack:
      return "heaptrack data";
    case Source::kLtrace:
      return "an ltrace log";
  }
  return "no file of another program";
}

}  // namespace berth::import
