// Liveness by graph search straight from the definition of spec §3, for small
// functions: no dataflow equations, no worklists over blocks, no sparsity, and
// no code shared with the allocator.
//
// The graph: one point per instruction, one at the start and one at the end of
// each block, one for the outside before the entry and one for the outside
// after the exits. A point is one bit, so a function may have up to 64 points.
#ifndef BERTH_TESTS_LIVENESS_ORACLE_H_
#define BERTH_TESTS_LIVENESS_ORACLE_H_

#include <cstdint>
#include <utility>
#include <vector>

#include "allocator/model/program.h"

namespace berth::testing {

// Bit i stands for point i; instruction `flat` is point `flat`.
using PointSet = uint64_t;

// Which instructions do what to one location, from its accesses alone.
struct LocationAccesses {
  PointSet accesses = 0;
  PointSet listed_uses = 0;
  PointSet uses = 0;  // listed and implied
  PointSet defs = 0;
  PointSet full_defs = 0;
  bool by_call = false;
};

// For every location of `function`.
std::vector<LocationAccesses> AccessesOf(const Function& function);

struct OracleLiveness {
  PointSet occupied = 0;
  PointSet undefined_uses = 0;
  bool block_local = false;

  friend bool operator==(const OracleLiveness&,
                         const OracleLiveness&) = default;
};

class Oracle {
 public:
  // REQUIRES: instructions + 2 * blocks + 2 <= 64.
  explicit Oracle(const Function& function);

  // Of a DRAM location of usage `usage` that something accesses.
  OracleLiveness Of(const LocationAccesses& accesses, Usage usage) const;

  // Per-edge emission of a block-local location: its (def, use) pairs, dead
  // defs and lone uses as (i, i); sorted by (use, def).
  static std::vector<std::pair<int32_t, int32_t>> Edges(
      const LocationAccesses& accesses);

 private:
  void AddEdge(int32_t from, int32_t to) { after_[from] |= PointSet{1} << to; }
  // Points with a path of one edge or more from one of `from`.
  PointSet Reached(PointSet from) const;
  // A path from `point` meets a use before any full def.
  bool Live(int32_t point, PointSet uses, PointSet full_defs) const;

  int32_t num_instructions_ = 0;
  std::vector<PointSet> block_instructions_;
  std::vector<int32_t> block_start_;  // points
  std::vector<int32_t> block_end_;
  int32_t before_entry_ = 0;
  int32_t after_exits_ = 0;
  std::vector<PointSet> after_;      // one edge
  std::vector<PointSet> far_after_;  // one edge or more
};

}  // namespace berth::testing

#endif  // BERTH_TESTS_LIVENESS_ORACLE_H_
