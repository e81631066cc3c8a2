// CSV placement problems (spec §14). Works on strings; files are the caller's.
//
// Thread-safety: pure functions.
#ifndef BERTH_ALLOCATOR_FORMATS_CSV_H_
#define BERTH_ALLOCATOR_FORMATS_CSV_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "allocator/model/instance.h"

namespace berth {

struct CsvOptions {
  bool ignore_columns = false;  // --ignore-columns: unknown columns are kept, not read
};

// A CSV as read: the problem, and what is needed to write its columns again.
struct CsvDocument {
  Instance instance;
  // Header names in file order, the offset column left out.
  std::vector<std::string> columns;
  // Per buffer its fields, joined by commas, the offset column left out.
  std::vector<std::string> rows;
};

// kInvalidArgument "file:line:column: ..." for every oddity of spec §14.
// Columns count fields from 1. Cost: O(content).
absl::StatusOr<CsvDocument> ReadCsv(absl::string_view content,
                                    absl::string_view file,
                                    const CsvOptions& options);

// Columns id,lower,upper,size, then alignment and gaps where any buffer has
// them; for an Instance that did not come from a CSV.
CsvDocument ToCsvDocument(const Instance& instance);

// Input columns and order, `offset` last (empty where a buffer has none), taken
// from document.instance. Lines end in LF.
std::string WriteCsv(const CsvDocument& document);

}  // namespace berth

#endif  // BERTH_ALLOCATOR_FORMATS_CSV_H_
