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

// Parses, converts and checks (CheckProgram). Errors are kInvalidArgument:
//   text:   "file:12:7: core 0, function 'main', location 'x': ..."
//   binary: "file: modules[0].functions[1].locations[3].usage: core 0, ..."
// Lines and columns count from 1; a tab goes to the next multiple of 8. Unknown
// fields and enum values are errors, and so is 2 GiB or more.
// Cost: O(content). Memory beside the program: binary, an index of the names of
// one function; text, a small multiple of content.
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
