// An input of the tool: a program or a CSV problem, recognised by content.
#ifndef BERTH_TOOLS_CLI_INPUT_H_
#define BERTH_TOOLS_CLI_INPUT_H_

#include <string>
#include <variant>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "allocator/formats/csv.h"
#include "allocator/formats/program_io.h"
#include "allocator/model/program.h"

namespace berth {

struct Input {
  std::string path;  // as given
  Format format = Format::kUnknown;
  std::variant<Program, CsvDocument> content;

  bool is_program() const { return std::holds_alternative<Program>(content); }
  Program& program() { return std::get<Program>(content); }
  const Program& program() const { return std::get<Program>(content); }
  CsvDocument& csv() { return std::get<CsvDocument>(content); }
  const CsvDocument& csv() const { return std::get<CsvDocument>(content); }
};

// Other programs' files (tools/import) are an error that names convert.
absl::StatusOr<Input> ReadInput(const std::string& path,
                                const CsvOptions& options);
// The same of a file that is read already.
absl::StatusOr<Input> ParseInput(absl::string_view content,
                                 const std::string& path,
                                 const CsvOptions& options);

// How messages name `path`: "standard input" for "-".
std::string NameOfInput(const std::string& path);

// Writes in the format of `path`'s ending (.textproto, .pb, .csv), of the input
// where the ending says nothing. A program cannot go into a .csv here.
absl::Status WriteOutput(const Input& output, const std::string& path);

}  // namespace berth

#endif  // BERTH_TOOLS_CLI_INPUT_H_
