// XLA dumps and malloc traces as placement problems.
#include <cstdint>
#include <fstream>
#include <optional>
#include <sstream>
#include <string>
#include <variant>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "allocator/model/instance.h"
#include "gtest/gtest.h"
#include "tools/import/detect.h"
#include "tools/import/imported.h"
#include "tools/import/malloc_trace.h"
#include "tools/import/xla.h"

namespace berth::import {
namespace {

std::string Data(const std::string& name) {
  std::ifstream file("tests/import/testdata/" + name, std::ios::binary);
  EXPECT_TRUE(file.good()) << name;
  std::stringstream content;
  content << file.rdbuf();
  return content.str();
}

// "a0,0,2,24 a1,1,3,8": id, lower, upper, size, and @ the offset if any.
std::string Text(const absl::StatusOr<Imported>& imported) {
  if (!imported.ok()) return std::string(imported.status().message());
  const Instance& instance = std::get<Instance>(imported->content);
  return absl::StrJoin(instance.buffers, " ",
                       [](std::string* out, const Buffer& buffer) {
                         absl::StrAppend(out, buffer.id, ",", buffer.lower, ",",
                                         buffer.upper, ",", buffer.size);
                         if (buffer.offset)
                           absl::StrAppend(out, "@", *buffer.offset);
                       });
}

std::string Notes(const absl::StatusOr<Imported>& imported) {
  return imported.ok() ? absl::StrJoin(imported->notes, "\n") : "";
}

TEST(DetectTest, TellsFilesByContent) {
  EXPECT_EQ(DetectSource(Data("sh.ltrace")), Source::kLtrace);
  EXPECT_EQ(DetectSource(Data("churn.heaptrack")), Source::kHeaptrack);
  EXPECT_EQ(DetectSource(Data("churn.heaptrack_raw")), Source::kHeaptrack);
  EXPECT_EQ(DetectSource(Data("matmul.buffer-assignment.txt")),
            Source::kXlaAssignment);
  EXPECT_EQ(DetectSource(Data("matmul.buffer-info.csv")),
            Source::kXlaBufferInfo);
  // A version, then a graph: whole, or cut off within it.
  EXPECT_EQ(DetectSource(absl::string_view("\x08\x07\x3a\x00", 4)),
            Source::kOnnx);
  EXPECT_EQ(DetectSource("\x08\x07\x3a\x09x"), Source::kOnnx);
}

TEST(DetectTest, LeavesBerthsOwnFilesAlone) {
  for (const char* content :
       {"", "\n", "id,lower,upper,size\na,0,5,10\n",
        "# malloc(24) = 0x10\nid,lower,upper,size\n",
        "comment: \"malloc(24) = 0x10\"\nmodules {}\n", "v,lower,upper,size\n",
        "v 12 zebra\n", "buffer_id,lower,upper,size\n", "\x12\x02\x08\x01",
        "\x0a\x01x\x12\x00", "\x08", "\x08\x07", "\x08\x07\x12\x01x",
        "call(24) = 0x10\n", "malloc of 24\n"}) {
    EXPECT_EQ(DetectSource(content), Source::kNone) << content;
  }
}

TEST(LtraceTest, PairsAllocationsAndFrees) {
  EXPECT_EQ(Text(FromLtrace("malloc(24) = 0x10\n"
                            "malloc(8)                   = 0x30\n"
                            "free(0x10)                  = <void>\n",
                            "f")),
            "a0,0,2,24 a1,1,3,8");
  // Names with their library, other functions, sizes by factors, alignment.
  EXPECT_EQ(Text(FromLtrace("puts(\"malloc\") = 7\n"
                            "libm.so.6->calloc(3, 0x10)  = 0x10\n"
                            "12:01:02.5 aligned_alloc(64, 128, 9, 0x9) = 0x40\n"
                            "_Znwm(5, 0x7ffc, 2)         = 0x90\n"
                            "_ZdlPv(0x10, 1)             = 0x1\n"
                            "malloc(9 <no return ...>\n"
                            "+++ exited (status 0) +++\n",
                            "f")),
            "a0,0,3,48 a1,1,4,128 a2,2,4,5");
}

TEST(LtraceTest, KnowsEveryOperatorNewAndDelete) {
  // Sized and aligned ones, as compilers call them since C++14 and C++17.
  EXPECT_EQ(Text(FromLtrace("_Znam(5, 0x7ffc, 2)                = 0x10\n"
                            "_ZdaPvm(0x10, 5)                   = 0x1\n"
                            "_ZnwmSt11align_val_t(64, 64)       = 0x40\n"
                            "_ZdlPvmSt11align_val_t(0x40, 64)   = 0x1\n",
                            "f")),
            "a0,0,1,5 a1,2,3,64");
  // Demangled, by ltrace -C.
  EXPECT_EQ(
      Text(FromLtrace("operator new(unsigned long)(24, 0x1, 2) = 0x10\n"
                      "libx.so->operator new[](unsigned long)(8) = 0x20\n"
                      "Foo::operator ()(int)(7)              = 1\n"
                      "operator delete(void*)(0x10, 1)       = 0x1\n"
                      "[pid 7] operator delete[](void*, unsigned long)(0x20, 8 "
                      "<unfinished ...>\n"
                      "[pid 7] <... operator delete[](void*, unsigned long) "
                      "resumed> )                          = 0x1\n",
                      "f")),
      "a0,0,2,24 a1,1,3,8");
}

TEST(LtraceTest, ReallocMovesOrStays) {
  // Moved: both blocks live while the bytes are copied.
  EXPECT_EQ(Text(FromLtrace("malloc(1) = 0x10\nrealloc(0x10, 2) = 0x20\n"
                            "free(0x20) = <void>\n",
                            "f")),
            "a0,0,2,1 a1,1,2,2");
  EXPECT_EQ(Text(FromLtrace("malloc(1) = 0x10\nrealloc(0x10, 2) = 0x10\n"
                            "free(0x10) = <void>\n",
                            "f")),
            "a0,0,1,1 a1,1,2,2");
  EXPECT_EQ(Text(FromLtrace("realloc(nil, 4) = 0x10\nrealloc(0x10, 0) = nil\n"
                            "malloc(9) = 0\nrealloc(0x99, 5) = nil\n"
                            "free(nil) = <void>\n",
                            "f")),
            "a0,0,2,4");
}

TEST(LtraceTest, ThreadsBeginAndEndCalls) {
  EXPECT_EQ(Text(FromLtrace("[pid 7] malloc(24 <unfinished ...>\n"
                            "[pid 8] malloc(8)              = 0x30\n"
                            "[pid 7] <... malloc resumed> ) = 0x10\n"
                            "9 free(0x30 <unfinished ...>\n"
                            "9 <... free resumed> )         = <void>\n",
                            "f")),
            "a0,0,2,8 a1,1,3,24");
  EXPECT_EQ(Text(FromLtrace("1 <... malloc resumed> ) = 0x10\n", "f")),
            "f:1: the end of a call that did not begin");
  EXPECT_EQ(Text(FromLtrace("1 malloc(4 <unfinished ...>\n"
                            "2 <... malloc resumed> ) = 0x10\n",
                            "f")),
            "f:2: the end of a call that did not begin");
}

TEST(LtraceTest, CountsWhatDoesNotPairUp) {
  const auto imported = FromLtrace(
      "free(0x99) = <void>\nmalloc(1) = 0x10\nmalloc(2) = 0x10\n", "f");
  EXPECT_EQ(Text(imported), "a0,1,2,1 a1,2,3,2");
  EXPECT_EQ(Notes(imported),
            "3 events; 1 allocations were never freed and live to the end\n"
            "1 frees of what the trace did not allocate\n"
            "1 allocations ended unseen: their address came again");
}

TEST(LtraceTest, RefusesWhatItCannotRead) {
  for (const char* line :
       {"malloc(24", "malloc(24)", "malloc() = 0x10", "malloc(x) = 0x10",
        "malloc(24) = ten", "calloc(3) = 0x10", "free() = <void>",
        "calloc(18446744073709551615, 2) = 0x10",
        "1 <... malloc resumed> = 0x10"}) {
    EXPECT_EQ(Text(FromLtrace(absl::StrCat("\n", line, "\n"), "f")),
              "f:2: a call of malloc or free that cannot be read")
        << line;
  }
  EXPECT_TRUE(absl::StartsWith(
      Text(FromLtrace("malloc(9223372036854775808) = 0x10\n", "f")),
      "f:1: a size passes 2^63 - 1"));
}

TEST(HeaptrackTest, BothFormsOfOneRunAreOneProblem) {
  const auto raw = FromHeaptrack(Data("churn.heaptrack_raw"), "f");
  const auto interpreted = FromHeaptrack(Data("churn.heaptrack"), "f");
  EXPECT_GT(std::get<Instance>(raw->content).buffers.size(), 20u);
  EXPECT_EQ(Text(raw), Text(interpreted));
}

TEST(HeaptrackTest, ReadsHexadecimalEvents) {
  EXPECT_EQ(
      Text(FromHeaptrack("v 10400 3\n+ 18 1 a0\nc 5\n+ ff 1 b0\n- a0\n", "f")),
      "a0,0,2,24 a1,1,3,255");
  // Of one kind the youngest is freed.
  EXPECT_EQ(
      Text(FromHeaptrack(
          "v 10400 3\na 10 1\n+ 0\n+ 0\na 8 2\n+ 1\n- 0\n- 0\n- 0\n", "f")),
      "a0,0,4,16 a1,1,3,16 a2,2,6,8");
  EXPECT_EQ(Text(FromHeaptrack("v 1 3\n+ 1x 1 a\n", "f")),
            "f:2: no event of heaptrack: hexadecimal fields expected");
  EXPECT_TRUE(absl::StartsWith(Text(FromHeaptrack("v 1 3\n+ 4\n", "f")),
                               "f:2: neither an allocation"));
  EXPECT_TRUE(absl::StartsWith(
      Text(FromHeaptrack("v 1 3\n+ ffffffffffffffff 1 a\n", "f")),
      "f:2: a size passes 2^63 - 1"));
}

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
