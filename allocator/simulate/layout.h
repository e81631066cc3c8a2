// What the machine knows of a placed program: where every location lies, which
// of them are one memory, and which instructions must wait for which.
//
// Thread-safety: const use from several threads is safe.
#ifndef BERTH_ALLOCATOR_SIMULATE_LAYOUT_H_
#define BERTH_ALLOCATOR_SIMULATE_LAYOUT_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "allocator/dependence/forward_graph.h"
#include "allocator/dependence/program_dependences.h"
#include "allocator/model/program.h"

namespace berth::machine {

// Where one location of one function lies.
struct LocationPlace {
  int32_t memory = -1;  // its own; copies of a shared location have one
  bool shared = false;
  bool placed = false;  // a DRAM location with address and bytes
  uint64_t address = 0;
  uint64_t bytes = 0;
};

// A location as the program means it, with memory of its own.
struct Memory {
  int32_t core = 0;  // of the owner
  int32_t function = 0;
  int32_t location = 0;
  // Pins that are one memory with it on some bytes (pin_aliases.h): a write to
  // one is a write to all. Byte b here is byte b + shift there (modulo 2^64).
  struct Alias {
    int32_t memory = 0;
    uint64_t lo = 0;  // the common bytes, as offsets here
    uint64_t hi = 0;
    uint64_t shift = 0;
  };
  std::vector<Alias> aliases;
};

struct FunctionLayout {
  explicit FunctionLayout(const Function& f) : function(&f), graph(f) {}

  const Function* function;
  ForwardGraph graph;
  std::vector<const Instruction*> instructions;  // by flat index
  std::vector<int32_t> block_starts;             // one more than blocks
  std::vector<LocationPlace> places;             // by location
  // Instructions that instruction i waits for: earlier[begins[i]] ..
  // earlier[begins[i + 1] - 1].
  std::vector<size_t> begins;
  std::vector<int32_t> earlier;
  std::vector<int32_t> inputs;   // LOCAL INPUT: written anew at entry
  std::vector<int32_t> results;  // LOCAL, used at exit
  // By block: edges to an exit, or -1: none is reached.
  std::vector<int32_t> steps_to_exit;
};

struct CoreLayout {
  const Module* module = nullptr;
  std::vector<FunctionLayout> functions;
  std::vector<int32_t> roots;  // functions that nothing calls
};

struct Layout {
  std::vector<CoreLayout> cores;
  std::vector<Memory> memories;
  // Bytes of shared locations, ranges [first, second), sorted and apart: on
  // every core they are the same bytes (spec §12).
  std::vector<std::pair<uint64_t, uint64_t>> shared_bytes;

  // A single core meets no one; it has an order to keep only where shared bytes
  // hang on it.
  bool RendezvousCount() const {
    return cores.size() > 1 || !shared_bytes.empty();
  }

  const Location& LocationOf(int32_t memory) const {
    const Memory& m = memories[memory];
    return cores[m.core].functions[m.function].function->locations[m.location];
  }
};

// kInvalidArgument that names a shared location whose remote targets lead
// nowhere or in a circle. Keeps references to `program`. Cost: O(program +
// edges), and that of FindPinAliases() (pin_aliases.h).
absl::StatusOr<Layout> LayOut(const Program& program,
                              const ProgramDependences& dependences);

// "core 0, function 'f'".
std::string Describe(const Layout& layout, int32_t core, int32_t function);

}  // namespace berth::machine

#endif  // BERTH_ALLOCATOR_SIMULATE_LAYOUT_H_
