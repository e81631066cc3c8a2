// One path of every core through a program: branches taken at random, loops
// bounded, calls entered. What happens on it, in program order, cut into
// segments.
//
// Within a *segment* instructions may run in any order that their dependences
// allow; segments of a core run one after another. A back edge, a call and a
// rendezvous end a segment: control flow and rendezvous are kept whole.
// A segment that is a rendezvous waits for all cores that meet there.
//
// Thread-safety: values; MakeTrace is a pure function.
#ifndef BERTH_ALLOCATOR_SIMULATE_TRACE_H_
#define BERTH_ALLOCATOR_SIMULATE_TRACE_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "allocator/rendezvous/core_order.h"
#include "allocator/simulate/layout.h"
#include "allocator/simulate/shared_loops.h"

namespace berth::machine {

struct TraceEvent {
  enum class Kind : uint8_t {
    kEnter,        // LOCAL INPUTs are written anew
    kInstruction,  // reads what it uses, then writes what it defines
    kCallBegin,    // reads what the CALL uses
    kCallEnd,      // writes what it defines
    kExit,         // reads what is used at exit
  };
  Kind kind = Kind::kInstruction;
  int32_t function = 0;
  int32_t flat = -1;       // not of kEnter, kExit
  int32_t activation = 0;  // which run of a function this is of
  int32_t writer = 0;      // names what it writes: events that meet share one
  int32_t meeting = -1;
};

// Events [begin, end) of a core.
struct Segment {
  int32_t begin = 0;
  int32_t end = 0;
  int32_t meeting = -1;  // >= 0: one event, and others take part
};

struct CoreTrace {
  std::vector<TraceEvent> events;
  std::vector<Segment> segments;
  // Event e is followed in its segment by later[begins[e]] ..
  // later[begins[e + 1] - 1]; it waits for waits[e] others.
  std::vector<size_t> begins;
  std::vector<int32_t> later;
  std::vector<int32_t> waits;
  bool complete = true;  // false: cut at the bound on events
};

struct Meeting {
  std::vector<std::pair<int32_t, int32_t>> events;  // core, event
  int32_t num_cores = 0;                            // that must be there
  bool dropped = false;  // they do not wait for each other
};

struct Trace {
  std::vector<CoreTrace> cores;
  std::vector<Meeting> meetings;
  // By writer: core and an event that it is of; -1 of kLoadWriter.
  std::vector<std::pair<int32_t, int32_t>> writers = {{-1, -1}};
  int32_t num_activations = 1;
  bool branched = false;  // another seed may give another path

  int64_t num_events() const;
};

// Writers of the program as it starts: WEIGHT, CONSTANT and SHARED INPUT.
inline constexpr int32_t kLoadWriter = 0;
inline constexpr int32_t kLoadActivation = 0;

struct TraceOptions {
  uint64_t seed = 1;
  // Per core; a path that is longer is cut there.
  int64_t max_events = 1'000'000;
  // A rendezvous (index in CoreOrder::rendezvous()) whose cores do not wait for
  // each other: a fault to be found. -1: none.
  int32_t dropped_rendezvous = -1;
};

// Cores that meet in a loop take the same number of iterations of it.
// Cost: O(events + edges among them).
// `loops`: those of layout and order.
Trace MakeTrace(const Layout& layout, const CoreOrder& order,
                const SharedLoops& loops, const TraceOptions& options);

// "core 0, function 'f', instruction 'add'": what an event is.
std::string Describe(const Layout& layout, int32_t core,
                     const TraceEvent& event);
// "'add'", "call of 'g'", "entry of 'f'".
std::string Label(const Layout& layout, int32_t core, const TraceEvent& event);

}  // namespace berth::machine

#endif  // BERTH_ALLOCATOR_SIMULATE_TRACE_H_
