// The header row of a CSV: which column means what. Part of csv.h.
#ifndef BERTH_ALLOCATOR_FORMATS_CSV_HEADER_H_
#define BERTH_ALLOCATOR_FORMATS_CSV_HEADER_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace berth {

enum class CsvColumn : uint8_t {
  kId,
  kLower,
  kUpper,  // exclusive
  kEnd,    // inclusive
  kSize,
  kAlignment,
  kHint,
  kGaps,
  kOffset,
  kUnknown,
};
inline constexpr size_t kCsvColumns = 9;  // without kUnknown

// What a header name means: every name and alias of spec §14.
CsvColumn CsvColumnOf(absl::string_view name);

struct CsvHeader {
  std::vector<CsvColumn> columns;  // by field
  int32_t offset_field = -1;       // -1: no such column
};

// Reads the fields of a header row. False: `column` (from 1) has fault `why`.
bool ParseCsvHeader(const std::vector<absl::string_view>& fields,
                    bool ignore_columns, CsvHeader& header, size_t& column,
                    std::string& why);

}  // namespace berth

#endif  // BERTH_ALLOCATOR_FORMATS_CSV_HEADER_H_
