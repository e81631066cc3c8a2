// The elimination order (spec §8): reference and fast path are one (I7), each
// node comes once, and the fast path visits no more than its algorithm needs.
#include <algorithm>
#include <bit>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "allocator/model/intervals.h"
#include "allocator/placement/order.h"
#include "allocator/placement/problem.h"
#include "fuzz/engine/oracle.h"
#include "fuzz/engine/target.h"
#include "fuzz/inputs/byte_reader.h"
#include "fuzz/inputs/problem_input.h"

namespace berth::fuzz {
namespace {

// Ten blocks of the fast order's trees; now and then, as it takes its time.
constexpr int32_t kTiledNodes = 320;
constexpr int kTileOneIn = 16;
constexpr int32_t kMaxTiles = 32;

void CheckEachOnce(const Problem& problem, std::vector<int32_t> pushed) {
  std::sort(pushed.begin(), pushed.end());
  ORACLE(static_cast<int32_t>(pushed.size()) == problem.num_nodes());
  for (int32_t id = 0; id < problem.num_nodes(); ++id) {
    ORACLE(pushed[id] == id, "node ", id, " is missing or there twice");
  }
}

// --- how much the fast order may visit (briggs_order.cc, pressure_tree.h) ---
//
// Nodes of equal runs are a class. Classes of one run, by (lo, hi), are the
// leaves of one tree, those of several runs of another. A tree keeps blocks of
// 32 leaves under a binary tree; recomputing a block and all above it visits at
// most path() of them.
constexpr uint64_t kBlock = 32;

struct TreeSize {
  uint64_t leaves = 0;

  uint64_t blocks() const { return (leaves + kBlock - 1) / kBlock; }
  uint64_t path() const {
    const uint64_t height = blocks() > 1 ? std::bit_width(blocks() - 1) : 0;
    return std::min(leaves, kBlock) + height;
  }
  // At first every leaf and every inner node is visited; then each leaf becomes
  // low once, which recomputes its block.
  uint64_t BuildAndSettle() const {
    return leaves + 2 * blocks() + leaves * path();
  }
  // Blocks that the ends of a range of leaves cut, or whose parents they cut.
  static uint64_t Cut(uint64_t first, uint64_t last) {
    if (first >= last) return 0;
    return first > 0 && first / kBlock != last / kBlock ? 2 : 1;
  }
};

using Runs = std::vector<Interval>;

struct RunsLess {
  bool operator()(const Runs& a, const Runs& b) const {
    return std::lexicographical_compare(
        a.begin(), a.end(), b.begin(), b.end(),
        [](const Interval& x, const Interval& y) {
          return std::pair(x.lo, x.hi) < std::pair(y.lo, y.hi);
        });
  }
};

class VisitBound {
 public:
  explicit VisitBound(const Problem& problem) {
    for (int32_t id = 0; id < problem.num_nodes(); ++id) {
      const auto runs = problem.live.of(id);
      ++classes_[Runs(runs.begin(), runs.end())];
    }
    for (const auto& [runs, members] : classes_) {
      if (runs.size() == 1) {
        single_.push_back(runs[0]);
      } else {
        several_.insert(several_.end(), runs.begin(), runs.end());
        ++severals_.leaves;
      }
    }
    singles_.leaves = single_.size();
  }

  uint64_t Compute() const {
    uint64_t bound = singles_.BuildAndSettle() + severals_.BuildAndSettle();
    for (const auto& [runs, members] : classes_) {
      const uint64_t in_singles = InSingles(runs);
      const uint64_t in_severals = InSeverals(runs);
      // At the start a class adds its bytes: to classes of several runs, and to
      // those of one if it has several itself.
      bound += in_severals + (runs.size() > 1 ? in_singles : 0);
      // Removing a member recomputes its block, then takes its bytes away.
      const uint64_t own = std::max(singles_.path(), severals_.path());
      bound += members * (own + in_singles + in_severals);
    }
    return bound;
  }

 private:
  // One update of the classes of one run. Those that begin in a run are a range
  // of leaves, recomputed where its ends cut. Those that begin before a run and
  // reach it (a stab) are recomputed too; all other blocks are pruned, or taken
  // as a whole.
  uint64_t InSingles(const Runs& runs) const {
    uint64_t blocks = 0;
    uint64_t before = 0;  // leaves that begin by the end of the last run
    for (const Interval& run : runs) {
      uint64_t first = 0;  // leaf that begins in the run
      uint64_t stabbed = ~uint64_t{0};
      for (; first < single_.size() && single_[first].lo < run.lo; ++first) {
        if (single_[first].hi < run.lo || first / kBlock == stabbed) continue;
        stabbed = first / kBlock;
        ++blocks;
      }
      uint64_t last = first;
      while (last < single_.size() && single_[last].lo <= run.hi) ++last;
      blocks += TreeSize::Cut(first, last) + TreeSize::Cut(before, first);
      before = last;
    }
    return blocks * singles_.path();
  }

  // The same of classes of several runs: each run that meets is looked at, each
  // block that a class of them falls in recomputed once.
  uint64_t InSeverals(const Runs& runs) const {
    uint64_t met = 0;
    for (const Interval& run : runs) {
      for (const Interval& other : several_) met += Overlap(run, other) ? 1 : 0;
    }
    return met + std::min(met, severals_.blocks()) * severals_.path();
  }

  std::map<Runs, uint64_t, RunsLess> classes_;  // with how many members
  std::vector<Interval> single_;                // by (lo, hi)
  std::vector<Interval> several_;
  TreeSize singles_;
  TreeSize severals_;
};

void CheckVisits(const Problem& problem, const EliminationOrder& fast) {
  const uint64_t bound = VisitBound(problem).Compute();
  ORACLE(fast.visits <= bound, fast.visits, " visits of ", problem.num_nodes(),
         " nodes, not ", bound);
}

// --- the same nodes several times, one after another in time ---

Problem Tiled(const Problem& problem, int32_t tiles) {
  Problem tiled;
  tiled.page_bytes = problem.page_bytes;
  tiled.floor = problem.floor;
  tiled.ceiling = problem.ceiling;
  tiled.cc_end = problem.cc_end;
  tiled.num_times = problem.num_times * tiles;
  for (int32_t tile = 0; tile < tiles; ++tile) {
    for (int32_t id = 0; id < problem.num_nodes(); ++id) {
      tiled.size_bytes.push_back(problem.size_bytes[id]);
      tiled.alignment.push_back(problem.alignment[id]);
      tiled.occupied_length.push_back(problem.occupied_length[id]);
      tiled.cc.push_back(problem.cc[id]);
      std::vector<Interval> runs;
      for (const Interval& run : problem.live.of(id)) {
        const int32_t shift = tile * problem.num_times;
        runs.push_back({run.lo + shift, run.hi + shift});
      }
      tiled.live.Append(runs);
    }
  }
  return tiled;
}

// Tiles do not interfere, and K is the same: each is taken apart as if it were
// alone. What one tile knows of a small tree, many ask of a large one, without
// the reference's cost.
void CheckTiled(const Problem& problem, const EliminationOrder& alone) {
  const int32_t nodes = problem.num_nodes();
  if (nodes == 0) return;
  const int32_t tiles = std::clamp(kTiledNodes / nodes, 2, kMaxTiles);
  const Problem tiled = Tiled(problem, tiles);
  const EliminationOrder fast = BriggsOrder(tiled);
  CheckVisits(tiled, fast);
  CheckEachOnce(tiled, fast.pushed);
  std::vector<std::vector<int32_t>> pushed(tiles);
  for (const int32_t id : fast.pushed) {
    pushed[id / nodes].push_back(id % nodes);
  }
  for (int32_t tile = 0; tile < tiles; ++tile) {
    ORACLE(pushed[tile] == alone.pushed, "tile ", tile, " of ", tiles, ": ",
           absl::StrJoin(pushed[tile], " "), "\nalone ",
           absl::StrJoin(alone.pushed, " "));
  }
}

void Run(absl::string_view input) {
  const Problem problem = DecodeProblem(input);
  if (!CheckProblem(problem).ok()) return;
  const EliminationOrder reference = ReferenceOrder(problem);
  const EliminationOrder fast = BriggsOrder(problem);
  CheckEachOnce(problem, fast.pushed);
  ORACLE(reference.pushed == fast.pushed, "reference ",
         absl::StrJoin(reference.pushed, " "), "\nbriggs    ",
         absl::StrJoin(fast.pushed, " "));
  // Nobody else's bytes count: pins are in neither load nor pressure.
  if (problem.num_pins() > 0) {
    Problem without_pins = problem;
    without_pins.pins.clear();
    without_pins.pin_live = IntervalTable();
    ORACLE(BriggsOrder(without_pins).pushed == fast.pushed, "pins matter");
  }
  if (DrawOf(input) % kTileOneIn == 0) {
    CheckVisits(problem, fast);
    CheckTiled(problem, fast);
  }
}

const bool kRegistered = RegisterTarget({
    .name = "order_fuzzer",
    .summary = "reference and fast elimination order are one",
    .max_bytes = kMaxProblemBytes,
    .run = Run,
});

}  // namespace
}  // namespace berth::fuzz
