// Programs for fuzzing, changed as programs rather than as bytes: what a change
// gives is again a program that CheckProgram accepts, so that a fuzzer spends
// its time behind the readers.
//
// Thread-safety: pure functions of their arguments. Deterministic. Cost:
// O(program) a change; programs stay within kMaxProgram* below.
#ifndef BERTH_FUZZ_INPUTS_PROGRAM_MUTATOR_H_
#define BERTH_FUZZ_INPUTS_PROGRAM_MUTATOR_H_

#include <cstddef>

#include "allocator/base/rng.h"
#include "allocator/model/program.h"

namespace berth::fuzz {

inline constexpr size_t kMaxProgramCores = 4;
inline constexpr size_t kMaxProgramFunctions = 4;  // of a core
inline constexpr size_t kMaxProgramBlocks = 12;    // of a function, and so on
inline constexpr size_t kMaxProgramLocations = 24;
inline constexpr size_t kMaxProgramInstructions = 60;

// One core, one function, a few blocks and locations.
Program SmallProgram(Rng& rng);

// Two to four cores of equal code that hand shared tensors on: each is defined
// on one core and used, after a barrier that all cores meet, on any. Right as
// it stands; some have chains of remote targets.
Program SharedProgram(Rng& rng);

// One change: a location added, dropped, resized, aligned, pinned, shared or of
// another usage; an instruction added, dropped, moved or of another kind; a
// part of an access; a block split; an edge, a loop, a call, a core, a barrier.
// Uses that no def reaches are taken out again, as a rule.
void MutateProgram(Rng& rng, Program& program);

// `program` with a function of `other`, or a run of its instructions over
// locations that are there.
void CrossPrograms(Rng& rng, const Program& other, Program& program);

// Whether it is within the limits above.
bool IsSmall(const Program& program);

}  // namespace berth::fuzz

#endif  // BERTH_FUZZ_INPUTS_PROGRAM_MUTATOR_H_
