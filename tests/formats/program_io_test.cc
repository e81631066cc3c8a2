// Round trips of programs, and that our bytes are protobuf's bytes.
#include "allocator/formats/program_io.h"

#include <cstdint>
#include <string>

#include "allocator/base/rng.h"
#include "allocator/formats/program.pb.h"
#include "allocator/model/check_program.h"
#include "allocator/model/program.h"
#include "google/protobuf/text_format.h"
#include "gtest/gtest.h"
#include "tests/formats/random_program.h"
#include "tests/testing/program_builder.h"

namespace berth {
namespace {

using testing::ProgramBuilder;
using testing::RandomProgram;

constexpr uint64_t kSeed = 20240;
constexpr int kRounds = 400;

Program Example() {
  Program program = ProgramBuilder()
                        .Comment("doubles x")
                        .Fn("main")
                        .In("x", 4096)
                        .Loc("t", 100)
                        .Pin("p", 64, 8192)
                        .Block("entry", {"loop"})
                        .Op("start", {"t"}, {"x"})
                        .Block("loop", {"loop", "exit"})
                        .Copy({"p", 0, 50}, {"t", 16, 50})
                        .Barrier("meet")
                        .Block("exit")
                        .Call("helper", {}, {"t"})
                        .Fn("helper")
                        .Build();
  RunRecord run;
  run.peak = 12288;
  run.dram_allocation_result = true;
  program.modules[0].functions[0].runs.push_back(run);
  return program;
}

constexpr char kExampleText[] =
    R"(# proto-file: allocator/formats/program.proto
# proto-message: berth.proto.Program
comment: "doubles x"
modules {
  functions {
    name: "main"
    locations { name: "x" usage: INPUT elem_count: 4096 }
    locations { name: "t" usage: INTERMEDIATE elem_count: 100 }
    locations { name: "p" usage: INTERMEDIATE elem_count: 64 address: 8192 placed_by: PLACED_BY_INPUT }
    blocks {
      name: "entry"
      successors: "loop"
      instructions { name: "start"
        defs { location: "t" }
        uses { location: "x" }
      }
    }
    blocks {
      name: "loop"
      successors: "loop"
      successors: "exit"
      instructions { kind: DMA_COPY
        defs { location: "p" extent: 50 }
        uses { location: "t" offset: 16 extent: 50 }
      }
      instructions { kind: BARRIER name: "meet" }
    }
    blocks {
      name: "exit"
      instructions { kind: CALL callee: "helper"
        uses { location: "t" }
      }
    }
    runs { peak: 12288 planner: BRIGGS dram_allocation_result: true }
  }
  functions {
    name: "helper"
  }
}
)";

TEST(ProgramText, WritesTheExample) {
  EXPECT_EQ(WriteProgramText(Example()), kExampleText);
}

TEST(ProgramText, ReadsTheExample) {
  const auto program = ReadProgramText(kExampleText, "example.textproto");
  ASSERT_TRUE(program.ok()) << program.status();
  EXPECT_EQ(*program, Example());
}

TEST(ProgramText, ReadsAnyLayoutOfTheText) {
  const auto program = ReadProgramText(
      "modules: < core: 0 functions: [{name: 'f' blocks { instructions { defs: "
      "{location: 'l' \"ater\"} } name: 'b'}\r\n"
      "locations { usage: 7 elem_count: 0x10 elem_size: 0; name: \"later\"}}] "
      ">",
      "f");
  ASSERT_TRUE(program.ok()) << program.status();
  const Function& function = program->modules[0].functions[0];
  EXPECT_EQ(function.locations[0].elem_count, 16u);
  EXPECT_EQ(function.locations[0].elem_size, 0u);
  EXPECT_EQ(function.blocks[0].instructions[0].defs[0].location, 0);
}

TEST(ProgramIo, AbsentFieldsHaveTheirDefaults) {
  const auto program = ReadProgramText(
      "modules { functions { name: 'f' locations { name: 'x' usage: SPILL } "
      "runs {} } }",
      "f");
  ASSERT_TRUE(program.ok()) << program.status();
  Location expected;
  expected.name = "x";
  expected.usage = Usage::kSpill;
  EXPECT_EQ(program->modules[0].functions[0].locations[0], expected);
  RunRecord run;
  run.planner = Planner::kReference;  // the first of the format
  EXPECT_EQ(program->modules[0].functions[0].runs[0], run);
}

TEST(ProgramIo, EmptyProgram) {
  const auto text = ReadProgramText(WriteProgramText(Program()), "f");
  ASSERT_TRUE(text.ok()) << text.status();
  EXPECT_EQ(*text, Program());
  const auto binary = ReadProgramBinary("", "f");
  ASSERT_TRUE(binary.ok()) << binary.status();
  EXPECT_EQ(*binary, Program());
}

TEST(ProgramIo, RandomRoundTripsByText) {
  for (uint64_t seed = kSeed; seed < kSeed + kRounds; ++seed) {
    SCOPED_TRACE(seed);
    Rng rng(seed);
    const Program program = RandomProgram(rng);
    const std::string text = WriteProgramText(program);
    const auto again = ReadProgramText(text, "f");
    ASSERT_TRUE(again.ok()) << again.status() << "\n" << text;
    ASSERT_EQ(*again, program) << text;
    ASSERT_EQ(WriteProgramText(*again), text);
    ASSERT_EQ(DetectFormat(text), Format::kProgramText);
  }
}

TEST(ProgramIo, RandomRoundTripsByBinary) {
  for (uint64_t seed = kSeed; seed < kSeed + kRounds; ++seed) {
    SCOPED_TRACE(seed);
    Rng rng(seed);
    const Program program = RandomProgram(rng);
    const auto bytes = WriteProgramBinary(program);
    ASSERT_TRUE(bytes.ok()) << bytes.status();
    const auto again = ReadProgramBinary(*bytes, "f");
    ASSERT_TRUE(again.ok()) << again.status();
    ASSERT_EQ(*again, program);
    ASSERT_EQ(DetectFormat(*bytes), Format::kProgramBinary);
  }
}

// The generated classes are the reference of our hand-written wire code.
TEST(ProgramIo, BytesAreThoseOfTheGeneratedClasses) {
  for (uint64_t seed = kSeed; seed < kSeed + kRounds; ++seed) {
    SCOPED_TRACE(seed);
    Rng rng(seed);
    const Program program = RandomProgram(rng);
    const auto bytes = WriteProgramBinary(program);
    ASSERT_TRUE(bytes.ok());
    proto::Program message;
    ASSERT_TRUE(message.ParseFromString(*bytes));
    ASSERT_EQ(message.SerializeAsString(), *bytes);
    // And by their text: the same program through the text format's own code.
    proto::Program from_text;
    ASSERT_TRUE(google::protobuf::TextFormat::ParseFromString(
        WriteProgramText(program), &from_text));
    ASSERT_EQ(from_text.SerializeAsString(), *bytes);
  }
}

}  // namespace
}  // namespace berth
