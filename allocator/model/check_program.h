// The rules of spec §1 that a program must keep before anything reads it.
//
// Thread-safety: pure functions.
#ifndef BERTH_ALLOCATOR_MODEL_CHECK_PROGRAM_H_
#define BERTH_ALLOCATOR_MODEL_CHECK_PROGRAM_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "allocator/model/program.h"

namespace berth {

// Where in a program something stands: indices into the model's vectors from
// the outermost inwards, -1 where the place is not that deep. At most one of
// location, block and run is set, and at most one of def, use and successor.
struct ProgramPlace {
  int32_t module = -1;
  int32_t function = -1;
  int32_t location = -1;
  int32_t block = -1;
  int32_t instruction = -1;
  int32_t def = -1;
  int32_t use = -1;
  int32_t successor = -1;
  int32_t run = -1;
  // The field of the innermost one, as program.proto spells it ("elem_size"),
  // or empty for the whole of it.
  absl::string_view field;

  friend bool operator==(const ProgramPlace&, const ProgramPlace&) = default;
};

struct ProgramFault {
  ProgramPlace place;
  std::string message;  // names core, function and what is in it
};

// OK, or kInvalidArgument that names core, function and location, block or
// instruction, of the first fault in file order:
//  - cores are 0..N-1, each once; names are unique where they must be, not
//    empty, valid UTF-8 without control characters;
//  - sizes, rounded sizes and ends of addresses fit u64; alignment > 0; usage,
//    types and kinds are known values; placed_by agrees with address;
//  - accesses lie in their locations; extent 0 has offset 0;
//  - DMA_COPY has one use and one def of equal extents, BARRIER no access, CALL
//    a callee of its module and only it; calls do not recurse;
//  - successors are blocks of the function; counts are below 2^31 - 1.
// Recursion is looked for last in each module. The rules that need all cores
// at once (spec §10) are the pipeline's. Cost: O(size of the program).
absl::Status CheckProgram(const Program& program);

// The same with its place, for readers that know lines; nullopt if all is well.
std::optional<ProgramFault> FindProgramFault(const Program& program);

// "core 0, function 'main', block 'b', instruction 'i'": how messages name a
// place of `program`. REQUIRES: the place is in the program.
std::string PlaceName(const Program& program, const ProgramPlace& place);

// Why `name` cannot be a name ("is empty", "is not valid UTF-8", "has a control
// character"), or nullptr. Cost: O(name).
const char* NameFault(absl::string_view name);

// `name` in single quotes as messages show it: bytes that NameFault() objects
// to are escaped.
std::string QuotedName(absl::string_view name);

// The functions of `module` callees first: depth-first post-order from the
// functions in file order, callees in instruction order (spec §3).
// kInvalidArgument that names the functions of a cycle on recursion.
// REQUIRES: callee indices in range. Cost: O(instructions).
absl::StatusOr<std::vector<int32_t>> CalleesFirst(const Module& module);

// The bytes of `access`: its extent, or all of its location's bytes.
uint64_t AccessBytes(const Access& access, const Location& location);

}  // namespace berth

#endif  // BERTH_ALLOCATOR_MODEL_CHECK_PROGRAM_H_
