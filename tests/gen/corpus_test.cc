// corpus/programs: every file reads, says what it is for, and is listed; the
// generated ones are what the generators make today.
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "allocator/formats/csv.h"
#include "allocator/formats/program_io.h"
#include "allocator/gen/gen.h"
#include "allocator/model/program.h"
#include "gtest/gtest.h"

namespace berth {
namespace {

constexpr char kFolder[] = "corpus/programs";  // in the runfiles

std::string ReadFile(const std::string& name) {
  std::ifstream file(absl::StrCat(kFolder, "/", name), std::ios::binary);
  EXPECT_TRUE(file.good()) << name;
  std::ostringstream content;
  content << file.rdbuf();
  return content.str();
}

std::vector<std::string> FileNames() {
  std::set<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(kFolder)) {
    const std::string name = entry.path().filename().string();
    if (absl::EndsWith(name, ".csv") || absl::EndsWith(name, ".textproto")) {
      names.insert(name);
    }
  }
  return {names.begin(), names.end()};
}

TEST(Corpus, EveryFileReadsAndSaysWhatItIsFor) {
  ASSERT_GE(FileNames().size(), 20u);
  for (const std::string& name : FileNames()) {
    const std::string content = ReadFile(name);
    if (absl::EndsWith(name, ".csv")) {
      EXPECT_EQ(DetectFormat(content), Format::kCsv) << name;
      const auto document = ReadCsv(content, name, CsvOptions());
      EXPECT_TRUE(document.ok()) << document.status();
    } else {
      EXPECT_EQ(DetectFormat(content), Format::kProgramText) << name;
      const auto program = ReadProgramText(content, name);
      ASSERT_TRUE(program.ok()) << program.status();
      EXPECT_NE(program->comment, "") << name;
    }
  }
}

TEST(Corpus, ReadmeListsEveryFileOnce) {
  const std::string readme = ReadFile("README.md");
  for (const std::string& name : FileNames()) {
    const std::string row = absl::StrCat("| `", name, "` |");
    const size_t at = readme.find(row);
    EXPECT_NE(at, std::string::npos) << name;
    EXPECT_EQ(readme.find(row, at + 1), std::string::npos) << name;
  }
}

struct Generated {
  std::string name;
  GenOptions options;
};

TEST(Corpus, GeneratedFilesAreWhatIsGenerated) {
  const auto made = [](const char* kind, int64_t size) {
    GenOptions options;
    options.kind = kind;
    options.size = size;
    return options;
  };
  std::vector<Generated> files = {
      {"gen_transformer.textproto", made("transformer", 76)},
      {"gen_calls.textproto", made("calls", 45)},
      {"gen_cnn.textproto", made("cnn", 69)},
      {"gen_loops.textproto", made("loops", 40)},
      {"gen_branches.textproto", made("branches", 40)},
      {"gen_random.csv", made("random", 40)},
      {"gen_adversarial.csv", made("adversarial", 30)},
      {"gen_nested.csv", made("nested", 40)},
  };
  files[5].options.live = 8;
  files.push_back({"gen_two_cores.textproto", made("transformer", 42)});
  files.back().options.cores = 2;
  for (const Generated& file : files) {
    if (absl::EndsWith(file.name, ".csv")) {
      const auto instance = GenerateInstance(file.options);
      ASSERT_TRUE(instance.ok()) << instance.status();
      EXPECT_EQ(WriteCsv(ToCsvDocument(*instance)), ReadFile(file.name));
    } else {
      const auto program = GenerateProgram(file.options);
      ASSERT_TRUE(program.ok()) << program.status();
      EXPECT_EQ(WriteProgramText(*program), ReadFile(file.name));
    }
  }
}

}  // namespace
}  // namespace berth
