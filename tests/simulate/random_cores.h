// Random programs over several cores that hand shared tensors over at
// rendezvous: parts and wholes, collectives in place, loops that meet,
// branches, pairs that meet, private temporaries.
#ifndef BERTH_TESTS_SIMULATE_RANDOM_CORES_H_
#define BERTH_TESTS_SIMULATE_RANDOM_CORES_H_

#include "allocator/base/rng.h"
#include "allocator/model/program.h"

namespace berth::testing {

// Two to four cores and two to five stages. Every def of a tensor comes before
// its uses with a rendezvous of all cores between, and a loop ends with one.
Program RandomCores(Rng& rng);

}  // namespace berth::testing

#endif  // BERTH_TESTS_SIMULATE_RANDOM_CORES_H_
