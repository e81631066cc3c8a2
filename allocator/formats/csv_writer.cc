// WriteCsv and ToCsvDocument of csv.h.
#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "allocator/base/check.h"
#include "allocator/formats/csv.h"
#include "allocator/formats/csv_header.h"
#include "allocator/model/instance.h"

namespace berth {
namespace {

void AppendGaps(const std::vector<Gap>& gaps, std::string& row) {
  for (size_t i = 0; i < gaps.size(); ++i) {
    absl::StrAppend(&row, i == 0 ? "" : " ", gaps[i].lower, "-", gaps[i].upper);
    if (!gaps[i].window.has_value()) continue;
    absl::StrAppend(&row, "@", gaps[i].window->lower, ":",
                    gaps[i].window->upper);
  }
}

}  // namespace

CsvDocument ToCsvDocument(const Instance& instance) {
  const auto& buffers = instance.buffers;
  const bool alignment =
      std::any_of(buffers.begin(), buffers.end(),
                  [](const Buffer& b) { return b.alignment != 1; });
  const bool gaps =
      std::any_of(buffers.begin(), buffers.end(),
                  [](const Buffer& b) { return !b.gaps.empty(); });
  CsvDocument document = {
      instance, {"id", "lower", "upper", "size"}, CsvRows()};
  if (alignment) document.columns.push_back("alignment");
  if (gaps) document.columns.push_back("gaps");
  for (const Buffer& buffer : buffers) {
    BERTH_CHECK(CsvIdFault(buffer.id) == nullptr);
    std::string row = absl::StrCat(buffer.id, ",", buffer.lower, ",",
                                   buffer.upper, ",", buffer.size);
    if (alignment) absl::StrAppend(&row, ",", buffer.alignment);
    if (gaps) {
      row += ",";
      AppendGaps(buffer.gaps, row);
    }
    document.rows.Append(row);
  }
  return document;
}

std::string WriteCsv(const CsvDocument& document) {
  const auto& buffers = document.instance.buffers;
  BERTH_CHECK(document.rows.size() == buffers.size());
  std::string out =
      absl::StrCat(absl::StrJoin(document.columns, ","), ",offset\n");
  for (size_t i = 0; i < buffers.size(); ++i) {
    absl::StrAppend(&out, document.rows[i], ",");
    if (buffers[i].offset) absl::StrAppend(&out, *buffers[i].offset);
    out += "\n";
  }
  return out;
}

std::vector<std::string> UnreadColumns(const CsvDocument& document) {
  std::vector<std::string> unread;
  for (const std::string& column : document.columns) {
    const CsvColumn meaning = CsvColumnOf(column);
    if (meaning == CsvColumn::kHint || meaning == CsvColumn::kUnknown) {
      unread.push_back(column);
    }
  }
  return unread;
}

}  // namespace berth
