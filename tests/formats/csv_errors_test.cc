// F19: every odd CSV is refused with its line and column.
#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "allocator/base/rng.h"
#include "allocator/formats/csv.h"
#include "gtest/gtest.h"

namespace berth {
namespace {

struct Row {
  absl::string_view content;
  const char* message;  // behind "f:"
};

void ExpectErrors(absl::Span<const Row> rows, const CsvOptions& options) {
  for (const Row& row : rows) {
    const auto document = ReadCsv(row.content, "f", options);
    ASSERT_FALSE(document.ok()) << row.content;
    EXPECT_EQ(document.status().code(), absl::StatusCode::kInvalidArgument);
    EXPECT_EQ(std::string(document.status().message()),
              absl::StrCat("f:", row.message))
        << row.content;
  }
}

TEST(CsvErrors, F19Header) {
  const Row rows[] = {
      {"", "1:1: no header row"},
      {"\n\n# x\n", "3:1: no header row"},
      {"a,0,5,8\n", "1:1: unknown column 'a'"},
      {"0,0,5,8\n", "1:1: '0' is no column name: the header row is missing"},
      {"id,lower,upper,size,extra\n", "1:5: unknown column 'extra'"},
      {"id,lower,upper,size,\n", "1:5: unknown column ''"},
      {"id, lower,upper,size\n", "1:2: unknown column ' lower'"},
      {"ID,lower,upper,size\n", "1:1: unknown column 'ID'"},
      {"id,buffer,lower,upper,size\n",
       "1:2: 'buffer' and 'id' name one column"},
      {"id,id,lower,upper,size\n", "1:2: 'id' and 'id' name one column"},
      {"id,lower,upper,size,begin\n",
       "1:5: 'begin' and 'lower' name one column"},
      {"\n#\nid,lower,upper,size,end\n",
       "3:5: both upper (exclusive) and end (inclusive) are given"},
      {"id,upper,size\n", "1:4: column 'lower' is missing"},
      {"id,lower,size\n", "1:4: column 'upper' is missing"},
      {"id,lower,upper\n", "1:4: column 'size' is missing"},
      {"lower,upper,size\n", "1:4: column 'id' is missing"},
      {"\"id\",lower,upper,size\n",
       "1:1: a field starts with a double quote, which has no meaning here"},
      {"\xef\xbb\xbfid,lower,upper,size\n",
       "1:1: the file starts with a byte order mark"},
      {"id;lower;upper;size\n", "1:1: unknown column 'id;lower;upper;size'"},
      {"i\x01,lower,upper,size\n", "1:1: unknown column 'i\\x01'"},
  };
  ExpectErrors(rows, {});
}

TEST(CsvErrors, F19HeaderWithIgnoredColumns) {
  const Row rows[] = {
      {"a,0,5,8\n", "1:5: column 'id' is missing"},
      {"id,lower,lower,upper,size\n",
       "1:3: 'lower' and 'lower' name one column"},
      {"id,lower,upper,size,\"x\"\n",
       "1:5: a field starts with a double quote, which has no meaning here"},
      {"id,lower,upper,size,x\na,0,1,1\n",
       "2:5: 4 fields, and the header has 5"},
  };
  ExpectErrors(rows, {.ignore_columns = true});
}

#define HEADER "id,lower,upper,size,alignment,gaps,offset\n"
#define GOOD "ok,0,9,8,1,,\n"

TEST(CsvErrors, F19Rows) {
  const Row rows[] = {
      // Fields.
      {HEADER GOOD "a,0,5,8,1,\n", "3:7: 6 fields, and the header has 7"},
      {HEADER GOOD "a,0,5,8,1,,,\n", "3:8: 8 fields, and the header has 7"},
      {HEADER GOOD "a\n", "3:2: 1 fields, and the header has 7"},
      {HEADER GOOD "\"a\",0,5,8,1,,\n",
       "3:1: a field starts with a double quote, which has no meaning here"},
      // Ids.
      {HEADER GOOD ",0,5,8,1,,\n", "3:1: id '' is empty"},
      {HEADER GOOD "a\x7f,0,5,8,1,,\n",
       "3:1: id 'a\\x7f' has a control character"},
      {HEADER GOOD "a\r,0,5,8,1,,\n", "3:1: id 'a\\r' has a control character"},
      {HEADER GOOD "a\xff,0,5,8,1,,\n", "3:1: id 'a\\xff' is not valid UTF-8"},
      {HEADER GOOD "\n#\nok,0,5,8,1,,\n",
       "5:1: id 'ok' is used twice, first in line 2"},
      // An id used twice comes before what stands behind it.
      {HEADER GOOD "a,0,5,8,1,,\nok,0,5,8,1,,\nx\n",
       "4:1: id 'ok' is used twice, first in line 2"},
      // Times.
      {HEADER GOOD "a,x,5,8,1,,\n", "3:2: lower 'x' is not an integer"},
      {HEADER GOOD "a,,5,8,1,,\n", "3:2: lower '' is not an integer"},
      {HEADER GOOD "a, 0,5,8,1,,\n", "3:2: lower ' 0' is not an integer"},
      {HEADER GOOD "a,+1,5,8,1,,\n", "3:2: lower '+1' is not an integer"},
      {HEADER GOOD "a,0,5.0,8,1,,\n", "3:3: upper '5.0' is not an integer"},
      {HEADER GOOD "a,0,0x5,8,1,,\n", "3:3: upper '0x5' is not an integer"},
      {HEADER GOOD "a,0,9223372036854775808,8,1,,\n",
       "3:3: upper 9223372036854775808 is not within -9223372036854775808 to "
       "2^63 - 1"},
      {HEADER GOOD "a,-9223372036854775809,5,8,1,,\n",
       "3:2: lower -9223372036854775809 is not within -9223372036854775808 to "
       "2^63 - 1"},
      {HEADER GOOD "a,6,5,8,1,,\n", "3:3: upper 5 is not above lower 6"},
      {HEADER GOOD "a,5,5,8,1,,\n", "3:3: upper 5 is not above lower 5"},
      {"id,lower,end,size\na,6,5,8\n", "2:3: end 5 is below lower 6"},
      {"end,id,lower,size\n9223372036854775807,a,6,8\n",
       "2:1: end 9223372036854775807: 2^63 - 2 is the most"},
      // Sizes, alignments, offsets.
      {HEADER GOOD "a,0,5,-8,1,,\n",
       "3:4: size -8 is not within 0 to 2^63 - 1"},
      {HEADER GOOD "a,0,5,9223372036854775808,1,,\n",
       "3:4: size 9223372036854775808 is not within 0 to 2^63 - 1"},
      {HEADER GOOD "a,0,5,18446744073709551617,1,,\n",
       "3:4: size 18446744073709551617 is not within 0 to 2^63 - 1"},
      {HEADER GOOD "a,0,5,,1,,\n", "3:4: size '' is not an integer"},
      {HEADER GOOD "a,0,5,8,0,,\n",
       "3:5: alignment 0 is not within 1 to 2^63 - 1"},
      {HEADER GOOD "a,0,5,8,,,\n", "3:5: alignment '' is not an integer"},
      {HEADER GOOD "a,0,5,8,1,,-2\n",
       "3:7: offset -2 is not within 0 to 2^63 - 1"},
      {HEADER GOOD "a,0,5,8,1,,none\n", "3:7: offset 'none' is not an integer"},
      // Gaps.
      {HEADER GOOD "a,0,9,8,1,3\n", "3:7: 6 fields, and the header has 7"},
      {HEADER GOOD "a,0,9,8,1,3,\n", "3:6: gap '3' is not of the form lo-hi"},
      {HEADER GOOD "a,0,9,8,1,-,\n", "3:6: gap '-' is not of the form lo-hi"},
      {HEADER GOOD "a,0,9,8,1,3-,\n", "3:6: gap end '' is not an integer"},
      {HEADER GOOD "a,0,9,8,1,3-5-7,\n",
       "3:6: gap end '5-7' is not an integer"},
      {HEADER GOOD "a,0,9,8,1,5-3,\n", "3:6: gap 5-3 is empty"},
      {HEADER GOOD "a,0,9,8,1,3-3,\n", "3:6: gap 3-3 is empty"},
      {HEADER GOOD "a,0,9,8,1,0-3,\n",
       "3:6: gaps are not strictly inside the lifetime [0, 9)"},
      {HEADER GOOD "a,0,9,8,1,3-9,\n",
       "3:6: gaps are not strictly inside the lifetime [0, 9)"},
      {HEADER GOOD "a,0,9,8,1,3-5 4-6,\n",
       "3:6: gap 4-6 starts before 5, where the one before it ends"},
      {HEADER GOOD "a,0,9,8,1,5-6 3-4,\n",
       "3:6: gap 3-4 starts before 6, where the one before it ends"},
      {HEADER GOOD "a,0,9,8,1,3-5  6-7,\n",
       "3:6: gap '' is not of the form lo-hi"},
      {HEADER GOOD "a,0,9,8,1,3-5 ,\n", "3:6: gaps end with a space"},
      // Windows.
      {HEADER GOOD "a,0,9,8,1,3-5@,\n",
       "3:6: window '' is not of the form first:end"},
      {HEADER GOOD "a,0,9,8,1,3-5@04,\n",
       "3:6: window '04' is not of the form first:end"},
      {HEADER GOOD "a,0,9,8,1,3@0:4,\n",
       "3:6: gap '3@0:4' is not of the form lo-hi"},
      {HEADER GOOD "a,0,9,8,1,3-5@:4,\n",
       "3:6: window start '' is not an integer"},
      {HEADER GOOD "a,0,9,8,1,3-5@0:x,\n",
       "3:6: window end 'x' is not an integer"},
      {HEADER GOOD "a,0,9,8,1,3-5@-1:4,\n",
       "3:6: window start -1 is not within 0 to 2^63 - 1"},
      {HEADER GOOD "a,0,9,8,1,3-5@4:4,\n", "3:6: window 4:4 is empty"},
      {HEADER GOOD "a,0,9,8,1,3-5@0:8 6-7@5:9,\n",
       "3:6: window 5:9 ends past the size 8"},
      {HEADER GOOD "a,0,9,0,1,3-5@0:1,\n",
       "3:6: window 0:1 ends past the size 0"},
      // The first fault of a line, by column.
      {HEADER GOOD "a,x,y,-1,0,z,w\n", "3:2: lower 'x' is not an integer"},
      {"lower,id,upper,size\n0,#a,1,1\n",
       "2:2: id '#a' starts with a number sign, as comments do"},
  };
  ExpectErrors(rows, {});
}

TEST(CsvErrors, F20Garbage) {
  Rng rng(99);
  const absl::string_view alphabet = "id,lowerupsz\n\r#- 0123@\"\xff";
  for (int round = 0; round < 5000; ++round) {
    std::string content = rng.OneIn(2) ? "id,lower,upper,size\n" : "";
    for (uint64_t n = rng.Below(80); n > 0; --n) {
      content += alphabet[rng.Below(alphabet.size())];
    }
    const auto document = ReadCsv(content, "f", {});
    if (!document.ok()) continue;
    const auto again = ReadCsv(WriteCsv(*document), "f", {});
    ASSERT_TRUE(again.ok()) << again.status() << "\n" << content;
    ASSERT_EQ(again->instance, document->instance) << content;
  }
}

TEST(CsvErrors, F20LongLine) {
  std::string content = "id,lower,upper,size\n";
  content.append(10'000'000, ',');
  EXPECT_EQ(ReadCsv(content, "f", {}).status().message(),
            "f:2:5: 10000001 fields, and the header has 4");
}

}  // namespace
}  // namespace berth
