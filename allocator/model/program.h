// The program model of spec §1: Program > Module > Function > Block >
// Instruction, and the memory locations (tensors) that instructions access.
//
// Plain values: no algorithm lives here, and nothing here checks itself.
// CheckProgram() (check_program.h) says whether a Program keeps the rules;
// every reader calls it, and every later layer may rely on it.
//
// Indices are int32 and dense: a location's index is its place in
// Function::locations, a block's its place in Function::blocks, a callee's its
// place in Module::functions.
//
// Thread-safety: values; const use from several threads is safe.
#ifndef BERTH_ALLOCATOR_MODEL_PROGRAM_H_
#define BERTH_ALLOCATOR_MODEL_PROGRAM_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "allocator/model/options.h"

namespace berth {

enum class MemoryType : uint8_t { kDram = 0, kSbuf = 1, kPsum = 2 };

enum class Space : uint8_t { kLocal = 0, kShared = 1 };

// Only INTERMEDIATE and SPILL are placeable; their numbers are the source's.
enum class Usage : uint8_t {
  kInput = 1,
  kOutput = 2,
  kWeight = 3,
  kConstant = 4,
  kIntermediate = 7,
  kSpill = 9,
};

// Who gave a location its address.
enum class PlacedBy : uint8_t { kNone = 0, kInput = 1, kBerth = 2, kSync = 3 };

enum class InstructionKind : uint8_t {
  kCompute = 0,
  kDmaCopy = 1,
  kCollective = 2,
  kBarrier = 3,
  kCall = 4,
};

// One access of an instruction to a location: bytes [offset, offset + extent).
// extent_bytes == 0 means the whole location, and then offset_bytes is 0.
struct Access {
  int32_t location = 0;
  uint64_t offset_bytes = 0;
  uint64_t extent_bytes = 0;

  friend bool operator==(const Access&, const Access&) = default;
};

struct Instruction {
  InstructionKind kind = InstructionKind::kCompute;
  std::string name;  // need not be unique; empty is allowed
  std::vector<Access> defs;
  std::vector<Access> uses;
  int32_t callee = -1;  // CALL only: index in Module::functions

  friend bool operator==(const Instruction&, const Instruction&) = default;
};

struct Block {
  std::string name;  // unique in its function
  std::vector<int32_t>
      successors;  // block indices; a repeated one means nothing
  std::vector<Instruction> instructions;

  friend bool operator==(const Block&, const Block&) = default;
};

// Where the owner's copy of a shared location lives: the location `name` of the
// function of the same name on `core` (spec §10).
struct RemoteTarget {
  int32_t core = 0;
  std::string name;

  friend bool operator==(const RemoteTarget&, const RemoteTarget&) = default;
};

// A tensor.
struct Location {
  std::string name;  // unique in its function
  MemoryType type = MemoryType::kDram;
  Space space = Space::kLocal;
  Usage usage = Usage::kIntermediate;
  uint64_t elem_count = 0;
  uint32_t elem_size = 1;
  uint64_t alignment = 1;  // the address is a multiple of it
  std::optional<uint64_t> address;
  std::optional<uint32_t> partition;
  std::optional<uint32_t> bank;
  PlacedBy placed_by = PlacedBy::kNone;
  std::optional<RemoteTarget> remote_target;
  bool nki = false;
  // Set by shared allocation alone; every reader of sharing asks it (spec §10).
  bool shared_post_dram_alloc = false;

  // elem_count * elem_size. REQUIRES: a checked program (no overflow).
  uint64_t byte_size() const { return elem_count * elem_size; }
  // byte_size() rounded up to the page of its type (spec §6).
  uint64_t aligned_size() const;

  bool placeable() const {
    return usage == Usage::kIntermediate || usage == Usage::kSpill;
  }
  // Candidate of `s` (spec §1): DRAM, that space, placeable.
  bool candidate(Space s) const {
    return type == MemoryType::kDram && space == s && placeable();
  }
  // Pre-placed: has an address that came with the input (spec §1).
  bool pinned() const {
    return address.has_value() &&
           (placed_by == PlacedBy::kInput || placed_by == PlacedBy::kNone);
  }

  friend bool operator==(const Location&, const Location&) = default;
};

// What one placement run, that is one (function, space, slab), recorded of
// itself (spec §1, §9). `check` reads it back.
struct RunRecord {
  Space space = Space::kLocal;
  int32_t slab = -1;  // owner core of a slab; -1: the common run
  uint64_t floor = 0;
  uint64_t ceiling = 0;
  uint64_t cc_end = 0;
  uint64_t lower_bound = 0;  // L
  uint64_t peak = 0;
  SizeRounding size_rounding = SizeRounding::kPage;
  LinkMode link_mode = LinkMode::kPre;
  Planner planner = Planner::kBriggs;
  bool rotated = false;
  bool cleaned = false;
  // Attributes (source: function attributes 11 and 13) and metrics of §9.
  bool dram_allocation_result = false;
  uint64_t real_cc_buffer_size = 0;
  uint64_t allreduce_dram_hwm = 0;
  uint64_t peak_without_cc_reserve = 0;
  uint64_t cc_overflow_bytes = 0;
  uint64_t cc_intruder_bytes = 0;
  uint64_t spill_bytes = 0;
  uint64_t aligned_spill_bytes = 0;
  uint64_t dram_bytes = 0;
  uint64_t reserved_space = 0;
  uint64_t intervals = 0;
  uint64_t locations = 0;
  uint64_t unreferenced = 0;
  uint64_t external = 0;

  friend bool operator==(const RunRecord&, const RunRecord&) = default;
};

struct Function {
  std::string name;  // unique in its module
  std::vector<Location> locations;
  std::vector<Block> blocks;  // layout order; entry = blocks[0]
  std::vector<RunRecord> runs;

  // Number of instructions. REQUIRES: a checked program.
  int32_t num_instructions() const;

  friend bool operator==(const Function&, const Function&) = default;
};

// One logical core.
struct Module {
  int32_t core = 0;
  std::vector<Function> functions;

  friend bool operator==(const Module&, const Module&) = default;
};

// Modules in any order; cores are 0..N-1, each once.
struct Program {
  std::string comment;  // what it is for; kept, otherwise ignored
  std::vector<Module> modules;

  friend bool operator==(const Program&, const Program&) = default;
};

// Modules by ascending core, which is then their index: nothing depends on file
// order. REQUIRES: cores are 0..N-1, each once, for the latter.
std::vector<const Module*> ModulesByCore(const Program& program);
std::vector<Module*> ModulesByCore(Program& program);

// The page of a memory type (spec §6): 4096 for DRAM, 1 for any other.
uint64_t PageBytes(MemoryType type);

// Spec §14: FNV-1a 64 over (core, function, name, address) of every DRAM
// location with an address, cores ascending, then file order.
uint64_t PlacementHash(const Program& program);

}  // namespace berth

#endif  // BERTH_ALLOCATOR_MODEL_PROGRAM_H_
