#include "tools/cli/input.h"

#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "allocator/base/status_macros.h"
#include "allocator/formats/csv.h"
#include "allocator/formats/program_io.h"
#include "tools/cli/files.h"
#include "tools/import/detect.h"

namespace berth {
namespace {

Format FormatOfEnding(const std::string& path, Format otherwise) {
  if (absl::EndsWith(path, ".textproto")) return Format::kProgramText;
  if (absl::EndsWith(path, ".pb")) return Format::kProgramBinary;
  if (absl::EndsWith(path, ".csv")) return Format::kCsv;
  return otherwise;
}

}  // namespace

std::string NameOfInput(const std::string& path) {
  return path == "-" ? "standard input" : path;
}

absl::StatusOr<Input> ReadInput(const std::string& path,
                                const CsvOptions& options) {
  BERTH_ASSIGN_OR_RETURN(const std::string content, ReadFile(path));
  return ParseInput(content, path, options);
}

absl::StatusOr<Input> ParseInput(absl::string_view content,
                                 const std::string& path,
                                 const CsvOptions& options) {
  const std::string name = NameOfInput(path);
  Input input;
  input.path = path;
  const import::Source foreign = import::DetectSource(content);
  if (foreign != import::Source::kNone) {
    return absl::InvalidArgumentError(
        absl::StrCat(name, ": is ", import::NameOf(foreign),
                     "; berth convert makes an input of it"));
  }
  input.format = DetectFormat(content);
  switch (input.format) {
    case Format::kProgramText: {
      BERTH_ASSIGN_OR_RETURN(input.content, ReadProgramText(content, name));
      return input;
    }
    case Format::kProgramBinary: {
      BERTH_ASSIGN_OR_RETURN(input.content, ReadProgramBinary(content, name));
      return input;
    }
    case Format::kCsv: {
      BERTH_ASSIGN_OR_RETURN(input.content, ReadCsv(content, name, options));
      return input;
    }
    case Format::kUnknown:
      break;
  }
  return absl::InvalidArgumentError(absl::StrCat(
      name,
      ": neither a program (text or binary protobuf) nor a CSV problem "
      "with a header row"));
}

absl::Status WriteOutput(const Input& output, const std::string& path) {
  const Format format = FormatOfEnding(path, output.format);
  if (output.is_program() != (format != Format::kCsv)) {
    return absl::InvalidArgumentError(absl::StrCat(
        path, ": ", output.is_program() ? "a program" : "a CSV problem",
        " is not written in this format; see berth convert"));
  }
  if (format == Format::kCsv) return WriteFile(path, WriteCsv(output.csv()));
  if (format == Format::kProgramText) {
    return WriteFile(path, WriteProgramText(output.program()));
  }
  BERTH_ASSIGN_OR_RETURN(const std::string bytes,
                         WriteProgramBinary(output.program()));
  return WriteFile(path, bytes);
}

}  // namespace berth
