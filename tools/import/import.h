// Other programs' files as programs and placement problems: ONNX models, XLA's
// buffer assignments, malloc traces. Works on strings; files are the caller's.
//
// Thread-safety: pure functions.
#ifndef BERTH_TOOLS_IMPORT_IMPORT_H_
#define BERTH_TOOLS_IMPORT_IMPORT_H_

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "tools/import/detect.h"
#include "tools/import/imported.h"

namespace berth::import {

// Reads `content`, which DetectSource() said to be of `source`; `file` names it
// in errors. kInvalidArgument names the line, the tensor or the node.
// REQUIRES: source is not kNone. Cost: O(content), beside ONNX's own inference.
absl::StatusOr<Imported> Import(Source source, absl::string_view content,
                                absl::string_view file, const Options& options);

}  // namespace berth::import

#endif  // BERTH_TOOLS_IMPORT_IMPORT_H_
