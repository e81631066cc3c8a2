// One random change of a program, by what it changes. Private to this folder:
// MutateProgram (program_mutator.h) draws a kind, repairs what the change left
// behind, and takes it back if a rule is broken even so.
//
// Thread-safety: pure functions of their arguments. Deterministic. Cost:
// O(program). REQUIRES: a program with modules.
#ifndef BERTH_FUZZ_INPUTS_PROGRAM_CHANGES_H_
#define BERTH_FUZZ_INPUTS_PROGRAM_CHANGES_H_

#include <cstdint>

#include "allocator/base/rng.h"
#include "allocator/model/program.h"

namespace berth::fuzz {

// How often each kind is drawn.
inline constexpr uint64_t kLocationWeight = 8;
inline constexpr uint64_t kCodeWeight = 11;
inline constexpr uint64_t kCoresWeight = 4;

// A location added, dropped, resized, aligned, pinned or of another usage.
void ChangeLocations(Rng& rng, Program& program);

// An instruction added, dropped, moved or of another kind, a part of an access,
// a block split, an edge, a loop, a call.
void ChangeCode(Rng& rng, Program& program);

// A core, a barrier, a shared location, a loop in which all cores meet.
void ChangeCores(Rng& rng, Program& program);

// Code of all cores from one barrier to another becomes a loop, so that they
// meet in each iteration; nothing if there is no such code. `whole`: it begins
// and ends with a barrier, which orders an iteration before the next; else code
// before or behind may come along.
void LoopOverBarriers(Rng& rng, bool whole, Program& program);

}  // namespace berth::fuzz

#endif  // BERTH_FUZZ_INPUTS_PROGRAM_CHANGES_H_
