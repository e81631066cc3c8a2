#include "allocator/formats/csv_header.h"

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <string>
#include <system_error>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "allocator/model/check_program.h"

namespace berth {
namespace {

struct ColumnName {
  absl::string_view name;
  CsvColumn column;
};

constexpr ColumnName kColumnNames[] = {
    {"id", CsvColumn::kId},         {"buffer", CsvColumn::kId},
    {"buffer_id", CsvColumn::kId},  {"lower", CsvColumn::kLower},
    {"begin", CsvColumn::kLower},   {"start", CsvColumn::kLower},
    {"upper", CsvColumn::kUpper},   {"end", CsvColumn::kEnd},
    {"size", CsvColumn::kSize},     {"alignment", CsvColumn::kAlignment},
    {"hint", CsvColumn::kHint},     {"gaps", CsvColumn::kGaps},
    {"offset", CsvColumn::kOffset},
};

bool IsNumber(absl::string_view text) {
  int64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto result = std::from_chars(text.data(), end, value);
  return result.ec != std::errc::invalid_argument && result.ptr == end;
}

std::string UnknownColumn(absl::string_view name) {
  if (IsNumber(name)) {
    return absl::StrCat("'", name,
                        "' is no column name: the header row is missing");
  }
  if (name.substr(0, 3) == "\xef\xbb\xbf") {
    return "the file starts with a byte order mark";
  }
  return absl::StrCat("unknown column ", QuotedName(name));
}

}  // namespace

CsvColumn CsvColumnOf(absl::string_view name) {
  for (const ColumnName& known : kColumnNames) {
    if (known.name == name) return known.column;
  }
  return CsvColumn::kUnknown;
}

bool ParseCsvHeader(const std::vector<absl::string_view>& fields,
                    bool ignore_columns, CsvHeader& header, size_t& column,
                    std::string& why) {
  // The field that has each column, -1 for none.
  int32_t field_of[kCsvColumns];
  for (int32_t& field : field_of) field = -1;
  const auto has = [&](CsvColumn c) {
    return field_of[static_cast<size_t>(c)] >= 0;
  };
  for (size_t i = 0; i < fields.size(); ++i) {
    column = i + 1;
    const CsvColumn meaning = CsvColumnOf(fields[i]);
    header.columns.push_back(meaning);
    if (meaning == CsvColumn::kUnknown) {
      if (ignore_columns) continue;
      why = UnknownColumn(fields[i]);
      return false;
    }
    int32_t& field = field_of[static_cast<size_t>(meaning)];
    if (field >= 0) {
      why = absl::StrCat("'", fields[i], "' and '", fields[field],
                         "' name one column");
      return false;
    }
    field = static_cast<int32_t>(i);
    if (has(CsvColumn::kUpper) && has(CsvColumn::kEnd)) {
      why = "both upper (exclusive) and end (inclusive) are given";
      return false;
    }
  }
  header.offset_field = field_of[static_cast<size_t>(CsvColumn::kOffset)];
  column = fields.size() + 1;
  const char* missing = nullptr;
  if (!has(CsvColumn::kSize)) missing = "size";
  if (!has(CsvColumn::kUpper) && !has(CsvColumn::kEnd)) missing = "upper";
  if (!has(CsvColumn::kLower)) missing = "lower";
  if (!has(CsvColumn::kId)) missing = "id";
  if (missing == nullptr) return true;
  why = absl::StrCat("column '", missing, "' is missing");
  return false;
}

}  // namespace berth
