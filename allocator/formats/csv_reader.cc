// ReadCsv of csv.h.
#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "allocator/base/check.h"
#include "allocator/base/int_math.h"
#include "allocator/formats/csv.h"
#include "allocator/formats/csv_header.h"
#include "allocator/model/check_program.h"
#include "allocator/model/first_duplicate.h"
#include "allocator/model/instance.h"

namespace berth {
namespace {

constexpr int64_t kMostInt64 = std::numeric_limits<int64_t>::max();
constexpr int64_t kLeastInt64 = std::numeric_limits<int64_t>::min();
// No row is shorter than "a,0,1,0\n".
constexpr size_t kLeastRowBytes = 8;

// find_first_not_of() makes a table for each call.
bool IsBlank(absl::string_view line) {
  return std::all_of(line.begin(), line.end(),
                     [](char c) { return c == ' ' || c == '\t'; });
}

class CsvReader {
 public:
  CsvReader(absl::string_view content, absl::string_view file,
            const CsvOptions& options)
      : content_(content), rest_(content), file_(file), options_(options) {}

  absl::StatusOr<CsvDocument> Read() {
    const size_t lines =
        std::count(rest_.begin(), rest_.end(), '\n') + size_t{1};
    const size_t most_rows = std::min(lines, rest_.size() / kLeastRowBytes);
    document_.instance.buffers.reserve(most_rows);
    document_.rows.Reserve(most_rows, rest_.size());
    if (!ReadHeader()) return status_;
    bool ok = true;
    while (ok && NextLine()) ok = ReadRow();
    // Ids of the rows before a fault come before it.
    ok = CheckUniqueIds() && ok;
    if (!ok) return status_;
    return std::move(document_);
  }

 private:
  // Records the fault of field `column` (from 1) of the current line.
  bool Fail(size_t column, absl::string_view why) {
    status_ = absl::InvalidArgumentError(
        absl::StrCat(file_, ":", line_number_, ":", column, ": ", why));
    return false;
  }

  // The next line that is neither blank nor a `#` line, without its CR.
  bool NextLine() {
    while (!rest_.empty()) {
      ++line_number_;
      const size_t length = std::min(rest_.find('\n'), rest_.size());
      line_ = rest_.substr(0, length);
      rest_.remove_prefix(std::min(length + 1, rest_.size()));
      if (!line_.empty() && line_.back() == '\r') line_.remove_suffix(1);
      if (!IsBlank(line_) && line_[0] != '#') return true;
    }
    return false;
  }

  bool ReadHeader() {
    if (!NextLine()) {
      line_number_ = std::max<int64_t>(line_number_, 1);
      return Fail(1, "no header row");
    }
    fields_ = absl::StrSplit(line_, ',');
    size_t column = 0;
    std::string why;
    for (size_t i = 0; i < fields_.size(); ++i) {
      if (!CheckQuote(i)) return false;
    }
    if (!ParseCsvHeader(fields_, options_.ignore_columns, header_, column,
                        why)) {
      return Fail(column, why);
    }
    for (size_t i = 0; i < fields_.size(); ++i) {
      if (static_cast<int32_t>(i) == header_.offset_field) continue;
      document_.columns.emplace_back(fields_[i]);
    }
    return true;
  }

  bool CheckQuote(size_t field) {
    return fields_[field].empty() || fields_[field][0] != '"' ||
           Fail(field + 1,
                "a field starts with a double quote, which has no "
                "meaning here");
  }

  bool SplitRow() {
    const size_t expected = header_.columns.size();
    size_t count = 0;
    for (absl::string_view rest = line_;; ++count) {
      const size_t comma = rest.find(',');
      if (count < expected) fields_[count] = rest.substr(0, comma);
      if (comma == absl::string_view::npos) break;
      rest.remove_prefix(comma + 1);
    }
    ++count;
    return count == expected ||
           Fail(std::min(count, expected) + 1,
                absl::StrCat(count, " fields, and the header has ", expected));
  }

  bool ReadRow() {
    if (document_.rows.size() + 1 >= static_cast<size_t>(kMaxCount)) {
      return Fail(1, "2^31 - 2 buffers are the most");
    }
    if (!SplitRow()) return false;
    Buffer buffer;
    for (size_t i = 0; i < fields_.size(); ++i) {
      if (!CheckQuote(i) || !ReadField(i, buffer)) return false;
    }
    if (!CheckLifetime(buffer) || !CheckWindows(buffer)) return false;
    KeepRow();
    document_.instance.buffers.push_back(std::move(buffer));
    return true;
  }

  bool ReadField(size_t i, Buffer& buffer) {
    switch (header_.columns[i]) {
      case CsvColumn::kId:
        return ReadId(i, buffer);
      case CsvColumn::kLower:
        return ReadInt(i, "lower", kLeastInt64, buffer.lower);
      case CsvColumn::kUpper:
        upper_field_ = i;
        return ReadInt(i, "upper", kLeastInt64, buffer.upper);
      case CsvColumn::kEnd:
        upper_field_ = i;
        if (!ReadInt(i, "end", kLeastInt64, buffer.upper)) return false;
        if (buffer.upper == kMostInt64) {
          return Fail(i + 1, absl::StrCat("end ", buffer.upper,
                                          ": 2^63 - 2 is the most"));
        }
        ++buffer.upper;
        return true;
      case CsvColumn::kSize:
        return ReadUnsigned(i, "size", 0, buffer.size);
      case CsvColumn::kAlignment:
        return ReadUnsigned(i, "alignment", 1, buffer.alignment);
      case CsvColumn::kGaps:
        gaps_field_ = i;
        return ReadGaps(i, buffer);
      case CsvColumn::kOffset:
        if (fields_[i].empty() || fields_[i] == "-1") return true;
        return ReadUnsigned(i, "offset", 0, buffer.offset.emplace());
      case CsvColumn::kHint:
      case CsvColumn::kUnknown:
        return true;
    }
    BERTH_CHECK(false && "CsvColumn");
  }

  bool ReadId(size_t i, Buffer& buffer) {
    const char* const why = CsvIdFault(fields_[i]);
    if (why != nullptr) {
      return Fail(i + 1, absl::StrCat("id ", QuotedName(fields_[i]), " ", why));
    }
    id_field_ = i;
    buffer.id = std::string(fields_[i]);
    return true;
  }

  bool CheckUniqueIds() {
    const std::vector<Buffer>& buffers = document_.instance.buffers;
    const auto same = FirstDuplicate(
        static_cast<int32_t>(buffers.size()),
        [&](int32_t i) { return absl::string_view(buffers[i].id); });
    if (!same) return true;
    const int64_t first = LineOfRow(same->first);
    line_number_ = LineOfRow(same->second);
    return Fail(id_field_ + 1,
                absl::StrCat("id ", QuotedName(buffers[same->second].id),
                             " is used twice, first in line ", first));
  }

  // Reads the content again: lines are asked for by faults alone.
  int64_t LineOfRow(int32_t row) {
    rest_ = content_;
    line_number_ = 0;
    for (int32_t i = -1; i <= row; ++i) NextLine();  // row -1: the header
    return line_number_;
  }

  // `text`, a part of field `i`, as an integer of at least `least`.
  bool ParseInt(size_t i, absl::string_view text, absl::string_view what,
                int64_t least, int64_t& value) {
    const char* const end = text.data() + text.size();
    const auto result = std::from_chars(text.data(), end, value);
    const absl::string_view stated = text.substr(0, 40);  // it can be long
    if (result.ec == std::errc::invalid_argument || result.ptr != end) {
      return Fail(i + 1, absl::StrCat(what, " ", QuotedName(stated),
                                      " is not an integer"));
    }
    if (result.ec == std::errc::result_out_of_range || value < least) {
      return Fail(i + 1, absl::StrCat(what, " ", stated, " is not within ",
                                      least, " to 2^63 - 1"));
    }
    return true;
  }
  bool ReadInt(size_t i, absl::string_view what, int64_t least,
               int64_t& value) {
    return ParseInt(i, fields_[i], what, least, value);
  }
  bool ReadUnsigned(size_t i, absl::string_view what, int64_t least,
                    uint64_t& value) {
    int64_t given = 0;
    if (!ReadInt(i, what, least, given)) return false;
    value = static_cast<uint64_t>(given);
    return true;
  }

  // "3-5 -2--1 7-9@0:512": half-open, separated by single spaces.
  bool ReadGaps(size_t i, Buffer& buffer) {
    for (absl::string_view rest = fields_[i]; !rest.empty();) {
      const size_t space = rest.find(' ');
      const absl::string_view text = rest.substr(0, space);
      const size_t at = text.find('@');
      const absl::string_view times = text.substr(0, at);
      // The dash between the two; the first may be a sign.
      const size_t dash = times.find('-', 1);
      if (dash == absl::string_view::npos) {
        return Fail(i + 1, absl::StrCat("gap ", QuotedName(text),
                                        " is not of the form lo-hi"));
      }
      Gap gap;
      if (!ParseInt(i, times.substr(0, dash), "gap start", kLeastInt64,
                    gap.lower) ||
          !ParseInt(i, times.substr(dash + 1), "gap end", kLeastInt64,
                    gap.upper)) {
        return false;
      }
      if (at != absl::string_view::npos &&
          !ReadWindow(i, text.substr(at + 1), gap)) {
        return false;
      }
      if (gap.lower >= gap.upper) {
        return Fail(i + 1, absl::StrCat("gap ", text, " is empty"));
      }
      if (!buffer.gaps.empty() && gap.lower < buffer.gaps.back().upper) {
        return Fail(i + 1, absl::StrCat("gap ", text, " starts before ",
                                        buffer.gaps.back().upper,
                                        ", where the one before it ends"));
      }
      buffer.gaps.push_back(gap);
      if (space == absl::string_view::npos) break;
      rest.remove_prefix(space + 1);
      if (rest.empty()) return Fail(i + 1, "gaps end with a space");
    }
    return true;
  }

  // "0:512": the bytes that stay taken in the gap, half-open.
  bool ReadWindow(size_t i, absl::string_view text, Gap& gap) {
    const size_t colon = text.find(':');
    if (colon == absl::string_view::npos) {
      return Fail(i + 1, absl::StrCat("window ", QuotedName(text),
                                      " is not of the form first:end"));
    }
    int64_t lower = 0;
    int64_t upper = 0;
    if (!ParseInt(i, text.substr(0, colon), "window start", 0, lower) ||
        !ParseInt(i, text.substr(colon + 1), "window end", 0, upper)) {
      return false;
    }
    if (lower >= upper) {
      return Fail(i + 1, absl::StrCat("window ", text, " is empty"));
    }
    gap.window = {static_cast<uint64_t>(lower), static_cast<uint64_t>(upper)};
    return true;
  }

  bool CheckWindows(const Buffer& buffer) {
    for (const Gap& gap : buffer.gaps) {
      if (!gap.window.has_value() || gap.window->upper <= buffer.size) continue;
      return Fail(
          gaps_field_ + 1,
          absl::StrCat("window ", gap.window->lower, ":", gap.window->upper,
                       " ends past the size ", buffer.size));
    }
    return true;
  }

  bool CheckLifetime(const Buffer& buffer) {
    if (buffer.lower >= buffer.upper) {
      const bool inclusive = header_.columns[upper_field_] == CsvColumn::kEnd;
      return Fail(
          upper_field_ + 1,
          absl::StrCat(inclusive ? "end " : "upper ",
                       buffer.upper - (inclusive ? 1 : 0),
                       inclusive ? " is below lower " : " is not above lower ",
                       buffer.lower));
    }
    if (buffer.gaps.empty() || (buffer.gaps.front().lower > buffer.lower &&
                                buffer.gaps.back().upper < buffer.upper)) {
      return true;
    }
    return Fail(gaps_field_ + 1,
                absl::StrCat("gaps are not strictly inside the lifetime [",
                             buffer.lower, ", ", buffer.upper, ")"));
  }

  // The line without its offset field and one of the commas around it.
  void KeepRow() {
    if (header_.offset_field < 0) {
      document_.rows.Append(line_);
      return;
    }
    const absl::string_view offset = fields_[header_.offset_field];
    const size_t begin = offset.data() - line_.data();
    const size_t end = begin + offset.size();
    if (begin == 0) {
      document_.rows.Append(line_.substr(end + 1));
    } else {
      document_.rows.Append(line_.substr(0, begin - 1), line_.substr(end));
    }
  }

  const absl::string_view content_;
  absl::string_view rest_;  // what NextLine() has not come to
  absl::string_view file_;
  const CsvOptions& options_;
  CsvDocument document_;
  CsvHeader header_;
  absl::Status status_;
  absl::string_view line_;
  int64_t line_number_ = 0;
  std::vector<absl::string_view> fields_;
  size_t id_field_ = 0;
  size_t upper_field_ = 0;
  size_t gaps_field_ = 0;
};

}  // namespace

const char* CsvIdFault(absl::string_view id) {
  if (const char* const why = NameFault(id)) return why;
  if (id.find(',') != absl::string_view::npos) return "has a comma";
  if (id[0] == '"') return "starts with a double quote";
  if (id[0] == '#') return "starts with a number sign, as comments do";
  return nullptr;
}

absl::StatusOr<CsvDocument> ReadCsv(absl::string_view content,
                                    absl::string_view file,
                                    const CsvOptions& options) {
  return CsvReader(content, file, options).Read();
}

}  // namespace berth
