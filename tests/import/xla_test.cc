// XLA's dumps as placement problems.
#include "tools/import/xla.h"

#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_replace.h"
#include "gtest/gtest.h"
#include "tests/import/imported_text.h"
#include "tools/import/detect.h"
#include "tools/import/imported.h"

namespace berth::import {
namespace {

TEST(XlaTest, TakesTemporariesWithInclusiveEnds) {
  const std::string dump = Data("matmul.buffer-assignment.txt");
  const auto imported = FromXlaAssignment(dump, "f", Options());
  // dot.4 [2,3] and exp.5 [3,4] share their bytes in step 3: one buffer.
  EXPECT_EQ(Text(imported),
            "3:dot.4,2,5,4096 5:fusion.6{0;1},4,6,8192 6:while.7{1},6,8,4096");
  EXPECT_EQ(Notes(imported),
            "XLA's own offsets are left out\n"
            "2 values that go in or out are left out; see --io\n"
            "2 constants and thread-local values are left out\n"
            "1 values of other memory spaces are left out\n"
            "1 values became part of one with the same bytes");
}

// As XLA printed it up to 2022: the address of each allocation, shapes without
// bars, values without colour.
TEST(XlaTest, ReadsWhatOldVersionsPrint) {
  EXPECT_EQ(
      Text(FromXlaAssignment(
          "BufferAssignment:\n"
          "allocation 0: 0x27017c46b600, size 32768, parameter 0, shape "
          "f32[256,32] at ShapeIndex {}:\n"
          " value: <3 parameter> (size=32768,offset=0): f32[256,32]{1,0}\n"
          "allocation 1: 0x27017c46b6b0, size 128, output shape is f32[32], "
          "maybe-live-out:\n"
          " value: <5 reduce> (size=128,offset=0): f32[32]{0}\n"
          "allocation 2: 0x27017c46b760, size 4, constant:\n"
          " value: <4 init_value> (size=4,offset=0): f32[]\n"
          "allocation 3: 0x27017c46b8c0, size 256, preallocated-temp:\n"
          " value: <6 while.1{2,0} (phi)> (size=256,offset=0): f32[64]{0}\n"
          "\nTotal bytes used: 33156 (32.4KiB)\n\n"
          "HloLiveRange (max 4):\n  InstructionSequence:\n    0:parameter\n"
          "  BufferLiveRange:\n    parameter{}:0-4\n    while.1{2,0}:1-3\n"
          "    reduce{}:3-4\n",
          "f", {.io = Io::kPlaced, .dims = {}})),
      "3:parameter,0,5,32768 5:reduce,3,5,128 6:while.1{2;0},1,4,256");
}

// As it prints it today; the live ranges first, as a shell's * puts them where
// files are named the other way round.
TEST(XlaTest, ReadsLiveRangesFirst) {
  const std::string ranges =
      "HloLiveRange (max 3):\n  InstructionSequence:\n    0:p\n"
      "    1:all-gather-start.28\n  BufferLiveRange:\n    p{}:0-3\n"
      "    all-gather-start.28{}:1-2\n    all-gather-start.28{1,0}:1-3\n"
      "  Live ranges at 2 (peak):\n    p{}: 16 bytes (cumulative: 16 bytes)\n"
      "  Stack trace breakdown for peak usage: 16 bytes\n"
      "    main (100.0%, total: 16 bytes, current: 0 bytes)\n";
  const std::string allocations =
      "BufferAssignment:\nallocation 0: size 2048, preallocated-temp:\n"
      " value: <8 all-gather-start.28{} @0> (size=16,offset=0): "
      "((bf16[1,768]), (bf16[1,6144]))\n"
      " value: <9 all-gather-start.28{1,0} @0> (size=1024,offset=1024): "
      "bf16[1,512]{1,0}\n\nTotal bytes: 2048 (2.0KiB)\n";
  const std::string both = ranges + allocations;
  EXPECT_EQ(DetectSource(both), Source::kXlaAssignment);
  EXPECT_EQ(Text(FromXlaAssignment(both, "f", Options())),
            "8:all-gather-start.28{},1,3,16 "
            "9:all-gather-start.28{1;0},1,4,1024");
  EXPECT_EQ(Text(FromXlaAssignment(allocations + ranges, "f", Options())),
            Text(FromXlaAssignment(both, "f", Options())));
  EXPECT_TRUE(absl::StartsWith(
      Text(FromXlaAssignment(ranges, "f", Options())),
      "f: no allocations are given; put the live ranges and the"));
}

TEST(XlaTest, PlacesOrPinsWhatGoesInAndOut) {
  const std::string dump = Data("matmul.buffer-assignment.txt");
  EXPECT_EQ(Text(FromXlaAssignment(dump, "f", {.io = Io::kPlaced, .dims = {}})),
            "0:Arg_0.1,0,9,4096 3:dot.4,2,5,4096 5:fusion.6{0;1},4,6,8192 "
            "6:while.7{1},6,8,4096 7:add.9,7,9,4096");
  EXPECT_EQ(Text(FromXlaAssignment(dump, "f", {.io = Io::kPinned, .dims = {}})),
            "0:Arg_0.1,0,9,4096@0 3:dot.4,2,5,4096 5:fusion.6{0;1},4,6,8192 "
            "6:while.7{1},6,8,4096 7:add.9,7,9,4096@4096");
  EXPECT_EQ(Text(FromXlaAssignment(dump, "f", {.dims = {}, .xla_color = 1})),
            "8:copy.8,6,8,512");
}

TEST(XlaTest, NamesWhatItCannotRead) {
  const std::string dump = Data("matmul.buffer-assignment.txt");
  const auto with = [&](const char* from, const char* to) {
    const std::string changed = absl::StrReplaceAll(dump, {{from, to}});
    EXPECT_NE(changed, dump) << from;
    return Text(FromXlaAssignment(changed, "f", Options()));
  };
  EXPECT_EQ(with("    dot.4{}:2-3\n", ""),
            "f: value 'dot.4' has no live range");
  const size_t ranges = dump.find("HloLiveRange");
  EXPECT_EQ(Text(FromXlaAssignment(dump.substr(0, ranges), "f", Options())),
            "f: value 'dot.4' has no live range: none are given; put the "
            "...-live-range.txt that XLA writes beside it behind the file");
  EXPECT_EQ(with("allocation 4:", "allocation four:"),
            "f:10: an allocation without number");
  EXPECT_EQ(with("<3 dot.4 @0>", "<dot.4 @0>"),
            "f:11: no value of the form <1 name @0> (size=1,offset=0)");
  EXPECT_EQ(with("dot.4{}:2-3", "dot.4{}:2"),
            "f:41: no live range of the form name{}:0-12");
  EXPECT_EQ(with("dot.4{}:2-3", "dot.4{}:5-1"),
            "f: value '3:dot.4' ends before it starts, or at 2^63 - 1");
}

TEST(XlaTest, BufferInfoHasInclusiveEndsToo) {
  const std::string csv = Data("matmul.buffer-info.csv");
  EXPECT_EQ(Text(FromXlaBufferInfo(csv, "f", Options())),
            "0:Arg_0.1,0,9,4096 3:dot.4,2,4,4096 4:exp.5,3,5,4096 "
            "5:fusion.6{0;1},4,6,8192 6:while.7{1},6,8,4096 7:add.9,7,9,4096");
  EXPECT_EQ(Text(FromXlaBufferInfo(csv, "f", {.dims = {}, .xla_color = 1})),
            "8:copy.8,6,8,512");
  const auto with = [&](const char* from, const char* to) {
    const std::string changed = absl::StrReplaceAll(csv, {{from, to}});
    EXPECT_NE(changed, csv) << from;
    return Text(FromXlaBufferInfo(changed, "f", Options()));
  };
  EXPECT_EQ(with(",size,", ",bytes,"), "f:1: column 'size' is missing");
  EXPECT_EQ(with(",1,\"3\"", ",\"3\""), "f:3: 8 fields, and the header has 9");
  EXPECT_EQ(with("3,\"<3 ", "3,\"<4 "),
            "f:3: buffer_name is not of the form <buffer_id name @0>");
  EXPECT_EQ(with("4,\"<4 exp.5", "3,\"<3 dot.4"),
            "f: value '3:dot.4' is there twice");
  EXPECT_EQ(with("4096,2,3", "4096,2,three"),
            "f:3: size, definition_time or end_time is no integer");
}

}  // namespace
}  // namespace berth::import
