// Random functions against the oracle: several locations at once, of every
// usage, calls, pins, empty and unreachable blocks; and both emissions against
// each other and against the edges that the definition gives.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "allocator/base/rng.h"
#include "allocator/liveness/liveness.h"
#include "allocator/model/intervals.h"
#include "allocator/model/options.h"
#include "allocator/model/program.h"
#include "gtest/gtest.h"
#include "tests/liveness/oracle.h"

namespace berth::testing {
namespace {

constexpr int32_t kLocationBytes = 4;

Access RandomAccess(Rng& rng, int32_t location) {
  if (rng.OneIn(2)) return {.location = location};
  const uint64_t offset = rng.Below(kLocationBytes);
  return {.location = location,
          .offset_bytes = offset,
          .extent_bytes = 1 + rng.Below(kLocationBytes - offset)};
}

Location RandomLocation(Rng& rng, int32_t index) {
  constexpr Usage kUsages[] = {Usage::kIntermediate, Usage::kIntermediate,
                               Usage::kSpill,        Usage::kInput,
                               Usage::kOutput,       Usage::kWeight,
                               Usage::kConstant};
  Location location;
  location.name = absl::StrCat("x", index);
  location.usage = kUsages[rng.Below(std::size(kUsages))];
  location.elem_count = kLocationBytes;
  if (rng.OneIn(6)) location.address = 4096 * index;
  if (rng.OneIn(12)) location.type = MemoryType::kSbuf;
  return location;
}

Instruction RandomInstruction(Rng& rng, int32_t num_locations) {
  Instruction instruction;
  if (rng.OneIn(16)) instruction.kind = InstructionKind::kCall;
  for (uint64_t n = rng.Below(4); n > 0; --n) {
    auto& list = rng.OneIn(2) ? instruction.defs : instruction.uses;
    list.push_back(
        RandomAccess(rng, static_cast<int32_t>(rng.Below(num_locations))));
  }
  return instruction;
}

// At most 64 points for the oracle: 30 instructions in 12 blocks.
Function RandomFunction(Rng& rng) {
  Function function;
  function.name = "random";
  const int32_t num_locations = static_cast<int32_t>(rng.Between(1, 6));
  for (int32_t i = 0; i < num_locations; ++i) {
    function.locations.push_back(RandomLocation(rng, i));
  }
  function.blocks.resize(rng.Between(1, 12));
  const int64_t num_blocks = static_cast<int64_t>(function.blocks.size());
  // Chains often, for they are joined to segments; else any edges.
  const bool chains = rng.OneIn(2);
  for (int64_t b = 0; b < num_blocks; ++b) {
    Block& block = function.blocks[b];
    block.name = absl::StrCat("b", b);
    if (chains && !rng.OneIn(3)) {
      if (b + 1 < num_blocks) block.successors.assign(1 + rng.Below(2), b + 1);
      continue;
    }
    for (uint64_t n = rng.Below(3); n > 0; --n) {
      block.successors.push_back(static_cast<int32_t>(rng.Below(num_blocks)));
    }
  }
  for (int64_t n = rng.Between(0, 30); n > 0; --n) {
    // Into a random block; layout gives the order.
    function.blocks[rng.Below(num_blocks)].instructions.push_back(
        RandomInstruction(rng, num_locations));
  }
  return function;
}

PointSet SetOf(const Interval& interval) {
  PointSet set = 0;
  for (int32_t i = interval.lo; i <= interval.hi; ++i) set |= PointSet{1} << i;
  return set;
}

// What the definition says of `location`, whatever its type and accesses.
OracleLiveness Expected(const Function& function, const Oracle& oracle,
                        const Location& location,
                        const LocationAccesses& accesses) {
  if (location.type != MemoryType::kDram) return {};
  if (accesses.accesses != 0) return oracle.Of(accesses, location.usage);
  OracleLiveness unaccessed;
  if (location.address.has_value() && (location.usage == Usage::kWeight ||
                                       location.usage == Usage::kConstant)) {
    unaccessed.occupied = (PointSet{1} << function.num_instructions()) - 1;
  }
  return unaccessed;
}

void CheckLiveness(const Function& function, const Liveness& liveness,
                   const std::vector<LocationAccesses>& accesses) {
  const Oracle oracle(function);
  std::vector<std::pair<int32_t, int32_t>> undefined_uses;
  for (int32_t i = 0; i < liveness.occupied.size(); ++i) {
    SCOPED_TRACE(absl::StrCat("location ", i));
    const OracleLiveness expected =
        Expected(function, oracle, function.locations[i], accesses[i]);
    PointSet occupied = 0;
    for (const Interval& run : liveness.occupied.of(i)) occupied |= SetOf(run);
    EXPECT_EQ(occupied, expected.occupied);
    EXPECT_EQ(liveness.block_local[i], expected.block_local);
    EXPECT_EQ(liveness.referenced[i], accesses[i].accesses != 0);
    for (int32_t flat = 0; flat < function.num_instructions(); ++flat) {
      if (expected.undefined_uses >> flat & 1) {
        undefined_uses.emplace_back(i, flat);
      }
    }
  }
  std::vector<std::pair<int32_t, int32_t>> ours;
  for (const UndefinedUse& use : liveness.undefined_uses) {
    ours.emplace_back(use.location, use.instruction);
  }
  EXPECT_EQ(ours, undefined_uses);
}

// The (lo, hi) pairs of `id`, in the order emitted.
std::vector<std::pair<int32_t, int32_t>> PairsOf(
    const std::vector<OwnedInterval>& intervals, int32_t id) {
  std::vector<std::pair<int32_t, int32_t>> pairs;
  for (const OwnedInterval& interval : intervals) {
    if (interval.id == id) pairs.emplace_back(interval.lo, interval.hi);
  }
  return pairs;
}

PointSet Union(const std::vector<std::pair<int32_t, int32_t>>& pairs) {
  PointSet set = 0;
  for (const auto& [lo, hi] : pairs) set |= SetOf(Interval{lo, hi});
  return set;
}

void CheckEmission(const Function& function, const Liveness& liveness,
                   const std::vector<LocationAccesses>& accesses,
                   const std::vector<int32_t>& nodes) {
  const auto merged =
      EmitIntervals(function, liveness, Emission::kMerged, nodes);
  const auto per_edge =
      EmitIntervals(function, liveness, Emission::kPerEdge, nodes);
  ASSERT_TRUE(merged.ok() && per_edge.ok());
  EXPECT_TRUE(
      std::is_sorted(per_edge->begin(), per_edge->end(),
                     [](const OwnedInterval& a, const OwnedInterval& b) {
                       if (a.hi != b.hi) return a.hi < b.hi;
                       return a.id != b.id ? a.id < b.id : a.lo < b.lo;
                     }));
  for (size_t id = 0; id < nodes.size(); ++id) {
    const int32_t node = nodes[id];
    SCOPED_TRACE(absl::StrCat("location ", node));
    const auto runs = PairsOf(*merged, static_cast<int32_t>(id));
    const auto edges = PairsOf(*per_edge, static_cast<int32_t>(id));
    EXPECT_EQ(Union(edges), Union(runs)) << "both cover the same indices";
    const bool by_edge =
        liveness.block_local[node] && !function.locations[node].pinned();
    EXPECT_EQ(edges, by_edge ? Oracle::Edges(accesses[node]) : runs);
  }
}

TEST(LivenessRandom, AgreesWithTheDefinition) {
  int32_t num_by_edge = 0;
  for (uint64_t seed = 1; seed <= 10000; ++seed) {
    SCOPED_TRACE(absl::StrCat("seed ", seed));
    Rng rng(seed);
    const Function function = RandomFunction(rng);
    const std::vector<LocationAccesses> accesses = AccessesOf(function);
    const auto liveness = ComputeLiveness(function);
    ASSERT_TRUE(liveness.ok());
    CheckLiveness(function, *liveness, accesses);
    // Nodes in any order, some left out.
    std::vector<int32_t> nodes;
    for (int32_t i = liveness->occupied.size() - 1; i >= 0; --i) {
      if (!rng.OneIn(5)) nodes.push_back(i);
    }
    CheckEmission(function, *liveness, accesses, nodes);
    if (HasFailure()) return;
    num_by_edge += static_cast<int32_t>(std::count(
        liveness->block_local.begin(), liveness->block_local.end(), true));
  }
  EXPECT_GT(num_by_edge, 1000) << "block-local locations must come up";
}

}  // namespace
}  // namespace berth::testing
