// Small functions with any CFG, partial accesses and addresses that clash.
#ifndef BERTH_TESTS_DEPENDENCE_RANDOM_FUNCTION_H_
#define BERTH_TESTS_DEPENDENCE_RANDOM_FUNCTION_H_

#include "allocator/base/rng.h"
#include "allocator/model/program.h"

namespace berth::testing {

// Up to `max_blocks` blocks of up to `max_instructions` each over up to six
// locations of up to 12 bytes at addresses below 24.
Function RandomFunction(int max_blocks, int max_instructions, Rng& rng);

// Gives `function`, which has locations, other blocks.
void MakeRandomBlocks(int max_blocks, int max_instructions, Rng& rng,
                      Function& function);

}  // namespace berth::testing

#endif  // BERTH_TESTS_DEPENDENCE_RANDOM_FUNCTION_H_
