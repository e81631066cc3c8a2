// The rules of check_program.h on programs built in memory, which can be broken
// in ways that no file can. What files can say is in tests/formats.
#include "allocator/model/check_program.h"

#include <cstdint>
#include <functional>
#include <ostream>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "allocator/model/options.h"
#include "allocator/model/program.h"
#include "gtest/gtest.h"
#include "tests/testing/program_builder.h"

namespace berth {
namespace {

using testing::ProgramBuilder;

Program Good() {
  return ProgramBuilder()
      .Fn("f")
      .Loc("x", 16)
      .Loc("y", 8)
      .Block("a", {"b", "b"})
      .Op("i", {"x"}, {{"y", 0, 8}})
      .Copy({"x", 8, 8}, "y")
      .Block("b")
      .Barrier("meet")
      .Call("g", {"x"}, {"y"})
      .Fn("g")
      .Build();
}

TEST(CheckProgram, AcceptsGoodPrograms) {
  EXPECT_EQ(CheckProgram(Good()), absl::OkStatus());
  EXPECT_EQ(CheckProgram(Program()), absl::OkStatus());
  Program empties;
  empties.modules.resize(2);
  empties.modules[0].core = 1;
  EXPECT_EQ(CheckProgram(empties), absl::OkStatus());
}

struct Row {
  const char* name;
  std::function<void(Function&)> break_it;
  const char* message;
};

TEST(CheckProgram, NamesTheFirstFault) {
  const Row rows[] = {
      {"type", [](Function& f) { f.locations[1].type = MemoryType{3}; },
       "core 0, function 'f', location 'y': the type is unknown"},
      {"space", [](Function& f) { f.locations[1].space = Space{2}; },
       "core 0, function 'f', location 'y': the space is unknown"},
      {"usage", [](Function& f) { f.locations[1].usage = Usage{8}; },
       "core 0, function 'f', location 'y': usage 8 is unknown"},
      {"placed_by", [](Function& f) { f.locations[1].placed_by = PlacedBy{4}; },
       "core 0, function 'f', location 'y': the placed_by is unknown"},
      {"kind",
       [](Function& f) {
         f.blocks[0].instructions[0].kind = InstructionKind{5};
       },
       "core 0, function 'f', block 'a', instruction 'i': the kind is unknown"},
      {"location of an access",
       [](Function& f) { f.blocks[0].instructions[1].defs[0].location = 2; },
       "core 0, function 'f', block 'a', instruction '#1': an access names no "
       "location of the function"},
      {"negative location of an access",
       [](Function& f) { f.blocks[0].instructions[1].uses[0].location = -1; },
       "core 0, function 'f', block 'a', instruction '#1': an access names no "
       "location of the function"},
      {"successor", [](Function& f) { f.blocks[0].successors[1] = 2; },
       "core 0, function 'f', block 'a': a successor is not a block of the "
       "function"},
      {"callee", [](Function& f) { f.blocks[1].instructions[1].callee = 2; },
       "core 0, function 'f', block 'b', instruction '#3': a CALL names a "
       "function of its module"},
      {"callee of a copy",
       [](Function& f) { f.blocks[0].instructions[1].callee = 0; },
       "core 0, function 'f', block 'a', instruction '#1': only a CALL has a "
       "callee, not a DMA_COPY"},
      {"callee of a barrier",
       [](Function& f) { f.blocks[1].instructions[0].callee = 0; },
       "core 0, function 'f', block 'b', instruction 'meet': only a CALL has a "
       "callee, not a BARRIER"},
      {"recursion", [](Function& f) { f.blocks[1].instructions[1].callee = 0; },
       "core 0, function 'f', block 'b', instruction '#3': calls recurse: 'f' "
       "-> 'f'"},
      {"slab",
       [](Function& f) {
         f.runs.resize(1);
         f.runs[0].slab = -2;
       },
       "core 0, function 'f', run 0: a slab is a core"},
      {"planner",
       [](Function& f) {
         f.runs.resize(2);
         f.runs[1].planner = Planner{4};
       },
       "core 0, function 'f', run 1: the planner is unknown"},
      {"two faults: the first in file order",
       [](Function& f) {
         f.blocks[0].name = "";
         f.locations[1].name = "x";
         f.locations[1].alignment = 0;
       },
       "core 0, function 'f', location 'x': the name is used twice (numbers 0 "
       "and 1, counted from 0)"},
      {"a fault before a duplicate",
       [](Function& f) {
         f.locations[0].alignment = 0;
         f.locations[1].name = "x";
       },
       "core 0, function 'f', location 'x': alignment 0 is refused"},
  };
  for (const Row& row : rows) {
    Program program = Good();
    row.break_it(program.modules[0].functions[0]);
    const absl::Status status = CheckProgram(program);
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << row.name;
    EXPECT_EQ(std::string(status.message()), row.message) << row.name;
  }
}

TEST(CheckProgram, F12SizesAndAddressesAtTheLimit) {
  constexpr uint64_t kAll = ~uint64_t{0};
  Program program = ProgramBuilder().Loc("x", kAll - 4095).Build();
  Location& x = program.modules[0].functions[0].locations[0];
  EXPECT_EQ(CheckProgram(program), absl::OkStatus());
  EXPECT_EQ(x.aligned_size(), kAll - 4095);
  x.elem_count = kAll - 4094;  // rounded up: 2^64
  EXPECT_FALSE(CheckProgram(program).ok());
  x.type = MemoryType::kSbuf;  // no pages
  EXPECT_EQ(CheckProgram(program), absl::OkStatus());
  x.address = 4094;
  EXPECT_EQ(CheckProgram(program), absl::OkStatus());
  x.address = 4095;
  EXPECT_FALSE(CheckProgram(program).ok());
  x.elem_count = 0;
  x.address = kAll;  // no bytes: any address will do
  EXPECT_EQ(CheckProgram(program), absl::OkStatus());
}

TEST(CalleesFirst, PostOrderFromTheFunctionsInOrder) {
  const Program program = ProgramBuilder()
                              .Fn("main")
                              .Call("c")
                              .Call("b")
                              .Call("c")
                              .Fn("a")
                              .Call("main")
                              .Fn("b")
                              .Call("d")
                              .Fn("c")
                              .Fn("d")
                              .Fn("alone")
                              .Build();
  const auto order = CalleesFirst(program.modules[0]);
  ASSERT_TRUE(order.ok()) << order.status();
  EXPECT_EQ(*order, (std::vector<int32_t>{3, 4, 2, 0, 1, 5}));
}

TEST(CalleesFirst, NamesTheCycle) {
  const Program program = ProgramBuilder()
                              .Fn("main")
                              .Call("a")
                              .Fn("a")
                              .Call("b")
                              .Fn("b")
                              .Call("a")
                              .Build();
  EXPECT_EQ(CalleesFirst(program.modules[0]).status().message(),
            "core 0: calls recurse: 'a' -> 'b' -> 'a'");
  EXPECT_EQ(CheckProgram(program).message(),
            "core 0, function 'b', block 'entry', instruction '#0': calls "
            "recurse: 'a' -> 'b' -> 'a'");
}

TEST(CalleesFirst, ChainsOfAnyDepth) {
  constexpr int32_t kFunctions = 200'000;
  Program program;
  program.modules.resize(1);
  auto& functions = program.modules[0].functions;
  functions.resize(kFunctions);
  for (int32_t i = 0; i < kFunctions; ++i) {
    functions[i].name = absl::StrCat("f", i);
    functions[i].blocks.resize(1);
    functions[i].blocks[0].name = "b";
    if (i + 1 == kFunctions) break;
    Instruction call;
    call.kind = InstructionKind::kCall;
    call.callee = i + 1;
    functions[i].blocks[0].instructions.push_back(call);
  }
  EXPECT_EQ(CheckProgram(program), absl::OkStatus());
  const auto order = CalleesFirst(program.modules[0]);
  ASSERT_TRUE(order.ok());
  EXPECT_EQ(order->front(), kFunctions - 1);
  EXPECT_EQ(order->back(), 0);
}

TEST(AccessBytes, ExtentOrTheWholeLocation) {
  Location location;
  location.elem_count = 10;
  location.elem_size = 4;
  EXPECT_EQ(AccessBytes({0, 0, 0}, location), 40u);
  EXPECT_EQ(AccessBytes({0, 8, 12}, location), 12u);
}

TEST(NameFault, Utf8AndControlCharacters) {
  for (const char* const good : {"a", "a b", "\xc2\xa0", "\xc3\xa9", "\xdf\xbf",
                                 "\xe0\xa0\x80", "\xed\x9f\xbf", "\xee\x80\x80",
                                 "\xf0\x90\x80\x80", "\xf4\x8f\xbf\xbf"}) {
    EXPECT_EQ(NameFault(good), nullptr) << good;
  }
  EXPECT_STREQ(NameFault(""), "is empty");
  for (const absl::string_view control :
       {absl::string_view("a\0b", 3), absl::string_view("\n"),
        absl::string_view("\x1f"), absl::string_view("\x7f"),
        absl::string_view("\xc2\x80"), absl::string_view("\xc2\x9f")}) {
    EXPECT_STREQ(NameFault(control), "has a control character");
  }
  for (const char* const bad :
       {"\x80", "\xc0\x80", "\xc1\xbf", "\xc2", "\xc2\x41", "\xe0\x9f\xbf",
        "\xe1\x80", "\xed\xa0\x80", "\xf0\x8f\xbf\xbf", "\xf4\x90\x80\x80",
        "\xf5\x80\x80\x80", "\xf1\x80\x80", "\xff"}) {
    EXPECT_STREQ(NameFault(bad), "is not valid UTF-8");
  }
}

}  // namespace
}  // namespace berth
