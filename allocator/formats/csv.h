// CSV placement problems (spec §14). Works on strings; files are the caller's.
//
//   id,lower,upper,size,gaps
//   a,0,9,4096,3-5 6-7@0:512
//
// Nothing of `a` is live at 3 and 4; at 6 only its first 512 bytes are.
// Every field is taken as it stands: quotes and spaces mean nothing, and a
// field that starts with a double quote is refused, since others give it a
// meaning.
//
// Thread-safety: pure functions.
#ifndef BERTH_ALLOCATOR_FORMATS_CSV_H_
#define BERTH_ALLOCATOR_FORMATS_CSV_H_

#include <cstddef>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "allocator/model/instance.h"

namespace berth {

struct CsvOptions {
  // --ignore-columns: unknown columns are kept, not read.
  bool ignore_columns = false;
};

// The rows of a CSV as text, the offset column left out: one string rather than
// one per row, since a million rows are a million allocations otherwise.
class CsvRows {
 public:
  size_t size() const { return ends_.size(); }
  // The fields of row i, joined by commas. REQUIRES: i < size().
  absl::string_view operator[](size_t i) const {
    const size_t begin = i == 0 ? 0 : ends_[i - 1];
    return absl::string_view(text_).substr(begin, ends_[i] - begin);
  }
  void Reserve(size_t rows, size_t bytes) {
    ends_.reserve(rows);
    text_.reserve(bytes);
  }
  // The next row: `first` and behind it `second`.
  void Append(absl::string_view first, absl::string_view second = {}) {
    text_.append(first.data(), first.size());
    text_.append(second.data(), second.size());
    ends_.push_back(text_.size());
  }

 private:
  std::string text_;
  std::vector<size_t> ends_;  // of each row in text_
};

// A CSV as read: the problem, and what is needed to write its columns again.
struct CsvDocument {
  Instance instance;
  // Header names in file order, the offset column left out.
  std::vector<std::string> columns;
  // One for each buffer, fields as `columns`.
  CsvRows rows;
};

// kInvalidArgument "file:line:column: ..." for every oddity of spec §14.
// Lines are those of the file; columns count fields from 1. Cost: O(content).
absl::StatusOr<CsvDocument> ReadCsv(absl::string_view content,
                                    absl::string_view file,
                                    const CsvOptions& options);

// Columns id,lower,upper,size, then alignment and gaps where any buffer has
// them; for an Instance that did not come from a CSV.
// REQUIRES: CsvIdFault() has nothing against any id.
CsvDocument ToCsvDocument(const Instance& instance);

// Input columns and order, `offset` last (empty where a buffer has none), taken
// from document.instance. Lines end in LF.
// REQUIRES: a row for each buffer.
std::string WriteCsv(const CsvDocument& document);

// Why `id` cannot be an id ("has a comma", or what NameFault() says), or
// nullptr. Cost: O(id).
const char* CsvIdFault(absl::string_view id);

// The columns of `document` that are kept but not in its instance (`hint` and
// those that --ignore-columns let pass), for converters to name.
std::vector<std::string> UnreadColumns(const CsvDocument& document);

}  // namespace berth

#endif  // BERTH_ALLOCATOR_FORMATS_CSV_H_
