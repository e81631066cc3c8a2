// The CSV reader: any bytes are read or refused with a message; what is read
// keeps the rules, and read-write-read is the identity (F19, F20).
#include <algorithm>
#include <cstdint>
#include <iterator>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "allocator/base/rng.h"
#include "allocator/formats/convert.h"
#include "allocator/formats/csv.h"
#include "allocator/formats/program_io.h"
#include "allocator/model/check_program.h"
#include "allocator/model/instance.h"
#include "fuzz/engine/oracle.h"
#include "fuzz/engine/target.h"

namespace berth::fuzz {
namespace {

// What instance.h promises of a checked instance.
void CheckRules(const Instance& instance) {
  std::vector<absl::string_view> ids;
  for (const Buffer& b : instance.buffers) {
    ORACLE(b.lower < b.upper, b.id);
    ORACLE(b.size < uint64_t{1} << 63, b.id);
    ORACLE(b.alignment > 0, b.id);
    int64_t from = b.lower;
    for (const Gap& gap : b.gaps) {
      ORACLE(from < gap.lower || (from > b.lower && from == gap.lower), b.id);
      ORACLE(gap.lower < gap.upper && gap.upper < b.upper, b.id);
      from = gap.upper;
    }
    ids.push_back(b.id);
  }
  std::sort(ids.begin(), ids.end());
  ORACLE(std::adjacent_find(ids.begin(), ids.end()) == ids.end(),
         "an id is there twice");
}

void CheckAgain(const CsvDocument& first) {
  const std::string written = WriteCsv(first);
  const absl::StatusOr<CsvDocument> second =
      ReadCsv(written, "again", {.ignore_columns = true});
  ORACLE(second.ok(), second.status().message(), "\n", written);
  ORACLE(second->instance == first.instance, written);
  ORACLE(second->columns == first.columns, written);
  ORACLE(WriteCsv(*second) == written, written);
}

// As a program: a pin may pass the window or a size a page; no other error.
void CheckConverted(const Instance& instance) {
  const absl::StatusOr<ConvertedProgram> converted = ToProgram(instance);
  if (!converted.ok()) {
    ORACLE(absl::IsInvalidArgument(converted.status()),
           converted.status().message());
    return;
  }
  ORACLE(CheckProgram(converted->program).ok());
}

void Run(absl::string_view input) {
  for (const bool ignore : {false, true}) {
    const absl::StatusOr<CsvDocument> document =
        ReadCsv(input, "f", {.ignore_columns = ignore});
    if (!document.ok()) {
      ORACLE(absl::IsInvalidArgument(document.status()),
             document.status().message());
      ORACLE(absl::StartsWith(document.status().message(), "f:"),
             document.status().message());
      continue;
    }
    ORACLE(ignore || DetectFormat(input) == Format::kCsv, "not detected");
    CheckRules(document->instance);
    CheckAgain(*document);
    CheckAgain(ToCsvDocument(document->instance));
    CheckConverted(document->instance);
  }
}

// A small CSV, most of it right; gaps near the ends of lifetimes.
std::string Fresh(Rng& rng) {
  constexpr const char* kHeaders[] = {
      "id,lower,upper,size", "buffer,begin,end,size",
      "size,upper,lower,buffer_id", "id,lower,upper,size,alignment,gaps",
      "gaps,id,start,upper,size,offset,hint"};
  constexpr const char* kEnds[] = {"\n", "\r\n", "\n\n", "\n# note\n"};
  constexpr const char* kOdd[] = {"", "-1", "3-5", "9223372036854775808", "x"};
  const std::string header = kHeaders[rng.Below(std::size(kHeaders))];
  const std::vector<std::string> columns = absl::StrSplit(header, ',');
  const char* const end = kEnds[rng.Below(std::size(kEnds))];
  std::string text = header + end;
  for (uint64_t row = 0, rows = rng.Below(6); row < rows; ++row) {
    const uint64_t lower = rng.Below(6);
    const uint64_t upper = lower + 1 + rng.Below(9);
    for (size_t column = 0; column < columns.size(); ++column) {
      const char first = columns[column][0];
      if (column > 0) text += ',';
      if (rng.OneIn(30)) {
        text += kOdd[rng.Below(std::size(kOdd))];
      } else if (columns[column] == "gaps") {
        const uint64_t from = lower + rng.Below(upper - lower);
        absl::StrAppend(&text, from, "-", from + 1 + rng.Below(3));
      } else if (first == 'l' || columns[column] == "begin" ||
                 columns[column] == "start") {
        absl::StrAppend(&text, lower);
      } else if (first == 'u' || first == 'e') {
        absl::StrAppend(&text, upper);
      } else if (first == 'i' || first == 'b') {
        absl::StrAppend(&text, "b", rng.OneIn(12) ? 0 : row);
      } else {
        absl::StrAppend(&text, 1 + rng.Below(40));
      }
    }
    text += end;
  }
  return text;
}

const bool kRegistered = RegisterTarget({
    .name = "csv_fuzzer",
    .summary = "CSV reader: any bytes; read-write-read is the identity",
    .max_bytes = 1024,
    .run = Run,
    .fresh = Fresh,
});

}  // namespace
}  // namespace berth::fuzz
