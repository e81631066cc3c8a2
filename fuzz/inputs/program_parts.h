// Parts of a program, drawn at random or new: what the changes of
// program_changes.h are made of. Private to this folder.
//
// Thread-safety: pure functions of their arguments. Deterministic. Pointers are
// into the program that was given.
#ifndef BERTH_FUZZ_INPUTS_PROGRAM_PARTS_H_
#define BERTH_FUZZ_INPUTS_PROGRAM_PARTS_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "allocator/base/rng.h"
#include "allocator/model/program.h"

namespace berth::fuzz {

// REQUIRES: the program has modules, the function blocks.
Module& SomeModule(Rng& rng, Program& program);
Block& SomeBlock(Rng& rng, Function& function);

// Null if what was drawn has none; a function without blocks counts as none.
Function* SomeFunction(Rng& rng, Program& program);
Instruction* SomeInstruction(Rng& rng, Function& function);
Location* SomeLocation(Rng& rng, Function& function);

std::string NewName(const char* prefix, Rng& rng);
// Around pages and page multiples, small, zero, huge.
uint64_t SomeBytes(Rng& rng);
Location NewLocation(Rng& rng);

Instruction Compute(std::vector<Access> defs, std::vector<Access> uses);
Instruction Barrier(std::string name);
void InsertAt(Block& block, size_t at, Instruction instruction);

// Instructions from `cut` on go into a new block, at place `next`, that takes
// over the successors and is the only one of what stays.
void CutBlock(Function& function, int32_t block, size_t cut, int32_t next,
              std::string name);

// What MutateProgram begins with: a new location, its def and mostly a use.
void AddLocation(Rng& rng, Program& program);

}  // namespace berth::fuzz

#endif  // BERTH_FUZZ_INPUTS_PROGRAM_PARTS_H_
