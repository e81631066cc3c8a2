// EmitIntervals(): what each emission gives, in which order, and its limit.
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "allocator/liveness/limits.h"
#include "allocator/liveness/liveness.h"
#include "allocator/model/options.h"
#include "allocator/model/program.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/liveness/liveness_text.h"
#include "tests/testing/program_builder.h"

namespace berth {
namespace {

using testing::Emitted;
using ::testing::HasSubstr;
using testing::LivenessOf;
using testing::ProgramBuilder;

constexpr Emission kMerged = Emission::kMerged;
constexpr Emission kPerEdge = Emission::kPerEdge;

TEST(Emission, EveryUseIsAnEdge) {
  const Program program = ProgramBuilder()
                              .Loc("x", 8)
                              .Op({"x"}, {})
                              .Op({}, {"x"})
                              .Op({}, {})
                              .Op({}, {"x", {"x", 0, 1}})
                              .Build();
  EXPECT_EQ(Emitted(program, kMerged, {"x"}), "0:0-3");
  EXPECT_EQ(Emitted(program, kPerEdge, {"x"}), "0:0-1 0:0-3");
}

TEST(Emission, FullDefEndsTheEdgesBeforeIt) {
  const Program program = ProgramBuilder()
                              .Loc("x", 8)
                              .Op({"x"}, {})
                              .Op({}, {"x"})
                              .Op({"x"}, {})
                              .Op({}, {"x"})
                              .Op({"x"}, {"x"})
                              .Op({}, {"x"})
                              .Build();
  // The def at 4 is partial: its instruction uses x. So 2 reaches 5 as well.
  EXPECT_EQ(Emitted(program, kPerEdge, {"x"}), "0:0-1 0:2-3 0:2-4 0:2-5 0:4-5");
  EXPECT_EQ(Emitted(program, kMerged, {"x"}), "0:0-5");
}

TEST(Emission, DeadDefs) {
  const Program program = ProgramBuilder()
                              .Loc("full", 8)
                              .Loc("tiles", 8)
                              .Op({"full"}, {})
                              .Op({"full"}, {})
                              .Op({}, {"full"})
                              .Op({{"tiles", 0, 4}}, {})
                              .Op({{"tiles", 4, 4}}, {})
                              .Build();
  // The second tile is an implied use of the first, and dead itself.
  EXPECT_EQ(Emitted(program, kPerEdge, {"full", "tiles"}),
            "0:0-0 0:1-2 1:3-4 1:4-4");
  EXPECT_EQ(Emitted(program, kMerged, {"full", "tiles"}), "0:0-2 1:3-4");
}

TEST(Emission, UseThatNoDefReachesStandsAlone) {
  const Program program = ProgramBuilder()
                              .Loc("x", 8)
                              .Op({}, {"x"})
                              .Op({"x"}, {"x"})
                              .Op({}, {"x"})
                              .Build();
  EXPECT_EQ(Emitted(program, kPerEdge, {"x"}), "0:0-0 0:1-2");
  EXPECT_EQ(Emitted(program, kMerged, {"x"}), "0:0-2");
}

TEST(Emission, ByEdgeOnlyWhatIsBlockLocalAndNotPinned) {
  const Program program = ProgramBuilder()
                              .Fn("main")
                              .Loc("local", 8)
                              .Loc("global", 8)
                              .Loc("called", 8)
                              .Pin("pinned", 8, 0)
                              .In("input", 8)
                              .Block("entry", {"next"})
                              .Op({"local", "global", "called", "pinned"}, {})
                              .Call("callee", {}, {"called"})
                              .Op({}, {"local", "global", "pinned", "input"})
                              .Op({}, {"local", "called", "pinned"})
                              .Block("next")
                              .Op({}, {"global"})
                              .Fn("callee")
                              .Build();
  EXPECT_EQ(Emitted(program, kPerEdge,
                    {"local", "global", "called", "pinned", "input"}),
            "0:0-2 4:0-2 0:0-3 2:0-3 3:0-3 1:0-4");
}

// An id is a place in `nodes`, not a location's index.
TEST(Emission, IdsArePositionsInNodes) {
  const Program program = ProgramBuilder()
                              .Loc("a", 8)
                              .Loc("b", 8)
                              .Loc("c", 8)
                              .Op({"a"}, {})
                              .Op({"c"}, {})
                              .Build();
  EXPECT_EQ(Emitted(program, kMerged, {"c", "a"}), "0:1-1 1:0-0");
  EXPECT_EQ(Emitted(program, kPerEdge, {"c", "a"}), "1:0-0 0:1-1");
  EXPECT_EQ(Emitted(program, kMerged, {"b"}), "");
  EXPECT_EQ(Emitted(program, kPerEdge, {}), "");
}

TEST(Emission, SortedByHiThenIdThenLo) {
  const Program program = ProgramBuilder()
                              .Loc("a", 8)
                              .Loc("b", 8)
                              .Op({{"a", 0, 1}, {"b", 0, 1}}, {})
                              .Op({{"a", 1, 1}, {"b", 1, 1}}, {})
                              .Op({}, {"b", "a"})
                              .Build();
  EXPECT_EQ(Emitted(program, kPerEdge, {"a", "b"}),
            "0:0-1 1:0-1 0:0-2 0:1-2 1:0-2 1:1-2");
}

// `num_tiles` tiles of x are written, then x is read `num_reads` times.
Program Tiles(int32_t num_tiles, int32_t num_reads) {
  ProgramBuilder builder;
  builder.Fn("many").Loc("other", 1).Loc("tiles", 2);
  builder.Op({"other"}, {});
  for (int32_t i = 0; i < num_tiles; ++i) builder.Op({{"tiles", 0, 1}}, {});
  for (int32_t i = 0; i < num_reads; ++i) builder.Op({}, {"tiles"});
  return builder.Build();
}

// 2.4e9 edges from 80,000 instructions: refused at once, with a name,
// before memory is asked for.
TEST(Emission, TooManyEdges) {
  const Program program = Tiles(40000, 40000);
  const Function& function = program.modules[0].functions[0];
  const Liveness liveness = LivenessOf(function);
  const auto per_edge = EmitIntervals(function, liveness, kPerEdge, {{0, 1}});
  EXPECT_EQ(per_edge.status().code(), absl::StatusCode::kResourceExhausted);
  EXPECT_THAT(std::string(per_edge.status().message()),
              HasSubstr("'many': location 'tiles'"));
  EXPECT_TRUE(EmitIntervals(function, liveness, kMerged, {{0, 1}}).ok());
}

TEST(Emission, LimitIsTheFirstRefusedCount) {
  const Program program = Tiles(3, 2);
  const Function& function = program.modules[0].functions[0];
  const Liveness liveness = LivenessOf(function);
  // Per edge: 1 of other, 0 + 1 + 2 between tiles, 2 * 3 to the reads.
  const auto emit = [&](Emission emission, int64_t limit) {
    return EmitIntervalsUpTo(function, liveness, emission, {{0, 1}}, limit);
  };
  EXPECT_TRUE(emit(kPerEdge, 11).ok());
  EXPECT_FALSE(emit(kPerEdge, 10).ok());
  EXPECT_TRUE(emit(kMerged, 3).ok());
  EXPECT_FALSE(emit(kMerged, 2).ok());
}

TEST(Emission, TooManyRuns) {
  const Program program = Tiles(1, 1);
  const Function& function = program.modules[0].functions[0];
  EXPECT_TRUE(ComputeLivenessUpTo(function, 3).ok());
  const absl::Status status = ComputeLivenessUpTo(function, 2).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted);
  EXPECT_THAT(std::string(status.message()),
              HasSubstr("'many': location 'tiles'"));
}

}  // namespace
}  // namespace berth
