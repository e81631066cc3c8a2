// Which pins of a program are one memory (spec I12).
//
// Thread-safety: pure function.
#ifndef BERTH_ALLOCATOR_SIMULATE_PIN_ALIASES_H_
#define BERTH_ALLOCATOR_SIMULATE_PIN_ALIASES_H_

#include "allocator/simulate/layout.h"

namespace berth::machine {

// Fills the aliases of all memories; the places stand. Pins of different
// functions are one memory where they share bytes. Of two shared pins of one
// function, never live in one phase, that holds where a pin of another function
// lies: each is one memory with that one. Private pins of one function need no
// such rule: what another function wrote there is exempt.
// Cost: O(p log p) for p pins, and O(pairs that share bytes); each pair of one
// function times the pins of others there.
void FindPinAliases(Layout& layout);

}  // namespace berth::machine

#endif  // BERTH_ALLOCATOR_SIMULATE_PIN_ALIASES_H_
