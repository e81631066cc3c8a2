// The first iteration of every loop, taken out in front of it: what one
// iteration does and what the next one does then stand one after the other,
// where rules that look at one iteration (spec §10) see both.
//
//   before          after
//   0 -> 1          0 -> 1'
//   1 -> 1, 2       1' -> 1      the first iteration; the loop begins behind it
//                   1 -> 1, 2
//
// Thread-safety: pure. Cost: O(blocks * loops), twice the blocks for each loop
// around them.
#ifndef BERTH_FUZZ_INPUTS_PEEL_LOOPS_H_
#define BERTH_FUZZ_INPUTS_PEEL_LOOPS_H_

#include "allocator/model/program.h"

namespace berth::fuzz {

// Whether a function has blocks that lead back to themselves.
bool HasLoop(const Function& function);

// Every natural loop peeled, inner ones first; the first iteration is never
// left early, where it can go on. Each function begins with a new empty block.
// Loops of several entries stay as they are, in part or as a whole.
Program PeelLoops(const Program& program);

}  // namespace berth::fuzz

#endif  // BERTH_FUZZ_INPUTS_PEEL_LOOPS_H_
