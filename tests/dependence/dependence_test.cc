// Dependences worked by hand.
#include "allocator/dependence/dependence.h"

#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "allocator/dependence/forward_graph.h"
#include "allocator/model/program.h"
#include "gtest/gtest.h"
#include "tests/testing/program_builder.h"

namespace berth {
namespace {

using testing::LocationSpec;
using testing::ProgramBuilder;

const Function& Only(const Program& program) {
  return program.modules[0].functions[0];
}

// "0>1 flow, 0>2 output".
std::string Text(const std::vector<Dependence>& edges) {
  std::string text;
  for (const Dependence& edge : edges) {
    absl::StrAppend(&text, text.empty() ? "" : ", ", edge.earlier, ">",
                    edge.later, " ", Name(edge.kind));
  }
  return text;
}

std::string Fdeps(const ProgramBuilder& b) {
  const Program program = b.Build();
  return Text(BuildFdeps(Only(program)));
}

std::string Placed(const ProgramBuilder& b, Space space = Space::kLocal) {
  const Program program = b.Build();
  return Text(PlacementDependences(Only(program), space));
}

LocationSpec At(uint64_t address) {
  LocationSpec spec;
  spec.address = address;
  spec.placed_by = PlacedBy::kBerth;
  return spec;
}

TEST(BuildFdeps, WriterReadersWriter) {
  EXPECT_EQ(Fdeps(ProgramBuilder()
                      .Loc("t", 8)
                      .Op({"t"}, {})
                      .Op({}, {"t"})
                      .Op({}, {"t"})
                      .Op({"t"}, {})
                      .Op({}, {"t"})),
            "0>1 flow, 0>2 flow, 0>3 output, 1>3 anti, 2>3 anti, 3>4 flow");
}

TEST(BuildFdeps, InPlaceReadsBeforeItWrites) {
  EXPECT_EQ(Fdeps(ProgramBuilder()
                      .Loc("t", 8)
                      .Op({"t"}, {})
                      .Op({"t"}, {"t"})
                      .Op({"t"}, {})),
            "0>1 flow, 0>1 output, 1>2 output");
}

// Halves do not wait for each other; each is a use of what it overwrites.
TEST(BuildFdeps, PartialDefsAreOrderedByTheBytesTheyMeet) {
  EXPECT_EQ(Fdeps(ProgramBuilder()
                      .Loc("t", 8)
                      .Op({{"t", 0, 4}}, {})
                      .Op({{"t", 4, 4}}, {})
                      .Op({{"t", 2, 4}}, {})
                      .Op({}, {{"t", 0, 2}})
                      .Op({}, {"t"})),
            "0>2 flow, 0>2 output, 1>2 flow, 1>2 output, 0>3 flow, 0>4 flow, "
            "1>4 flow, 2>4 flow");
}

TEST(BuildFdeps, ArmsOfABranchKnowNothingOfEachOther) {
  EXPECT_EQ(Fdeps(ProgramBuilder()
                      .Loc("t", 8)
                      .Block("a", {"b", "c"})
                      .Op({"t"}, {})
                      .Block("b", {"d"})
                      .Op({"t"}, {})
                      .Block("c", {"d"})
                      .Op({}, {"t"})
                      .Block("d")
                      .Op({"t"}, {})),
            "0>1 output, 0>2 flow, 0>3 output, 1>3 output, 2>3 anti");
}

TEST(BuildFdeps, BackEdgesCarryNothing) {
  EXPECT_EQ(Fdeps(ProgramBuilder()
                      .Loc("t", 8)
                      .Block("a", {"loop"})
                      .Op({"t"}, {})
                      .Block("loop", {"loop", "z"})
                      .Op({}, {"t"})
                      .Op({"t"}, {})
                      .Block("z")
                      .Op({}, {"t"})),
            "0>1 flow, 0>2 output, 1>2 anti, 2>3 flow");
}

TEST(BuildFdeps, OtherMemoriesAndEmptyLocationsHaveNone) {
  LocationSpec sbuf;
  sbuf.type = MemoryType::kSbuf;
  EXPECT_EQ(Fdeps(ProgramBuilder()
                      .Loc("s", 8, sbuf)
                      .Loc("empty", 0)
                      .Op({"s", "empty"}, {})
                      .Op({"s"}, {"s", "empty"})),
            "");
}

TEST(PlacementDependences, ReadersAndWritersOfBytesThatMeet) {
  EXPECT_EQ(Placed(ProgramBuilder()
                       .Loc("a", 8, At(0))
                       .Loc("b", 8, At(4))
                       .Loc("c", 8, At(16))
                       .Op({"a"}, {})
                       .Op({}, {"a"})
                       .Op({"c"}, {})
                       .Op({"b"}, {})
                       .Op({}, {"b"})),
            "0>3 output, 1>3 anti");
}

// Bytes that the second one never writes still hold the first one's.
TEST(PlacementDependences, EachByteHasItsOwnLastWriter) {
  EXPECT_EQ(Placed(ProgramBuilder()
                       .Loc("a", 8, At(0))
                       .Loc("b", 8, At(0))
                       .Loc("c", 8, At(0))
                       .Op({"a"}, {})
                       .Op({{"b", 0, 4}}, {})
                       .Op({"c"}, {})),
            "0>1 output, 0>2 output, 1>2 output");
}

TEST(PlacementDependences, SpacesAreApart) {
  LocationSpec shared = At(0);
  shared.space = Space::kShared;
  const ProgramBuilder b = ProgramBuilder()
                               .Loc("a", 8, At(0))
                               .Loc("s", 8, shared)
                               .Loc("t", 8, shared)
                               .Loc("nowhere", 8)
                               .Op({"a", "s", "nowhere"}, {})
                               .Op({"t"}, {});
  EXPECT_EQ(Placed(b), "");
  EXPECT_EQ(Placed(b, Space::kShared), "0>1 output");
}

// One instruction may meet another in several ways; each kind is there once.
TEST(PlacementDependences, EdgesAreUnique) {
  EXPECT_EQ(Placed(ProgramBuilder()
                       .Loc("a", 8, At(0))
                       .Loc("b", 8, At(8))
                       .Loc("c", 16, At(0))
                       .Op({{"a", 0, 2}, {"a", 4, 2}, "b"}, {})
                       .Op({}, {"a", "b"})
                       .Op({{"c", 0, 9}, {"c", 9, 7}}, {})),
            "0>2 output, 1>2 anti");
}

TEST(ForwardGraph, IrreducibleLoopsLoseOneEdge) {
  const Program program = ProgramBuilder()
                              .Block("entry", {"x", "y"})
                              .Block("x", {"y"})
                              .Block("y", {"x", "z"})
                              .Block("z")
                              .Build();
  const ForwardGraph graph(Only(program));
  EXPECT_FALSE(graph.LeadsBack(1, 2));
  EXPECT_TRUE(graph.LeadsBack(2, 1));
  EXPECT_EQ(graph.order(), (std::vector<int32_t>{0, 1, 2, 3}));
}

}  // namespace
}  // namespace berth
