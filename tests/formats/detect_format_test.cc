#include <ostream>
#include <string>

#include "absl/strings/string_view.h"
#include "allocator/formats/program_io.h"
#include "allocator/model/program.h"
#include "gtest/gtest.h"

namespace berth {

// GoogleTest prints it in messages.
void PrintTo(Format format, std::ostream* out) {
  *out << static_cast<int>(format);
}

namespace {

struct Row {
  absl::string_view content;
  Format format;
};

TEST(DetectFormat, ByContent) {
  const Row rows[] = {
      {"", Format::kUnknown},
      {"\n\n", Format::kUnknown},
      {"# only a comment", Format::kUnknown},
      {"modules {", Format::kProgramText},
      {"modules\n # why\n {", Format::kProgramText},
      {"modules: < >", Format::kProgramText},
      {"# a,b,c\n\n  comment: \"a,b\"", Format::kProgramText},
      {"\xef\xbb\xbfmodules {}", Format::kProgramText},
      {"id,lower,upper,size\n", Format::kCsv},
      {"# made by hand\r\n\r\nid,lower,upper,size\r\n", Format::kCsv},
      {"0,1,2,3\n", Format::kCsv},         // no header: the reader says so
      {"\"id\",\"lower\"", Format::kCsv},  // quotes: the reader says so
      {"\xef\xbb\xbfid,lower", Format::kCsv},
      {absl::string_view("\x12\x00", 2), Format::kProgramBinary},
      {"\x12", Format::kProgramBinary},  // truncated: the reader says so
      {absl::string_view("\x0a\x03(a,\x12\x00", 7), Format::kProgramBinary},
      {absl::string_view("\x0a\x04# a\x0a\x12\x00", 8), Format::kProgramBinary},
      {"\x89PNG\r\n\x1a\n", Format::kUnknown},
      {"\x7f"
       "ELF,\x02\x01\x01",
       Format::kUnknown},
      {"Hello", Format::kUnknown},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(DetectFormat(row.content), row.format) << row.content;
  }
}

TEST(DetectFormat, WrittenProgramsWithAnyComment) {
  // The length of a comment may look like any character.
  for (int length = 0; length < 300; ++length) {
    Program program;
    program.comment = std::string(length, 'x');
    program.modules.emplace_back();
    EXPECT_EQ(DetectFormat(*WriteProgramBinary(program)),
              Format::kProgramBinary);
    EXPECT_EQ(DetectFormat(WriteProgramText(program)), Format::kProgramText);
  }
}

}  // namespace
}  // namespace berth
