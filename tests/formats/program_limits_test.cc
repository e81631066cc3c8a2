// F20, a reader in a hurry: whatever the bytes, an answer in bounded time and
// memory.
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "allocator/base/rng.h"
#include "allocator/formats/program_io.h"
#include "allocator/formats/wire.h"
#include "allocator/model/program.h"
#include "gtest/gtest.h"
#include "tests/formats/random_program.h"

namespace berth {
namespace {

using testing::RandomProgram;

constexpr uint64_t kSeed = 77;

// A binary program: "f" with one block "b", the text that follows its name.
std::string OneBlock(absl::string_view block_fields) {
  std::string wire;
  AppendMessageField(2, wire, [&] {
    AppendMessageField(2, wire, [&] {
      AppendBytesField(1, "f", wire);
      AppendMessageField(3, wire, [&] {
        AppendBytesField(1, "b", wire);
        wire.append(block_fields.data(), block_fields.size());
      });
    });
  });
  return wire;
}

TEST(ProgramLimits, F20BlockThatNamesItself) {
  std::string successor;
  AppendBytesField(2, "b", successor);
  const auto program = ReadProgramBinary(OneBlock(successor), "f");
  ASSERT_TRUE(program.ok()) << program.status();
  EXPECT_EQ(program->modules[0].functions[0].blocks[0].successors,
            std::vector<int32_t>{0});
}

TEST(ProgramLimits, F20MillionSuccessors) {
  constexpr size_t kSuccessors = 1'000'000;
  std::string successors;
  for (size_t i = 0; i < kSuccessors; ++i) {
    AppendBytesField(2, "b", successors);
  }
  const std::string wire = OneBlock(successors);
  const auto program = ReadProgramBinary(wire, "f");
  ASSERT_TRUE(program.ok()) << program.status();
  EXPECT_EQ(program->modules[0].functions[0].blocks[0].successors.size(),
            kSuccessors);
  const auto text = ReadProgramText(WriteProgramText(*program), "f");
  ASSERT_TRUE(text.ok()) << text.status();
  EXPECT_EQ(*text, *program);
  // And one too many, which nothing is named.
  AppendBytesField(2, "c", successors);
  const auto bad = ReadProgramBinary(OneBlock(successors), "f");
  EXPECT_EQ(bad.status().message(),
            "f: modules[0].functions[0].blocks[0].successors[1000000]: core 0, "
            "function 'f', block 'b': successor 'c' is no block of the "
            "function");
}

TEST(ProgramLimits, F20ManyDistinctSuccessors) {
  constexpr size_t kBlocks = 200'000;
  std::string wire;
  AppendMessageField(2, wire, [&] {
    AppendMessageField(2, wire, [&] {
      AppendBytesField(1, "f", wire);
      AppendMessageField(3, wire, [&] {
        AppendBytesField(1, "b0", wire);
        for (size_t i = 0; i < kBlocks; ++i) {
          AppendBytesField(2, absl::StrCat("b", kBlocks - 1 - i), wire);
        }
      });
      for (size_t i = 1; i < kBlocks; ++i) {
        AppendMessageField(
            3, wire, [&] { AppendBytesField(1, absl::StrCat("b", i), wire); });
      }
    });
  });
  const auto program = ReadProgramBinary(wire, "f");
  ASSERT_TRUE(program.ok()) << program.status();
  EXPECT_EQ(program->modules[0].functions[0].blocks[0].successors.back(), 0);
}

TEST(ProgramLimits, F20TruncatedProtobuf) {
  for (uint64_t seed = kSeed; seed < kSeed + 10; ++seed) {
    SCOPED_TRACE(seed);
    Rng rng(seed);
    const auto wire = WriteProgramBinary(RandomProgram(rng));
    ASSERT_TRUE(wire.ok());
    for (size_t length = 0; length < wire->size(); ++length) {
      // A cut between two modules leaves a program; any other does not.
      const auto program =
          ReadProgramBinary(absl::string_view(*wire).substr(0, length), "f");
      if (program.ok()) {
        const auto again = WriteProgramBinary(*program);
        ASSERT_EQ(*again, wire->substr(0, length));
      } else {
        ASSERT_EQ(program.status().code(), absl::StatusCode::kInvalidArgument);
      }
    }
  }
}

TEST(ProgramLimits, F20BinaryGarbage) {
  Rng rng(kSeed);
  for (int round = 0; round < 2000; ++round) {
    std::string garbage(rng.Below(300), '\0');
    for (char& c : garbage) c = static_cast<char>(rng.Next());
    ASSERT_FALSE(garbage.size() > 8 && ReadProgramBinary(garbage, "f").ok());
    // A comment is a program without anything.
    const auto text = ReadProgramText(garbage, "f");
    ASSERT_TRUE(!text.ok() || *text == Program());
    (void)DetectFormat(garbage);
  }
}

TEST(ProgramLimits, F20ChangedBytes) {
  for (uint64_t seed = kSeed; seed < kSeed + 20; ++seed) {
    SCOPED_TRACE(seed);
    Rng rng(seed);
    const auto wire = WriteProgramBinary(RandomProgram(rng));
    ASSERT_TRUE(wire.ok());
    for (int round = 0; round < 200 && !wire->empty(); ++round) {
      std::string changed = *wire;
      changed[rng.Below(changed.size())] = static_cast<char>(rng.Next());
      const auto program = ReadProgramBinary(changed, "f");
      if (!program.ok()) continue;
      // What is read is a program that can be written and read again.
      const auto again = WriteProgramBinary(*program);
      ASSERT_TRUE(again.ok());
      ASSERT_EQ(*ReadProgramBinary(*again, "f"), *program);
    }
  }
}

TEST(ProgramLimits, F20DeeplyNestedText) {
  std::string text;
  for (int i = 0; i < 1'000'000; ++i) text += "modules {";
  const auto program = ReadProgramText(text, "f");
  ASSERT_FALSE(program.ok());
  EXPECT_EQ(program.status().message().substr(0, 7), "f:1:18:")
      << program.status();
}

TEST(ProgramLimits, F20BeyondTwoGibibytes) {
  // Only the length is looked at.
  const absl::string_view huge("", uint64_t{5} << 30);
  EXPECT_EQ(ReadProgramBinary(huge, "f").status().message(),
            "f: 5368709120 bytes pass the 2 GiB of a protobuf message");
  EXPECT_EQ(ReadProgramText(huge, "f").status().message(),
            "f: 5368709120 bytes pass the 2 GiB of a protobuf message");
}

}  // namespace
}  // namespace berth
