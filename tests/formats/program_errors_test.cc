// What readers of programs refuse, and that they say where: line and column in
// text, the field in binary. Every text below that parses is also read as
// binary.
#include <cstddef>
#include <ostream>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "allocator/formats/program.pb.h"
#include "allocator/formats/program_io.h"
#include "google/protobuf/text_format.h"
#include "gtest/gtest.h"

namespace berth {
namespace {

struct Row {
  const char* name;
  const char* text;
  const char* place;  // "line:column" in text
  const char* field;  // in binary
  const char* message;
};

void PrintTo(const Row& row, std::ostream* out) { *out << row.name; }

// Locations x (16 bytes) and y (8 bytes) around what is wrong.
#define FUNCTION(body)                                     \
  "modules { functions { name: 'f'\n"                      \
  " locations { name: 'x' usage: SPILL elem_count: 16 }\n" \
  " locations { name: 'y' usage: SPILL elem_count: 8 }\n" body "\n}}"
#define INSTRUCTION(body) \
  FUNCTION(" blocks { name: 'b'\n  instructions { name: 'i' " body "}}")
#define IN_F "core 0, function 'f'"
#define IN_I "core 0, function 'f', block 'b', instruction 'i': "
#define F_PATH "modules[0].functions[0]."
#define I_PATH "modules[0].functions[0].blocks[0].instructions[0]."

constexpr Row kSemantic[] = {
    // Names that nothing has.
    {"UnknownLocationInDef", INSTRUCTION("defs { location: 'z' }"), "5:35",
     I_PATH "defs[0].location", IN_I "location 'z' is not of the function"},
    {"UnknownLocationInUse",
     INSTRUCTION("uses { location: 'x' } uses {\nlocation: 'xx' }"), "6:1",
     I_PATH "uses[1].location", IN_I "location 'xx' is not of the function"},
    {"AccessWithoutLocation", INSTRUCTION("defs { extent: 3 }"), "5:28",
     I_PATH "defs[0].location", IN_I "location '' is not of the function"},
    {"UnknownSuccessor",
     FUNCTION(" blocks { name: 'b' successors: 'b'\n  successors: 'c' }"),
     "5:3", F_PATH "blocks[0].successors[1]",
     IN_F ", block 'b': successor 'c' is no block of the function"},
    {"UnknownCallee", INSTRUCTION("kind: CALL callee: 'g'"), "5:39",
     I_PATH "callee", IN_I "callee 'g' is no function of the module"},
    {"CallWithoutCallee", INSTRUCTION("kind: CALL"), "5:3", I_PATH "callee",
     IN_I "a CALL names a function of its module"},
    {"CalleeOfCompute", INSTRUCTION("callee: 'f'"), "5:28", I_PATH "callee",
     IN_I "only a CALL has a callee, not a COMPUTE"},
    {"Recursion", INSTRUCTION("kind: CALL callee: 'f'"), "5:39",
     I_PATH "callee", IN_I "calls recurse: 'f' -> 'f'"},
    // Values that the format does not know.
    {"UsageNotGiven", FUNCTION(" locations { name: 'z' }"), "4:2",
     F_PATH "locations[2].usage",
     IN_F ", location 'z': the usage is not given"},
    {"UsageUnspecified",
     FUNCTION(" locations { name: 'z' usage: USAGE_UNSPECIFIED }"), "4:24",
     F_PATH "locations[2].usage",
     IN_F ", location 'z': the usage is not given"},
    {"UsageUnknown", FUNCTION(" locations { name: 'z' usage: 5 }"), "4:24",
     F_PATH "locations[2].usage",
     IN_F ", location 'z': usage: value 5 is unknown"},
    {"UsageNegative", FUNCTION(" locations { name: 'z' usage: -9 }"), "4:24",
     F_PATH "locations[2].usage",
     IN_F ", location 'z': usage: value -9 is unknown"},
    {"TypeUnknown", FUNCTION(" locations { name: 'z' type: 3 usage: SPILL }"),
     "4:24", F_PATH "locations[2].type",
     IN_F ", location 'z': type: value 3 is unknown"},
    {"PlacedByUnknown",
     FUNCTION(" locations { name: 'z' usage: 7 placed_by: 4 address: 0 }"),
     "4:33", F_PATH "locations[2].placed_by",
     IN_F ", location 'z': placed_by: value 4 is unknown"},
    {"KindUnknown", INSTRUCTION("kind: 5"), "5:28", I_PATH "kind",
     // The kind comes before the name.
     IN_F ", block 'b', instruction '#0': kind: value 5 is unknown"},
    {"PlannerUnknown", FUNCTION(" runs { planner: 4 }"), "4:9",
     F_PATH "runs[0].planner", IN_F ", run 0: planner: value 4 is unknown"},
    {"NegativeSlab", FUNCTION(" runs { slab: -1 }"), "4:9",
     F_PATH "runs[0].slab", IN_F ", run 0: slab: value -1 is no core"},
    {"NegativeCore", "modules {}\nmodules { core: -1 }", "2:11",
     "modules[1].core", "core 0: core: value -1 is no core"},
    {"NegativeRemoteCore",
     FUNCTION(" locations { name: 'z' usage: SPILL\n"
              "remote_target { core: -1 name: 'z' } }"),
     "5:1", F_PATH "locations[2].remote_target",
     IN_F ", location 'z': remote_target: core: value -1 is no core"},
    // Accesses: F11.
    {"F11AccessPastTheEnd",
     INSTRUCTION("uses { location: 'y' offset: 4\n extent: 5 }"), "6:2",
     I_PATH "uses[0].extent",
     IN_I "the access of 'y' (offset 4, extent 5) passes its 8 bytes"},
    {"F11AccessThatWraps",
     INSTRUCTION("uses { location: 'y' offset: 18446744073709551615\n"
                 " extent: 2 }"),
     "6:2", I_PATH "uses[0].extent",
     IN_I "the access of 'y' (offset 18446744073709551615, extent 2) passes "
          "its 8 bytes"},
    {"OffsetWithoutExtent", INSTRUCTION("defs { location: 'y' offset: 4 }"),
     "5:49", I_PATH "defs[0].offset",
     IN_I "the access of 'y' has offset 4 but no extent"},
    {"CopyOfUnequalExtents",
     INSTRUCTION("kind: DMA_COPY defs { location: 'x' }\n"
                 "uses { location: 'y' }"),
     "5:3", "modules[0].functions[0].blocks[0].instructions[0]",
     IN_I "a DMA_COPY of 8 bytes to 16"},
    {"CopyWithoutUse", INSTRUCTION("kind: DMA_COPY defs { location: 'x' }"),
     "5:3", "modules[0].functions[0].blocks[0].instructions[0]",
     IN_I "a DMA_COPY has one def and one use, not 1 and 0"},
    {"BarrierWithAccess", INSTRUCTION("kind: BARRIER uses { location: 'x' }"),
     "5:3", "modules[0].functions[0].blocks[0].instructions[0]",
     IN_I "a BARRIER has no accesses"},
    // Sizes and addresses: F12.
    {"F12SizeOverflows",
     FUNCTION(" locations { name: 'z' usage: SPILL\n"
              "elem_count: 4611686018427387904 elem_size: 8 }"),
     "5:1", F_PATH "locations[2].elem_count",
     IN_F ", location 'z': elem_count 4611686018427387904 times elem_size 8 "
          "passes 2^64 bytes, rounded up to its page"},
    {"F12RoundedSizeOverflows",
     FUNCTION(" locations { name: 'z' usage: SPILL\n"
              "elem_count: 18446744073709551615 }"),
     "5:1", F_PATH "locations[2].elem_count",
     IN_F ", location 'z': elem_count 18446744073709551615 times elem_size 1 "
          "passes 2^64 bytes, rounded up to its page"},
    {"F12EndOfAddressOverflows",
     FUNCTION(" locations { name: 'z' usage: SPILL elem_count: 1\n"
              "address: 18446744073709547520 }"),
     "5:1", F_PATH "locations[2].address",
     IN_F ", location 'z': address 18446744073709547520 plus 4096 bytes "
          "passes 2^64"},
    {"AlignmentZero",
     FUNCTION(" locations { name: 'z' usage: SPILL alignment: 0 }"), "4:37",
     F_PATH "locations[2].alignment",
     IN_F ", location 'z': alignment 0 is refused"},
    {"PlacedByWithoutAddress",
     FUNCTION(" locations { name: 'z' usage: 9 placed_by: PLACED_BY_SYNC }"),
     "4:33", F_PATH "locations[2].placed_by",
     IN_F ", location 'z': placed_by SYNC without an address"},
    // Names.
    {"DuplicateLocation", FUNCTION(" locations { usage: SPILL\n name: 'y' }"),
     "5:2", F_PATH "locations[2].name",
     IN_F ", location 'y': the name is used twice (numbers 1 and 2, counted "
          "from 0)"},
    {"DuplicateBlock", FUNCTION(" blocks { name: 'b' }\n blocks { name: 'b' }"),
     "5:11", F_PATH "blocks[1].name",
     IN_F ", block 'b': the name is used twice (numbers 0 and 1, counted from "
          "0)"},
    {"DuplicateFunction", FUNCTION("} functions { name: 'f' "), "4:15",
     "modules[0].functions[1].name",
     IN_F ": the name is used twice (numbers 0 and 1, counted from 0)"},
    {"EmptyLocationName", FUNCTION(" locations { usage: SPILL }"), "4:2",
     F_PATH "locations[2].name", IN_F ", location '': name is empty"},
    {"EmptyFunctionName", "modules {\n functions {} }", "2:2",
     "modules[0].functions[0].name", "core 0, function '': name is empty"},
    {"InvalidUtf8", FUNCTION(" locations { usage: SPILL name: 'z\\377' }"),
     "4:27", F_PATH "locations[2].name",
     IN_F ", location 'z\\xff': name is not valid UTF-8"},
    {"ControlCharacter", FUNCTION(" locations { usage: SPILL name: 'z\\n' }"),
     "4:27", F_PATH "locations[2].name",
     IN_F ", location 'z\\n': name has a control character"},
    {"BadInstructionName",
     FUNCTION(" blocks { name: 'b' instructions { name: '\\033[2J' } }"),
     "4:36", I_PATH "name",
     IN_F ", block 'b', instruction '\\x1b[2J': name has a control character"},
    {"BadComment", "\ncomment: 'a\\007'", "2:1", "comment",
     "comment has a control character"},
    // Cores.
    {"CoreOutOfRange", "modules { core: 1 }", "1:11", "modules[0].core",
     "core 1: cores are 0 to 0, one for each module"},
    {"CoreTwice", "modules {}\nmodules { core: 0 }", "2:11", "modules[1].core",
     "core 0: modules 0 and 1 (counted from 0) have this core"},
};

class SemanticErrors : public ::testing::TestWithParam<Row> {};

TEST_P(SemanticErrors, InText) {
  const Row& row = GetParam();
  const auto program = ReadProgramText(row.text, "in.textproto");
  ASSERT_FALSE(program.ok());
  EXPECT_EQ(program.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(program.status().message(),
            absl::StrCat("in.textproto:", row.place, ": ", row.message))
      << row.text;
}

TEST_P(SemanticErrors, InBinary) {
  const Row& row = GetParam();
  proto::Program message;
  ASSERT_TRUE(
      google::protobuf::TextFormat::ParseFromString(row.text, &message));
  const auto program = ReadProgramBinary(message.SerializeAsString(), "in.pb");
  ASSERT_FALSE(program.ok());
  EXPECT_EQ(program.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(program.status().message(),
            absl::StrCat("in.pb: ", row.field, ": ", row.message));
}

INSTANTIATE_TEST_SUITE_P(Rows, SemanticErrors, ::testing::ValuesIn(kSemantic),
                         [](const auto& info) { return info.param.name; });

TEST(ProgramErrors, PlacesInAnyLayoutOfTheText) {
  const Row rows[] = {
      {"list of messages",
       "modules: [{ functions: <name: 'f'; blocks: [{name: 'b'},\n{name: 'c', "
       "instructions: [{name: 'i', kind: CALL}, {callee: \n'g'}]}]>}]",
       "2:54", "",
       "core 0, function 'f', block 'c', instruction '#1': callee "
       "'g' is no function of the module"},
      {"list of scalars",
       "modules { functions { name: 'f' blocks { name: 'b' successors: ['b', "
       "\n  'b',\n 'c'] } } }",
       "3:2", "",
       "core 0, function 'f', block 'b': successor 'c' is no block "
       "of the function"},
      {"strings in parts, signs and comments",
       "# a {\nmodules < core: -\n 0 functions { name: 'f' # {\n'{'\n\"}\" "
       "locations { usage: SPILL name: 'x' } locations { alignment: 0 usage: "
       "SPILL\nname: '\\'y' } } >",
       "5:54", "",
       "core 0, function 'f{}', location ''y': alignment 0 is "
       "refused"},
      {"fields in another order",
       "modules { functions { name: 'f' locations { name: 'x' usage: SPILL } "
       "} core: 1 } modules { functions { blocks { name: 'b' } runs {}\nruns "
       "{\nplanner: 9 space: LOCAL } name: 'f' } }",
       "3:1", "", "core 0, function 'f', run 1: planner: value 9 is unknown"},
  };
  for (const Row& row : rows) {
    const auto program = ReadProgramText(row.text, "f");
    EXPECT_EQ(std::string(program.status().message()),
              absl::StrCat("f:", row.place, ": ", row.message))
        << row.name;
  }
}

struct TextRow {
  const char* text;
  const char* start;  // of the message behind the file's name
};

TEST(ProgramErrors, TextThatDoesNotParse) {
  const TextRow rows[] = {
      {"modules {\n  functions {\n    nmae: 'f'", "3:9: "},
      {"modules {\n  functions { tab:\t3 } }", "2:18: "},
      {"modules { core: 2147483648 }", "1:17: Integer out of range"},
      {"modules { core: x }", "1:17: Expected integer"},
      {"modules { core: 1\n core: 1 }", "2:6: Non-repeated field"},
      {"modules { functions { name: 'f }\n", "1:33: "},
      {"modules {", "1:10: "},
      {"modules { } }", "1:13: "},
      {"modules { functions { locations { usage: BIG } } }", "1:46: "},
      {"modules { functions { locations { elem_size: 4294967296 } } }",
       "1:46: Integer out of range"},
      {"modules { functions { locations { elem_count: 18446744073709551616",
       "1:47: Integer out of range"},
      {"modules { functions { locations { elem_count: -1", "1:47: "},
      {"a\x01", "1:2: Invalid control characters"},
      {"[berth.proto.x]: 3", "1:16: "},
  };
  for (const TextRow& row : rows) {
    const auto program = ReadProgramText(row.text, "f");
    ASSERT_FALSE(program.ok()) << row.text;
    EXPECT_EQ(program.status().code(), absl::StatusCode::kInvalidArgument);
    const std::string start = absl::StrCat("f:", row.start);
    EXPECT_EQ(program.status().message().substr(0, start.size()), start)
        << row.text << "\n"
        << program.status();
  }
}

struct WireRow {
  const char* name;
  absl::string_view bytes;
  const char* message;
};

TEST(ProgramErrors, BytesThatAreNoProgram) {
  const WireRow rows[] = {
      {"unknown field", "\x18\x01", "f: unknown field 3"},
      {"unknown field of a module", "\x12\x02\x18\x01",
       "f: modules[0]: core 0: unknown field 3"},
      {"wrong wire type", "\x10\x01", "f: unknown field 2"},
      {"truncated length", "\x12\x05\x08",
       "f: malformed protobuf at byte 2: it ends within a field"},
      {"truncated number", "\x12\x02\x08\x80",
       "f: modules[0]: core 0: malformed protobuf at byte 3: it ends within a "
       "number"},
      {"number too long",
       "\x12\x0b\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02",
       "f: modules[0]: core 0: malformed protobuf at byte 3: a number passes "
       "64 bits"},
      {"group", "\x13\x14",
       "f: malformed protobuf at byte 1: a wire type is "
       "unknown"},
      {"field zero", absl::string_view("\x02\x00", 2),
       "f: malformed protobuf at byte 1: a field number is out of range"},
      // The generated classes would read both as 0 and say nothing.
      {"core beyond 32 bits", "\x12\x06\x08\x80\x80\x80\x80\x10",
       "f: modules[0].core: core 0: core: value 4294967296 is no core"},
      {"elem_size beyond 32 bits",
       "\x12\x0a\x12\x08\x12\x06\x30\x80\x80\x80\x80\x10",
       "f: modules[0].functions[0].locations[0].elem_size: core 0, function "
       "'', location '': elem_size: value 4294967296 passes 32 bits"},
      {"unknown field of a remote target",
       "\x12\x08\x12\x06\x12\x04\x62\x02\x18\x01",
       "f: modules[0].functions[0].locations[0].remote_target: core 0, "
       "function '', location '': remote_target: unknown field 3"},
  };
  for (const WireRow& row : rows) {
    const auto program = ReadProgramBinary(row.bytes, "f");
    ASSERT_FALSE(program.ok()) << row.name;
    EXPECT_EQ(program.status().code(), absl::StatusCode::kInvalidArgument);
    EXPECT_EQ(program.status().message(), row.message) << row.name;
  }
}

}  // namespace
}  // namespace berth
