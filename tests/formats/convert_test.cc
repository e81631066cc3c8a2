#include "allocator/formats/convert.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "allocator/base/rng.h"
#include "allocator/formats/csv.h"
#include "allocator/model/check_program.h"
#include "allocator/model/instance.h"
#include "allocator/model/intervals.h"
#include "allocator/model/options.h"
#include "allocator/model/program.h"
#include "gtest/gtest.h"
#include "tests/testing/program_builder.h"

namespace berth {
namespace {

using testing::ProgramBuilder;

constexpr uint64_t kSeed = 31337;

// Designated initialisers would have to name every member.
Buffer MakeBuffer(const std::string& id, int64_t lower, int64_t upper,
                  uint64_t size) {
  Buffer buffer;
  buffer.id = id;
  buffer.lower = lower;
  buffer.upper = upper;
  buffer.size = size;
  return buffer;
}

// Liveness of one block whose defs are all full, by its definition: from each
// def to the last use before the next def. Sorted maximal runs.
std::vector<Interval> PlainRuns(const Function& function, int32_t location) {
  const auto& instructions = function.blocks[0].instructions;
  const auto has = [&](const std::vector<Access>& accesses) {
    return std::any_of(accesses.begin(), accesses.end(),
                       [&](const Access& a) { return a.location == location; });
  };
  std::vector<bool> occupied(instructions.size());
  for (size_t d = 0; d < instructions.size(); ++d) {
    if (!has(instructions[d].defs)) continue;
    size_t last = d;
    for (size_t i = d + 1; i < instructions.size(); ++i) {
      if (has(instructions[i].uses)) last = i;
      if (has(instructions[i].defs)) break;
    }
    for (size_t i = d; i <= last; ++i) occupied[i] = true;
  }
  std::vector<Interval> runs;
  for (int32_t i = 0; i < static_cast<int32_t>(occupied.size()); ++i) {
    if (!occupied[i]) continue;
    if (runs.empty() || runs.back().hi < i - 1) runs.push_back({i, i});
    runs.back().hi = i;
  }
  return runs;
}

IntervalTable PlainLiveness(const Function& function) {
  IntervalTable table;
  for (size_t i = 0; i < function.locations.size(); ++i) {
    table.Append(PlainRuns(function, static_cast<int32_t>(i)));
  }
  return table;
}

// Whether each two locations interfere, by pairs.
std::vector<bool> Interferences(const IntervalTable& runs) {
  std::vector<bool> result;
  for (int32_t a = 0; a < runs.size(); ++a) {
    for (int32_t b = 0; b < runs.size(); ++b) {
      bool meet = false;
      for (const Interval& x : runs.of(a)) {
        for (const Interval& y : runs.of(b)) meet |= Overlap(x, y);
      }
      result.push_back(meet);
    }
  }
  return result;
}

bool LiveAt(const Buffer& buffer, int64_t time) {
  if (time < buffer.lower || time >= buffer.upper) return false;
  return std::none_of(
      buffer.gaps.begin(), buffer.gaps.end(),
      [&](const Gap& gap) { return gap.lower <= time && time < gap.upper; });
}

Instance RandomInstance(Rng& rng) {
  constexpr int64_t kTimes = 16;
  Instance instance;
  const uint64_t buffers = rng.Below(12);
  for (uint64_t i = 0; i < buffers; ++i) {
    Buffer buffer;
    buffer.id = absl::StrCat("b", i);
    buffer.lower = rng.Between(-kTimes / 2, kTimes / 2 - 1);
    buffer.upper = rng.Between(buffer.lower + 1, kTimes / 2);
    buffer.size = rng.Below(10000);
    for (int64_t at = buffer.lower + 1; rng.OneIn(2);) {
      const int64_t lower = at + rng.Between(0, 2);
      const int64_t upper = lower + rng.Between(1, 3);
      if (upper >= buffer.upper) break;
      buffer.gaps.push_back({lower, upper});
      at = upper;
    }
    instance.buffers.push_back(buffer);
  }
  return instance;
}

TEST(Convert, TheExampleOfTheHeader) {
  const auto document =
      ReadCsv("id,lower,upper,size,gaps\na,0,9,100,3-5\nb,2,6,200,\n", "f", {});
  ASSERT_TRUE(document.ok());
  const auto converted = ToProgram(document->instance);
  ASSERT_TRUE(converted.ok()) << converted.status();
  const Program expected = ProgramBuilder()
                               .Fn("main")
                               .Loc("a", 100)
                               .Loc("b", 200)
                               .Block("entry")
                               .Op("t0", {"a"}, {})
                               .Op("t2", {"b"}, {"a"})
                               .Op("t5", {"a"}, {"b"})
                               .Build();
  EXPECT_EQ(converted->program, expected);
  EXPECT_EQ(converted->notes,
            (std::vector<std::string>{
                "locations are DRAM: page rules (4096 bytes) start to hold",
                "times became 3 instructions: their order is kept, their "
                "distances are not",
                "1 gaps became a use before and a full def behind them"}));
}

TEST(Convert, F1HalfOpenRowsThatTouchDoNotInterfere) {
  const auto converted =
      ToProgram({{MakeBuffer("x", 0, 5, 1), MakeBuffer("y", 5, 9, 1),
                  MakeBuffer("z", 4, 6, 1)}});
  ASSERT_TRUE(converted.ok());
  const Function& function = converted->program.modules[0].functions[0];
  EXPECT_EQ(PlainRuns(function, 0), (std::vector<Interval>{{0, 1}}));
  EXPECT_EQ(PlainRuns(function, 1), (std::vector<Interval>{{2, 2}}));
  EXPECT_EQ(PlainRuns(function, 2), (std::vector<Interval>{{1, 2}}));
}

TEST(Convert, OffsetsBecomePins) {
  Buffer pinned = MakeBuffer("x", 0, 5, 1);
  pinned.alignment = 64;
  pinned.offset = 100;
  const auto converted = ToProgram({{pinned}});
  ASSERT_TRUE(converted.ok());
  const Location& x = converted->program.modules[0].functions[0].locations[0];
  EXPECT_TRUE(x.pinned());
  EXPECT_EQ(x.address, 100u);
  EXPECT_EQ(x.placed_by, PlacedBy::kInput);
  EXPECT_EQ(x.alignment, 64u);
  EXPECT_EQ(x.usage, Usage::kIntermediate);
}

TEST(Convert, AWindowIsNothingAProgramHas) {
  Buffer x = {.id = "x", .lower = 0, .upper = 9, .size = 8};
  x.gaps = {{2, 4}, {5, 6, ByteWindow{0, 4}}};
  const auto converted = ToProgram({{x}});
  EXPECT_EQ(converted.status().message(),
            "'x': a program has nothing like the window 0:4 of a gap");
}

TEST(Convert, GapsThatTouchAreOneGap) {
  Buffer x = MakeBuffer("x", 0, 9, 1);
  x.gaps = {{2, 4}, {4, 6}};
  const auto converted = ToProgram({{x, MakeBuffer("y", 4, 5, 1)}});
  ASSERT_TRUE(converted.ok());
  const Function& function = converted->program.modules[0].functions[0];
  EXPECT_EQ(PlainRuns(function, 0), (std::vector<Interval>{{0, 0}, {2, 2}}));
  EXPECT_EQ(PlainRuns(function, 1), (std::vector<Interval>{{1, 1}}));
}

TEST(Convert, EmptyInstance) {
  const auto converted = ToProgram({});
  ASSERT_TRUE(converted.ok()) << converted.status();
  EXPECT_EQ(converted->program.modules[0].functions[0].num_instructions(), 0);
}

TEST(Convert, InterferenceIsThatOfTheCsv) {
  for (uint64_t seed = kSeed; seed < kSeed + 500; ++seed) {
    SCOPED_TRACE(seed);
    Rng rng(seed);
    const Instance instance = RandomInstance(rng);
    const auto converted = ToProgram(instance);
    ASSERT_TRUE(converted.ok()) << converted.status();
    const Function& function = converted->program.modules[0].functions[0];
    std::vector<bool> expected;
    for (const Buffer& a : instance.buffers) {
      for (const Buffer& b : instance.buffers) {
        bool meet = false;
        for (int64_t t = -8; t < 8; ++t) meet |= LiveAt(a, t) && LiveAt(b, t);
        expected.push_back(meet);
      }
    }
    ASSERT_EQ(Interferences(PlainLiveness(function)), expected)
        << WriteCsv(ToCsvDocument(instance));
  }
}

// A start within what became one run is no start on the second trip, so times
// may shrink again; who interferes does not change.
TEST(Convert, ThereAndBackKeepsTheProblem) {
  for (uint64_t seed = kSeed; seed < kSeed + 200; ++seed) {
    SCOPED_TRACE(seed);
    Rng rng(seed);
    const auto first = ToProgram(RandomInstance(rng));
    ASSERT_TRUE(first.ok());
    const Function& function = first->program.modules[0].functions[0];
    const auto csv = ToInstance(function, PlainLiveness(function),
                                Space::kLocal, SizeRounding::kNone);
    ASSERT_TRUE(csv.ok()) << csv.status();
    const auto second = ToProgram(csv->instance);
    ASSERT_TRUE(second.ok());
    const Function& again = second->program.modules[0].functions[0];
    EXPECT_EQ(again.locations, function.locations);
    EXPECT_EQ(Interferences(PlainLiveness(again)),
              Interferences(PlainLiveness(function)));
  }
}

TEST(Convert, ToInstanceTakesWhatTheSpaceHolds) {
  const Program program = ProgramBuilder()
                              .Loc("a", 100)
                              .Shared("s", 5)
                              .In("external", 7)
                              .Pin("p", 10, 4096, Usage::kInput)
                              .Pin("untouched", 10, 8192)
                              .Loc("sb", 3, {.type = MemoryType::kSbuf})
                              .Loc("never", 9)
                              .Op({"a"}, {"p", "external"})
                              .Op({"s", "sb"}, {})
                              .Op({}, {"a", "s"})
                              .Build();
  const Function& function = program.modules[0].functions[0];
  IntervalTable occupied;
  for (const auto& runs : std::vector<std::vector<Interval>>{
           {{0, 0}, {2, 2}}, {{1, 2}}, {{0, 0}}, {{0, 0}}, {}, {}, {}}) {
    occupied.Append(runs);
  }
  const auto local =
      ToInstance(function, occupied, Space::kLocal, SizeRounding::kPage);
  ASSERT_TRUE(local.ok()) << local.status();
  EXPECT_EQ(
      WriteCsv(ToCsvDocument(local->instance)),
      "id,lower,upper,size,gaps,offset\na,0,3,4096,1-2,\np,0,1,10,,4096\n");
  EXPECT_EQ(local->notes,
            (std::vector<std::string>{
                "a CSV has no page rules unless it is placed with "
                "--memory=dram",
                "2 locations of another memory or space are left out",
                "1 locations that the runtime places are left out",
                "2 locations without an access are left out"}));
  const auto shared =
      ToInstance(function, occupied, Space::kShared, SizeRounding::kNone);
  ASSERT_TRUE(shared.ok());
  EXPECT_EQ(WriteCsv(ToCsvDocument(shared->instance)),
            "id,lower,upper,size,offset\ns,1,3,5,\n");
}

TEST(Convert, ToInstanceRefusesWhatACsvCannotSay) {
  const auto convert = [](const std::string& name, uint64_t bytes) {
    const Program program =
        ProgramBuilder().Loc(name, bytes).Op({name}, {}).Build();
    IntervalTable occupied;
    occupied.Append({Interval{0, 0}});
    return ToInstance(program.modules[0].functions[0], occupied, Space::kLocal,
                      SizeRounding::kPage);
  };
  EXPECT_TRUE(convert("a", 8).ok());
  EXPECT_EQ(convert("a,b", 8).status().message(),
            "location 'a,b' has no CSV form: its name has a comma");
  EXPECT_EQ(convert("\"a\"", 8).status().message(),
            "location '\"a\"' has no CSV form: its name starts with a double "
            "quote");
  EXPECT_EQ(convert("#a", 8).status().message(),
            "location '#a' has no CSV form: its name starts with a number "
            "sign, as comments do");
  EXPECT_EQ(convert("a", uint64_t{1} << 63).status().message(),
            "location 'a' has no CSV form: its size, alignment or address "
            "passes 2^63 - 1");
}

}  // namespace
}  // namespace berth
