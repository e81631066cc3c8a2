// dependence.h against its plain twin, and its cost.
#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "allocator/base/rng.h"
#include "allocator/dependence/dependence.h"
#include "allocator/dependence/range_sets.h"
#include "allocator/model/program.h"
#include "gtest/gtest.h"
#include "tests/dependence/plain_dependences.h"
#include "tests/dependence/random_function.h"

namespace berth {
namespace {

void ExpectEqual(const Function& function, uint64_t seed) {
  EXPECT_EQ(BuildFdeps(function), testing::PlainFdeps(function))
      << "seed " << seed;
  for (const Space space : {Space::kLocal, Space::kShared}) {
    EXPECT_EQ(PlacementDependences(function, space),
              testing::PlainPlacementDependences(function, space))
        << "seed " << seed;
  }
}

TEST(DependenceRandom, StraightLineCodeEqualsThePlainTwin) {
  for (uint64_t seed = 1; seed <= 1000 && !::testing::Test::HasFailure();
       ++seed) {
    Rng rng(seed);
    ExpectEqual(testing::RandomFunction(1, 12, rng), seed);
  }
}

TEST(DependenceRandom, AnyCfgEqualsThePlainTwin) {
  for (uint64_t seed = 1; seed <= 2000 && !::testing::Test::HasFailure();
       ++seed) {
    Rng rng(seed);
    ExpectEqual(testing::RandomFunction(9, 3, rng), seed);
  }
}

// A chain of `n` diamonds; every arm writes a tile of one big location that all
// of them share, and every join reads the whole. Tiles and whole accesses mixed
// are the worst case of a list of ranges.
Function Diamonds(int32_t n) {
  Function function;
  Location big;
  big.name = "big";
  big.elem_count = static_cast<uint64_t>(n) + 1;
  function.locations.push_back(big);
  for (int32_t i = 0; i < n; ++i) {
    const auto first = static_cast<int32_t>(function.blocks.size());
    const auto add = [&](std::vector<int32_t> next, Instruction instruction) {
      Block block;
      block.name = absl::StrCat("b", function.blocks.size());
      block.successors = std::move(next);
      block.instructions.push_back(std::move(instruction));
      function.blocks.push_back(std::move(block));
    };
    Instruction tile;
    tile.defs = {{0, static_cast<uint64_t>(i), 1}};
    Instruction read_tile;
    read_tile.uses = {{0, static_cast<uint64_t>(i), 2}};
    Instruction nothing;
    add({first + 1, first + 2}, tile);
    add({first + 3}, read_tile);
    add({first + 3}, nothing);
    add(i + 1 < n ? std::vector<int32_t>{first + 4} : std::vector<int32_t>{},
        read_tile);
  }
  return function;
}

TEST(DependenceRandom, ManyDiamondsHaveFewEdgesPerAccess) {
  const Function function = Diamonds(20'000);
  const std::vector<Dependence> edges = BuildFdeps(function);
  // Per tile: flow to its two readers; the next tile is a byte further on,
  // which the readers have read too: two anti edges.
  EXPECT_GE(edges.size(), 20'000u * 4 - 4);
  EXPECT_LE(edges.size(), 20'000u * 8);
}

// Reads of the whole after n tiles: a list of ranges would be walked n times by
// each of n readers. Adding a reader must not look at the tiles.
TEST(RangeSets, AddingAReaderIsLogarithmic) {
  constexpr int32_t kPositions = 1 << 16;
  RangeSets sets(kPositions);
  RangeSets::Version version = RangeSets::kEmpty;
  for (int32_t i = 0; i < kPositions; ++i) {
    version = sets.Add(version, i, i + 1, i);
  }
  const uint64_t before = sets.visits();
  for (int32_t i = 0; i < 1000; ++i) {
    version = sets.Add(version, 1, kPositions - 1, kPositions + i);
  }
  EXPECT_LE(sets.visits() - before, 1000u * 2 * 2 * 17);
  std::vector<int32_t> ids;
  sets.Collect(version, 5, 6, ids);
  EXPECT_EQ(ids.size(), 1001u);
}

TEST(RangeSets, JoinOfWhatIsSharedCostsWhatDiffers) {
  constexpr int32_t kPositions = 1 << 16;
  RangeSets sets(kPositions);
  RangeSets::Version version = RangeSets::kEmpty;
  for (int32_t i = 0; i < kPositions; ++i) {
    version = sets.Add(version, i, i + 1, i);
  }
  sets.BeginEpoch();
  const RangeSets::Version one = sets.Add(version, 7, 8, kPositions);
  sets.BeginEpoch();
  const RangeSets::Version other = sets.Add(version, 9000, 9001, kPositions);
  const uint64_t before = sets.visits();
  const RangeSets::Version joined = sets.Join(one, other);
  EXPECT_LE(sets.visits() - before, 4u * 17);
  std::vector<int32_t> ids;
  sets.Collect(joined, 7, 8, ids);
  EXPECT_EQ(ids, (std::vector<int32_t>{7, kPositions}));
  ids.clear();
  sets.Collect(version, 7, 8, ids);  // what was there before still is
  EXPECT_EQ(ids, (std::vector<int32_t>{7}));
  EXPECT_EQ(sets.Join(version, version), version);
}

}  // namespace
}  // namespace berth
