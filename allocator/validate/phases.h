// Phases of spec §10, derived for the validator alone: nothing here is the
// allocator's.
//
// Method: names that every core has cut. In one function, a **unit** is an
// instruction of such a name outside of loops, or a call of a function that has
// units; every path has to pass it. What is on every path stands, in any
// topological order of the CFG's strongly connected components, between the
// same others: so units are counted along one such order. A rendezvous is 1
// long, a call is as long as its callee; code behind u units is phase 2u, a
// rendezvous that has u before it phase 2u + 1.
//
// Rendezvous of some cores only, and what happens inside of a loop, cut nothing
// and are not looked at: a loop lies in one phase as a whole.
#ifndef BERTH_ALLOCATOR_VALIDATE_PHASES_H_
#define BERTH_ALLOCATOR_VALIDATE_PHASES_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "allocator/model/intervals.h"
#include "allocator/model/program.h"

namespace berth::validation {

// What `Phases` has to know of each module, cores ascending.
struct PhaseModule {
  const Module* module = nullptr;
  std::vector<int32_t> callees_first;  // all its functions
};

class Phases {
 public:
  // nullopt: the rendezvous of the program do not hold together, and `fault`
  // says why: some name that all cores have is not on every path of its
  // function, or cores pass such names in different orders or numbers. One core
  // has nobody to agree with: what is not on every path is passed over there.
  //
  // REQUIRES: what CheckProgram asks. Cost: O(size of the program).
  static std::optional<Phases> Of(const std::vector<PhaseModule>& modules,
                                  std::string* fault);

  // Phases are 0 .. num_phases() - 1.
  int32_t num_phases() const { return num_phases_; }

  // The closed hull of the phases of all runs of an instruction; a CALL has
  // those of its callee too; all phases where nothing leads to it. `module`:
  // position in Of()'s argument. Cost: O(log instructions).
  Interval Of(int32_t module, int32_t function, int32_t flat) const;

 private:
  friend class PhaseFinder;

  // Where a function runs: behind `unit` units of its core; in a loop its own
  // units cut nothing.
  struct Run {
    int32_t unit = 0;
    bool in_loop = false;
  };
  struct InstructionUnit {
    int32_t flat = 0;
    int32_t before = 0;  // units of the function before it
    int32_t length = 1;
    bool is_call = false;
  };
  struct FunctionUnits {
    std::vector<int32_t> block_starts;   // flat; one more than blocks
    std::vector<int32_t> before;         // by block; -1: nothing leads to it
    std::vector<bool> in_loop;           // by block
    std::vector<InstructionUnit> units;  // by flat index
    int32_t length = 0;
    // Of its first and last run; unset if it never runs.
    std::optional<Run> first, last;
  };

  std::vector<std::vector<FunctionUnits>> functions_;  // module, function
  int32_t num_phases_ = 1;
};

}  // namespace berth::validation

#endif  // BERTH_ALLOCATOR_VALIDATE_PHASES_H_
