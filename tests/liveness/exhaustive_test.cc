// Every small function against the oracle: every CFG of up to three blocks,
// every length of up to two instructions per block, every pattern of accesses.
//
// One function carries one location per pattern: 6 instructions of 5 kinds make
// 15,625 locations, and the next CFG is the same function with other
// successors.
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "allocator/liveness/liveness.h"
#include "allocator/model/intervals.h"
#include "allocator/model/program.h"
#include "gtest/gtest.h"
#include "tests/liveness/oracle.h"

namespace berth::testing {
namespace {

// What an instruction may do to a location of four bytes.
struct AccessKind {
  const char* label;
  std::vector<Access> defs;  // location 0 stands for the location at hand
  std::vector<Access> uses;
};

const std::vector<AccessKind>& OneAccessKinds() {
  static const auto& kinds = *new std::vector<AccessKind>{
      {"-", {}, {}},
      {"D", {{0, 0, 0}}, {}},
      {"P", {{0, 1, 2}}, {}},
      {"U", {}, {{0, 0, 0}}},
      {"UD", {{0, 0, 4}}, {{0, 3, 1}}},
  };
  return kinds;
}

// Two accesses of one list as well: a def beside a partial one, two halves.
const std::vector<AccessKind>& AllKinds() {
  static const auto& kinds = *new std::vector<AccessKind>([] {
    std::vector<AccessKind> all = OneAccessKinds();
    all.push_back({"DP", {{0, 0, 0}, {0, 0, 2}}, {}});
    all.push_back({"PP", {{0, 0, 2}, {0, 2, 2}}, {}});
    all.push_back({"DD", {{0, 0, 4}, {0, 0, 0}}, {}});
    all.push_back({"UP", {{0, 0, 2}}, {{0, 0, 1}, {0, 1, 1}}});
    return all;
  }());
  return kinds;
}

void AppendAccesses(const std::vector<Access>& from, int32_t location,
                    std::vector<Access>& to) {
  for (Access access : from) {
    access.location = location;
    to.push_back(access);
  }
}

// A function with blocks of these lengths and one location of `usage` for each
// pattern: the digits of its number, base kinds.size(), are its accesses. Only
// every `stride`-th pattern, from `phase` on.
Function AllPatterns(const std::vector<int32_t>& lengths,
                     const std::vector<AccessKind>& kinds, Usage usage,
                     int32_t stride, int32_t phase) {
  Function function;
  function.name = "f";
  std::vector<Instruction*> instructions;
  function.blocks.resize(lengths.size());
  int64_t num_patterns = 1;
  for (size_t b = 0; b < lengths.size(); ++b) {
    function.blocks[b].name = absl::StrCat("b", b);
    function.blocks[b].instructions.resize(lengths[b]);
    for (Instruction& instruction : function.blocks[b].instructions) {
      instructions.push_back(&instruction);
      num_patterns *= static_cast<int64_t>(kinds.size());
    }
  }
  for (int64_t pattern = phase; pattern < num_patterns; pattern += stride) {
    const int32_t index = static_cast<int32_t>(function.locations.size());
    Location& location = function.locations.emplace_back();
    location.usage = usage;
    location.elem_count = 4;
    int64_t rest = pattern;
    for (Instruction* instruction : instructions) {
      const AccessKind& kind = kinds[rest % kinds.size()];
      rest /= static_cast<int64_t>(kinds.size());
      absl::StrAppend(&location.name, location.name.empty() ? "" : " ",
                      kind.label);
      AppendAccesses(kind.defs, index, instruction->defs);
      AppendAccesses(kind.uses, index, instruction->uses);
    }
  }
  return function;
}

// Successor sets of all blocks: block b has s as successor iff bit
// b * num_blocks + s of `cfg` is set.
void SetSuccessors(Function& function, uint32_t cfg) {
  const int32_t num_blocks = static_cast<int32_t>(function.blocks.size());
  for (int32_t b = 0; b < num_blocks; ++b) {
    function.blocks[b].successors.clear();
    for (int32_t s = 0; s < num_blocks; ++s) {
      if (cfg >> (b * num_blocks + s) & 1) {
        function.blocks[b].successors.push_back(s);
      }
    }
  }
}

std::string Describe(const Function& function, int32_t location) {
  std::string text =
      absl::StrCat("accesses [", function.locations[location].name, "]");
  for (const Block& block : function.blocks) {
    absl::StrAppend(&text, " ", block.name, "(", block.instructions.size(),
                    ")->");
    for (const int32_t s : block.successors) absl::StrAppend(&text, "b", s);
  }
  return text;
}

// The set of `runs`, which must be sorted, disjoint, not adjacent and not
// empty; all ones if they are not.
PointSet SetOf(absl::Span<const Interval> runs) {
  PointSet set = 0;
  int32_t least_lo = 0;
  for (const Interval& run : runs) {
    if (run.lo < least_lo || run.hi < run.lo) return ~PointSet{0};
    least_lo = run.hi + 2;
    for (int32_t i = run.lo; i <= run.hi; ++i) set |= PointSet{1} << i;
  }
  return set;
}

// Compares all locations of `function` with the oracle; the number compared.
int64_t Compare(const Function& function,
                const std::vector<LocationAccesses>& accesses) {
  const Oracle oracle(function);
  const auto liveness = ComputeLiveness(function);
  if (!liveness.ok()) {
    ADD_FAILURE() << liveness.status();
    return 0;
  }
  auto undefined_use = liveness->undefined_uses.begin();
  const int32_t num_locations = liveness->occupied.size();
  for (int32_t location = 0; location < num_locations; ++location) {
    OracleLiveness ours = {.occupied = SetOf(liveness->occupied.of(location)),
                           .block_local = liveness->block_local[location]};
    while (undefined_use != liveness->undefined_uses.end() &&
           undefined_use->location == location) {
      ours.undefined_uses |= PointSet{1} << undefined_use++->instruction;
    }
    // Without any access the location occupies nothing.
    OracleLiveness expected;
    if (accesses[location].accesses != 0) {
      expected =
          oracle.Of(accesses[location], function.locations[location].usage);
    }
    if (ours == expected) continue;
    ADD_FAILURE() << Describe(function, location) << std::hex << ": occupied "
                  << ours.occupied << ", not " << expected.occupied
                  << "; undefined " << ours.undefined_uses << ", not "
                  << expected.undefined_uses << "; block-local "
                  << ours.block_local << ", not " << expected.block_local;
    return 0;
  }
  EXPECT_TRUE(undefined_use == liveness->undefined_uses.end());
  return num_locations;
}

// Every CFG over blocks of these lengths, each with every stride-th pattern,
// another part of the patterns for each of the CFGs.
int64_t CompareAllCfgs(const std::vector<int32_t>& lengths,
                       const std::vector<AccessKind>& kinds, Usage usage,
                       int32_t stride) {
  const uint32_t num_cfgs = uint32_t{1} << (lengths.size() * lengths.size());
  int64_t num_compared = 0;
  for (int32_t phase = 0; phase < stride; ++phase) {
    Function function = AllPatterns(lengths, kinds, usage, stride, phase);
    const std::vector<LocationAccesses> accesses = AccessesOf(function);
    for (uint32_t cfg = phase; cfg < num_cfgs; cfg += stride) {
      SetSuccessors(function, cfg);
      num_compared += Compare(function, accesses);
      if (::testing::Test::HasFailure()) return num_compared;
    }
  }
  return num_compared;
}

// Every combination of block lengths 0..max_length.
std::vector<std::vector<int32_t>> AllLengths(int32_t num_blocks,
                                             int32_t max_length) {
  std::vector<std::vector<int32_t>> all = {{}};
  for (int32_t b = 0; b < num_blocks; ++b) {
    std::vector<std::vector<int32_t>> longer;
    for (const std::vector<int32_t>& lengths : all) {
      for (int32_t length = 0; length <= max_length; ++length) {
        longer.push_back(lengths);
        longer.back().push_back(length);
      }
    }
    all = std::move(longer);
  }
  return all;
}

constexpr Usage kUsages[] = {Usage::kIntermediate, Usage::kInput,
                             Usage::kOutput, Usage::kWeight};

// Debug and sanitizer builds, some 15 times slower, look at one pattern in so
// many with each CFG; -c opt leaves none out.
constexpr int32_t StrideUnlessOptimized([[maybe_unused]] int32_t stride) {
#ifdef NDEBUG
  return 1;
#else
  return stride;
#endif
}

// 512 CFGs x 15,625 patterns.
TEST(LivenessExhaustive, ThreeBlocksOfTwoInstructions) {
  constexpr int32_t kStride = StrideUnlessOptimized(25);
  EXPECT_EQ(CompareAllCfgs({2, 2, 2}, OneAccessKinds(), Usage::kIntermediate,
                           kStride),
            512 * 15625 / kStride);
}

TEST(LivenessExhaustive, UpToTwoBlocksEveryLengthKindAndUsage) {
  for (const int32_t num_blocks : {1, 2}) {
    for (const std::vector<int32_t>& lengths : AllLengths(num_blocks, 2)) {
      for (const Usage usage : kUsages) {
        EXPECT_GT(CompareAllCfgs(lengths, AllKinds(), usage,
                                 StrideUnlessOptimized(3)),
                  0);
      }
    }
  }
}

TEST(LivenessExhaustive, ThreeBlocksUpToOneInstructionEveryKindAndUsage) {
  for (const std::vector<int32_t>& lengths : AllLengths(3, 1)) {
    for (const Usage usage : kUsages) {
      EXPECT_GT(
          CompareAllCfgs(lengths, AllKinds(), usage, StrideUnlessOptimized(7)),
          0);
    }
  }
}

// A part of the patterns with each CFG always: the full product is 60 million.
TEST(LivenessExhaustive, ThreeBlocksUpToTwoInstructionsEveryUsage) {
  constexpr int32_t kStride = 61 * StrideUnlessOptimized(4);
  for (const std::vector<int32_t>& lengths : AllLengths(3, 2)) {
    for (const Usage usage : kUsages) {
      EXPECT_GE(CompareAllCfgs(lengths, OneAccessKinds(), usage, kStride), 0);
    }
  }
}

}  // namespace
}  // namespace berth::testing
