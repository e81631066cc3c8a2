// Malloc traces as placement problems, and files told apart by content.
#include "tools/import/malloc_trace.h"

#include <variant>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "allocator/model/instance.h"
#include "gtest/gtest.h"
#include "tests/import/imported_text.h"
#include "tools/import/detect.h"
#include "tools/import/imported.h"

namespace berth::import {
namespace {

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

}  // namespace
}  // namespace berth::import
