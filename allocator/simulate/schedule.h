// Orders in which the cores run a trace: the program's, adversarial ones,
// random ones, and all of them.
//
// Every order keeps dependence edges within a segment, segments of a core one
// after another, and rendezvous: all before one with all after it (spec I13).
//
// Thread-safety: pure functions.
#ifndef BERTH_ALLOCATOR_SIMULATE_SCHEDULE_H_
#define BERTH_ALLOCATOR_SIMULATE_SCHEDULE_H_

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "allocator/base/rng.h"
#include "allocator/simulate/expectation.h"
#include "allocator/simulate/layout.h"
#include "allocator/simulate/memories.h"
#include "allocator/simulate/trace.h"

namespace berth::machine {

enum class Strategy : uint8_t {
  kProgram,  // program order; a core runs until it waits
  kLatest,   // of what may run, what stands last
  kRush,     // in each segment one event and what it waits for, first of all
  kDelay,    // in each segment one event last of all
  kRandom,
  kAll,  // every order (RunEveryOrder)
};
absl::string_view Name(Strategy strategy);

// Core and event, in the order of execution.
using Executed = std::vector<std::pair<int32_t, int32_t>>;

struct Outcome {
  std::optional<Fault> fault;
  Executed executed;  // up to the fault
};

// Runs one order. Turn t of kRush and kDelay singles out event t of each
// segment, counted from its end and round again. `rng` chooses between cores
// and is all that kRandom asks. Cost: O(edges + events log events) and what
// memories cost.
Outcome RunSchedule(const Layout& layout, const Trace& trace,
                    const Expectation& expectation, Strategy strategy,
                    int64_t turn, Rng& rng);

// Largest traces that RunEveryOrder takes: so many cores, and so many
// instructions on each.
inline constexpr size_t kMaxExhaustiveCores = 2;
inline constexpr int64_t kMaxExhaustiveInstructions = 8;
bool IsExhaustive(const Trace& trace);

// Runs every order. Orders that lead to the same memories with the same events
// left are followed once from there; `states` counts such places.
// nullopt in `outcome.fault`: none of them fails, or, if not `complete`, none
// of those that the first `max_states` places lead to.
struct EveryOrder {
  Outcome outcome;
  int64_t states = 0;
  bool complete = true;
};
EveryOrder RunEveryOrder(const Layout& layout, const Trace& trace,
                         const Expectation& expectation, int64_t max_states);

}  // namespace berth::machine

#endif  // BERTH_ALLOCATOR_SIMULATE_SCHEDULE_H_
