// Dependences across cores, worked by hand.
#include "allocator/dependence/shared_dependence.h"

#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "allocator/dependence/dependence.h"
#include "allocator/model/intervals.h"
#include "allocator/model/program.h"
#include "gtest/gtest.h"
#include "tests/testing/program_builder.h"

namespace berth {
namespace {

using testing::LocationSpec;
using testing::ProgramBuilder;

LocationSpec At(uint64_t address) {
  LocationSpec spec;
  spec.space = Space::kShared;
  spec.address = address;
  spec.placed_by = PlacedBy::kBerth;
  return spec;
}

// Tensors are named by digits: "0" is tensor 0, in phase 0, and so on.
std::string Edges(const ProgramBuilder& builder, int num_tensors) {
  const Program program = builder.Build();
  IntervalTable phases;
  for (int32_t t = 0; t < num_tensors; ++t) phases.Append({{t, t}});
  std::vector<const Module*> modules(program.modules.size());
  for (const Module& module : program.modules) modules[module.core] = &module;
  const auto edges = FindCrossDependences(
      program,
      [&](int32_t core, int32_t function, int32_t location) {
        return modules[core]->functions[function].locations[location].name[0] -
               '0';
      },
      phases);
  std::string text;
  edges.ForEach([&](const CrossDependence& e) {
    absl::StrAppend(&text, text.empty() ? "" : ", ", e.earlier.core, ".",
                    e.earlier.flat, ">", e.later.core, ".", e.later.flat, " ",
                    Name(e.kind));
  });
  return text;
}

// F9: X is read on two cores that know nothing of each other; the next writer
// of its bytes waits for both, and for X's writer.
TEST(CrossDependences, TheNextWriterWaitsForReadersOfEveryCore) {
  EXPECT_EQ(Edges(ProgramBuilder()
                      .Core(0)
                      .Loc("0", 64, At(0))
                      .Op({"0"}, {})
                      .Op({}, {"0"})
                      .Core(1)
                      .Loc("0", 64, At(0))
                      .Op({}, {"0"})
                      .Core(2)
                      .Loc("1", 64, At(32))
                      .Op({}, {})
                      .Op({"1"}, {})
                      .Op({"1"}, {}),
                  2),
            "0.1>2.1 anti, 1.0>2.1 anti, 0.0>2.1 output");
}

TEST(CrossDependences, BytesThatDoNotMeetHaveNone) {
  EXPECT_EQ(Edges(ProgramBuilder()
                      .Core(0)
                      .Loc("0", 64, At(0))
                      .Op({{"0", 0, 32}}, {})
                      .Core(1)
                      .Loc("1", 64, At(32))
                      .Op({"1"}, {}),
                  2),
            "");
}

// Every core writes its part of both, and reads the whole.
TEST(CrossDependences, PartsOfAStagingBuffer) {
  EXPECT_EQ(Edges(ProgramBuilder()
                      .Core(0)
                      .Loc("0", 8, At(0))
                      .Loc("1", 8, At(0))
                      .Op({{"0", 0, 4}}, {})
                      .Op({}, {"0"})
                      .Op({{"1", 0, 4}}, {})
                      .Core(1)
                      .Loc("0", 8, At(0))
                      .Loc("1", 8, At(0))
                      .Op({{"0", 4, 4}}, {})
                      .Op({}, {"0"})
                      .Op({{"1", 4, 4}}, {}),
                  2),
            "1.1>0.2 anti, 0.1>1.2 anti");
}

// What a branch may leave unwritten still holds the tensor before.
TEST(CrossDependences, ATensorThatMayNotBeWrittenEndsNothing) {
  const auto build = [](bool both_arms) {
    ProgramBuilder b;
    b.Core(0).Loc("0", 8, At(0)).Op({"0"}, {});
    b.Core(1).Loc("1", 8, At(0));
    b.Block("a", {"b", "c"}).Block("b", {"d"}).Op({"1"}, {});
    b.Block("c", {"d"});
    if (both_arms) b.Op({"1"}, {});
    b.Block("d");
    b.Core(2).Loc("2", 8, At(0)).Op({"2"}, {});
    return b;
  };
  EXPECT_EQ(Edges(build(false), 3),
            "0.0>1.0 output, 0.0>2.0 output, 1.0>2.0 output");
  EXPECT_EQ(Edges(build(true), 3),
            "0.0>1.0 output, 0.0>1.1 output, 1.0>2.0 output, 1.1>2.0 output");
}

TEST(CrossDependences, OneFunctionsOwnAreNotAmongThem) {
  EXPECT_EQ(Edges(ProgramBuilder()
                      .Loc("0", 8, At(0))
                      .Loc("1", 8, At(0))
                      .Op({"0"}, {})
                      .Op({"1"}, {}),
                  2),
            "");
}

}  // namespace
}  // namespace berth
