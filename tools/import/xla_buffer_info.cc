// FromXlaBufferInfo of xla.h.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "allocator/base/status_macros.h"
#include "allocator/model/instance.h"
#include "tools/import/lines.h"
#include "tools/import/xla.h"
#include "tools/import/xla_value.h"

namespace berth::import {
namespace {

// The fields of a line; one in double quotes may hold commas.
std::vector<absl::string_view> SplitQuoted(absl::string_view line) {
  std::vector<absl::string_view> fields;
  while (true) {
    size_t end = 0;
    if (!line.empty() && line[0] == '"') {
      end = line.find('"', 1);
      if (end == absl::string_view::npos) end = line.size();
    }
    const size_t comma = line.find(',', end);
    absl::string_view field = line.substr(0, comma);
    if (field.size() >= 2 && field.front() == '"' && field.back() == '"') {
      field = field.substr(1, field.size() - 2);
    }
    fields.push_back(field);
    if (comma == absl::string_view::npos) return fields;
    line.remove_prefix(comma + 1);
  }
}

}  // namespace

absl::StatusOr<Imported> FromXlaBufferInfo(absl::string_view content,
                                           absl::string_view file,
                                           const Options& options) {
  Lines lines(content, file);
  absl::string_view line;
  std::vector<absl::string_view> header;
  Instance instance;
  size_t elsewhere = 0;
  constexpr std::array<absl::string_view, 5> kColumns = {
      "buffer_id", "buffer_name", "size", "definition_time", "end_time"};
  std::array<size_t, kColumns.size()> at = {};
  while (lines.Next(line)) {
    if (absl::StripAsciiWhitespace(line).empty()) continue;
    const std::vector<absl::string_view> fields = SplitQuoted(line);
    if (header.empty()) {
      header = fields;
      for (size_t i = 0; i < kColumns.size(); ++i) {
        at[i] = std::find(header.begin(), header.end(), kColumns[i]) -
                header.begin();
        if (at[i] == header.size()) {
          return lines.Fault(
              absl::StrCat("column '", kColumns[i], "' is missing"));
        }
      }
      continue;
    }
    if (fields.size() != header.size()) {
      return lines.Fault(absl::StrCat(
          fields.size(), " fields, and the header has ", header.size()));
    }
    XlaValue value;
    int64_t id = 0;
    if (!absl::SimpleAtoi(fields[at[0]], &id) ||
        !ParseValueName(fields[at[1]], value) || id != value.id) {
      return lines.Fault("buffer_name is not of the form <buffer_id name @0>");
    }
    if (!absl::SimpleAtoi(fields[at[2]], &value.size_bytes) ||
        !absl::SimpleAtoi(fields[at[3]], &value.lo) ||
        !absl::SimpleAtoi(fields[at[4]], &value.hi)) {
      return lines.Fault("size, definition_time or end_time is no integer");
    }
    if (value.color != options.xla_color) {
      ++elsewhere;
      continue;
    }
    absl::StatusOr<Buffer> buffer = ToBuffer(value, file);
    if (!buffer.ok()) return buffer.status();
    instance.buffers.push_back(*std::move(buffer));
  }
  BERTH_RETURN_IF_ERROR(CheckUnique(instance, file));
  Imported imported;
  imported.content = std::move(instance);
  imported.notes.push_back("XLA's own offsets are left out");
  imported.notes.push_back(
      "parameters, outputs and aliases cannot be told: all are buffers");
  NoteCount(elsewhere, " values of other memory spaces are left out",
            imported.notes);
  return imported;
}

}  // namespace berth::import
