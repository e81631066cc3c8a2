// Seeded programs that use every field of the format, for round trips.
#ifndef BERTH_TESTS_FORMATS_RANDOM_PROGRAM_H_
#define BERTH_TESTS_FORMATS_RANDOM_PROGRAM_H_

#include "allocator/base/rng.h"
#include "allocator/model/program.h"

namespace berth::testing {

// A program that keeps CheckProgram()'s rules; every field takes default and
// other values. Its liveness means nothing.
Program RandomProgram(Rng& rng);

}  // namespace berth::testing

#endif  // BERTH_TESTS_FORMATS_RANDOM_PROGRAM_H_
