#include "tools/import/import.h"

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "allocator/base/check.h"
#include "tools/import/malloc_trace.h"
#include "tools/import/onnx.h"
#include "tools/import/xla.h"

namespace berth::import {

absl::StatusOr<Imported> Import(Source source, absl::string_view content,
                                absl::string_view file,
                                const Options& options) {
  switch (source) {
    case Source::kNone:
      break;
    case Source::kOnnx:
      return FromOnnx(content, file, options);
    case Source::kXlaAssignment:
      return FromXlaAssignment(content, file, options);
    case Source::kXlaBufferInfo:
      return FromXlaBufferInfo(content, file, options);
    case Source::kHeaptrack:
      return FromHeaptrack(content, file);
    case Source::kLtrace:
      return FromLtrace(content, file);
  }
  BERTH_CHECK(false && "Source");
}

}  // namespace berth::import
