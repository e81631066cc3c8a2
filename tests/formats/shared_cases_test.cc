// Reads the real instances that stand beside the workspace, where there are
// any: the folder BERTH_SHARED names, or ../shared.
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "allocator/formats/convert.h"
#include "allocator/formats/csv.h"
#include "allocator/formats/program_io.h"
#include "gtest/gtest.h"

namespace berth {
namespace {

namespace fs = std::filesystem;

// The workspace is where this source file really stands.
fs::path SharedFolder() {
  if (const char* const folder = std::getenv("BERTH_SHARED")) return folder;
  std::error_code error;
  const fs::path source =
      fs::canonical("tests/formats/shared_cases_test.cc", error);
  if (error) return "";
  return source.parent_path().parent_path().parent_path().parent_path() /
         "shared";
}

std::string ReadAll(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(SharedCases, AllAreReadAndWrittenAndConverted) {
  const fs::path cases = SharedFolder() / "cases";
  if (!fs::is_directory(cases)) {
    GTEST_SKIP() << "skipped: no folder " << cases;
  }
  size_t files = 0;
  for (const auto& entry : fs::recursive_directory_iterator(cases)) {
    if (entry.path().extension() != ".csv") continue;
    SCOPED_TRACE(entry.path());
    ++files;
    const std::string content = ReadAll(entry.path());
    EXPECT_EQ(DetectFormat(content), Format::kCsv);
    const auto document = ReadCsv(content, entry.path().string(), {});
    ASSERT_TRUE(document.ok()) << document.status();
    const auto again = ReadCsv(WriteCsv(*document), "again", {});
    ASSERT_TRUE(again.ok()) << again.status();
    EXPECT_EQ(again->instance, document->instance);
    const auto converted = ToProgram(document->instance);
    ASSERT_TRUE(converted.ok()) << converted.status();
    const auto bytes = WriteProgramBinary(converted->program);
    ASSERT_TRUE(bytes.ok());
    const auto program = ReadProgramBinary(*bytes, "again");
    ASSERT_TRUE(program.ok()) << program.status();
    EXPECT_EQ(*program, converted->program);
  }
  EXPECT_GT(files, 0u);
}

}  // namespace
}  // namespace berth
