// Programs as text and binary protobuf (spec §14). Works on strings; files are
// the caller's.
//
// Thread-safety: pure functions.
#ifndef BERTH_ALLOCATOR_FORMATS_PROGRAM_IO_H_
#define BERTH_ALLOCATOR_FORMATS_PROGRAM_IO_H_

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "allocator/model/program.h"

namespace berth {

enum class Format { kUnknown, kProgramText, kProgramBinary, kCsv };

// What `content` is, judged by content alone, never by a file's ending.
Format DetectFormat(absl::string_view content);

// Parses, converts and checks (CheckProgram). Errors are kInvalidArgument that
// start with `file` and, for text, "line:column", or name the field
// ("modules[0].functions[1].locations[3] 'x': ..."). Unknown fields are errors.
// Cost: O(content), memory bounded by a small multiple of content.
absl::StatusOr<Program> ReadProgramText(absl::string_view content,
                                        absl::string_view file);
absl::StatusOr<Program> ReadProgramBinary(absl::string_view content,
                                          absl::string_view file);

// Reading what was written gives an equal Program; the bytes are the same on
// every machine. Fields with default values are left out.
std::string WriteProgramText(const Program& program);
// kResourceExhausted if the message would pass protobuf's 2 GiB.
absl::StatusOr<std::string> WriteProgramBinary(const Program& program);

}  // namespace berth

#endif  // BERTH_ALLOCATOR_FORMATS_PROGRAM_IO_H_
