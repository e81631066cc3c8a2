// Whole files in and out, for the tool. The only place that touches the disk.
#ifndef BERTH_TOOLS_CLI_FILES_H_
#define BERTH_TOOLS_CLI_FILES_H_

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace berth {

// Larger inputs are refused before they are read: protobuf holds no more.
inline constexpr uint64_t kMaxInputBytes = (uint64_t{1} << 31) - 1;

// The content of `path`, of standard input for "-". Reads at most
// kMaxInputBytes. kInvalidArgument that names the path and the reason.
absl::StatusOr<std::string> ReadFile(const std::string& path);

// Writes by way of a neighbouring temporary file and a rename, so that a reader
// never sees half of it; to standard output for "-"; straight to anything that
// is not a regular file (a pipe, /dev/null).
absl::Status WriteFile(const std::string& path, absl::string_view content);

}  // namespace berth

#endif  // BERTH_TOOLS_CLI_FILES_H_
