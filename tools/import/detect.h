// Which other program wrote a file, judged by its content alone.
#ifndef BERTH_TOOLS_IMPORT_DETECT_H_
#define BERTH_TOOLS_IMPORT_DETECT_H_

#include <cstdint>

#include "absl/strings/string_view.h"

namespace berth::import {

enum class Source : uint8_t {
  kNone,
  kOnnx,           // a ModelProto
  kXlaAssignment,  // XLA's ...-buffer-assignment.txt
  kXlaBufferInfo,  // the CSV of XLA's BufferInfoString()
  kHeaptrack,      // heaptrack's data, uncompressed
  kLtrace,         // lines of malloc(24) = 0x5581...
};

// kNone for anything that Berth itself writes. Thread-safety: pure. Cost: for
// ONNX the number of its top-level fields, else the first lines.
Source DetectSource(absl::string_view content);

// "an ONNX model".
absl::string_view NameOf(Source source);

}  // namespace berth::import

#endif  // BERTH_TOOLS_IMPORT_DETECT_H_
