// What the validator knows of a placed program before it looks at any run:
// which locations are pinned, which were placed, and in what order functions
// were.
#ifndef BERTH_ALLOCATOR_VALIDATE_PROGRAM_FACTS_H_
#define BERTH_ALLOCATOR_VALIDATE_PROGRAM_FACTS_H_

#include <cstdint>
#include <map>
#include <vector>

#include "allocator/model/options.h"
#include "allocator/model/program.h"
#include "allocator/validate/findings.h"
#include "allocator/validate/placed_set.h"
#include "allocator/validate/validate.h"

namespace berth::validation {

// What a DRAM location is to the validator.
enum class Role : uint8_t {
  kNone,    // another type, or not placeable and without address
  kPinned,  // its address came with the input
  kPlaced,  // a candidate to which somebody gave its address
  kOpen,    // a candidate without address: lost, if anything accesses it
};

struct FunctionFacts {
  const Function* function = nullptr;
  int32_t module = 0;  // index in ProgramFacts::modules
  Where where;
  std::vector<Role> roles = {};  // by location
};

struct ProgramFacts {
  // Cores ascending; functions in file order.
  std::vector<FunctionFacts> functions;
  // Per module, cores ascending: itself, where its functions begin in
  // `functions`, and their indices there, callees first.
  std::vector<const Module*> cores;
  std::vector<int32_t> first_function;
  std::vector<std::vector<int32_t>> modules;
  bool has_records = false;     // some function has a run record
  bool shared_planned = false;  // some SHARED record tells of success
  // Of the SHARED records, by slab, -1 being the common run.
  std::map<int32_t, SizeRounding> shared_rounding;
  PlanOptions options;  // what stands in for records

  // The record of a run of one function, null if there is none.
  const RunRecord* Record(int32_t function, Space space, int32_t slab) const;
  SizeRounding LocalRounding(int32_t function) const;
  LinkMode LocalLinkMode(int32_t function) const;
  // Of the shared run that an owner on `core` is in.
  SizeRounding SharedRounding(int32_t core) const;
};

// Roles by `input` where there is one, by placed_by where not (spec §13: then a
// placeable location with placed_by unset is placed, not pinned). Differences
// from the input are reported as I5. Cost: O(locations + instructions).
ProgramFacts CollectFacts(const Program& placed, const Program* input,
                          const ValidateOptions& options, Findings* findings);

// A node with the address and the bytes of `location` (spec §1's w, or, pinned,
// its byte size); nothing is said of its home and its collectives.
Node MakeNode(const Location& location, Role role, SizeRounding rounding);

}  // namespace berth::validation

#endif  // BERTH_ALLOCATOR_VALIDATE_PROGRAM_FACTS_H_
