#include "tests/liveness/oracle.h"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "allocator/base/check.h"
#include "allocator/model/program.h"

namespace berth::testing {
namespace {

PointSet Bit(int32_t point) { return PointSet{1} << point; }

bool DefinedAtEntry(Usage usage) {
  return usage == Usage::kInput || usage == Usage::kWeight ||
         usage == Usage::kConstant;
}

bool UsedAtExit(Usage usage) {
  return usage == Usage::kOutput || usage == Usage::kWeight ||
         usage == Usage::kConstant;
}

// Adds what `instruction`, at `point`, does to the locations it names.
void AddInstruction(const Function& function, const Instruction& instruction,
                    int32_t point, std::vector<LocationAccesses>& all) {
  const bool call = instruction.kind == InstructionKind::kCall;
  for (const Access& use : instruction.uses) {
    LocationAccesses& location = all[use.location];
    location.accesses |= Bit(point);
    location.listed_uses |= Bit(point);
    location.uses |= Bit(point);
    location.by_call |= call;
  }
  for (const Access& def : instruction.defs) {
    LocationAccesses& location = all[def.location];
    location.accesses |= Bit(point);
    location.defs |= Bit(point);
    location.by_call |= call;
    const uint64_t bytes = function.locations[def.location].byte_size();
    const uint64_t extent = def.extent_bytes == 0 ? bytes : def.extent_bytes;
    const bool whole = def.offset_bytes == 0 && extent == bytes;
    if (whole && !(location.listed_uses & Bit(point))) {
      location.full_defs |= Bit(point);
    } else {
      location.uses |= Bit(point);  // an implied use
    }
  }
}

}  // namespace

std::vector<LocationAccesses> AccessesOf(const Function& function) {
  std::vector<LocationAccesses> all(function.locations.size());
  int32_t point = 0;
  for (const Block& block : function.blocks) {
    for (const Instruction& instruction : block.instructions) {
      AddInstruction(function, instruction, point++, all);
    }
  }
  return all;
}

Oracle::Oracle(const Function& function)
    : num_instructions_(function.num_instructions()) {
  const int32_t num_blocks = static_cast<int32_t>(function.blocks.size());
  for (int32_t b = 0; b < num_blocks; ++b) {
    block_start_.push_back(num_instructions_ + 2 * b);
    block_end_.push_back(num_instructions_ + 2 * b + 1);
  }
  before_entry_ = num_instructions_ + 2 * num_blocks;
  after_exits_ = before_entry_ + 1;
  BERTH_CHECK(after_exits_ < 64);
  after_.resize(after_exits_ + 1);

  if (num_blocks > 0) AddEdge(before_entry_, block_start_[0]);
  int32_t flat = 0;
  for (int32_t b = 0; b < num_blocks; ++b) {
    const Block& block = function.blocks[b];
    int32_t last = block_start_[b];
    block_instructions_.push_back(0);
    for (size_t i = 0; i < block.instructions.size(); ++i) {
      AddEdge(last, flat);
      block_instructions_.back() |= Bit(flat);
      last = flat++;
    }
    AddEdge(last, block_end_[b]);
    for (const int32_t successor : block.successors) {
      AddEdge(block_end_[b], block_start_[successor]);
    }
    if (block.successors.empty()) AddEdge(block_end_[b], after_exits_);
  }
  for (int32_t point = 0; point <= after_exits_; ++point) {
    far_after_.push_back(Reached(Bit(point)));
  }
}

PointSet Oracle::Reached(PointSet from) const {
  PointSet seen = 0;
  PointSet pending = from;
  while (pending != 0) {
    const int32_t point = std::countr_zero(pending);
    pending &= pending - 1;
    pending |= after_[point] & ~seen;
    seen |= after_[point];
  }
  return seen;
}

bool Oracle::Live(int32_t point, PointSet uses, PointSet full_defs) const {
  PointSet seen = Bit(point);
  PointSet pending = seen;
  while (pending != 0) {
    const int32_t next = std::countr_zero(pending);
    pending &= pending - 1;
    if (uses & Bit(next)) return true;
    if (full_defs & Bit(next)) continue;
    pending |= after_[next] & ~seen;
    seen |= after_[next];
  }
  return false;
}

OracleLiveness Oracle::Of(const LocationAccesses& accesses, Usage usage) const {
  PointSet uses = accesses.uses;
  if (UsedAtExit(usage)) uses |= Bit(after_exits_);
  PointSet defs = accesses.defs;
  if (DefinedAtEntry(usage)) defs |= Bit(before_entry_);
  PointSet reached = 0;
  for (; defs != 0; defs &= defs - 1) {
    reached |= far_after_[std::countr_zero(defs)];
  }
  const auto holds_value = [&](int32_t point) {
    return (reached & Bit(point)) && Live(point, uses, accesses.full_defs);
  };

  OracleLiveness result;
  int32_t first = -1;
  int32_t last = -1;
  for (int32_t i = 0; i < num_instructions_; ++i) {
    if (!(accesses.accesses & Bit(i)) && !holds_value(i)) continue;
    result.occupied |= Bit(i);
    if (first < 0) first = i;
    last = i;
  }
  if (accesses.by_call) {
    for (int32_t i = first; i <= last; ++i) result.occupied |= Bit(i);
  }
  result.undefined_uses = accesses.listed_uses & ~reached;
  bool in_one_block = false;
  bool crosses_blocks = false;
  for (size_t b = 0; b < block_instructions_.size(); ++b) {
    in_one_block |= (accesses.accesses & ~block_instructions_[b]) == 0;
    crosses_blocks |=
        holds_value(block_start_[b]) || holds_value(block_end_[b]);
  }
  result.block_local = in_one_block && !crosses_blocks && !accesses.by_call;
  return result;
}

std::vector<std::pair<int32_t, int32_t>> Oracle::Edges(
    const LocationAccesses& accesses) {
  std::vector<std::pair<int32_t, int32_t>> edges;
  PointSet touched = 0;  // the defs and uses of some edge
  const auto full_between = [&](int32_t lo, int32_t hi) {
    for (int32_t i = lo + 1; i < hi; ++i) {
      if (accesses.full_defs & Bit(i)) return true;
    }
    return false;
  };
  PointSet with_edge_out = 0;
  for (int32_t def = 0; def < 64; ++def) {
    if (!(accesses.defs & Bit(def))) continue;
    for (int32_t use = def + 1; use < 64; ++use) {
      if (!(accesses.uses & Bit(use)) || full_between(def, use)) continue;
      with_edge_out |= Bit(def);
      touched |= Bit(def) | Bit(use);
    }
  }
  for (int32_t use = 0; use < 64; ++use) {
    for (int32_t def = 0; def < use; ++def) {
      if ((accesses.uses & Bit(use)) && (accesses.defs & Bit(def)) &&
          !full_between(def, use)) {
        edges.emplace_back(def, use);
      }
    }
    const bool dead_def = (accesses.defs & ~with_edge_out) & Bit(use);
    const bool lone_use =
        (accesses.accesses & ~accesses.defs & ~touched) & Bit(use);
    if (dead_def || lone_use) edges.emplace_back(use, use);
  }
  return edges;
}

}  // namespace berth::testing
