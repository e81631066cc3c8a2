// What every use on a trace must see: found by running the trace in program
// order on memories where each location has bytes of its own (spec I12). Knows
// nothing of liveness, and of addresses only which pins are one memory.
//
// Thread-safety: const use from several threads is safe.
#ifndef BERTH_ALLOCATOR_SIMULATE_EXPECTATION_H_
#define BERTH_ALLOCATOR_SIMULATE_EXPECTATION_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "allocator/model/check_program.h"
#include "allocator/model/program.h"
#include "allocator/simulate/byte_map.h"
#include "allocator/simulate/layout.h"
#include "allocator/simulate/trace.h"

namespace berth::machine {

// Bytes [lo, hi) of a location must hold `tag`, its first byte that of lo.
struct ExpectedBytes {
  int32_t function = 0;
  int32_t location = 0;
  uint64_t lo = 0;
  uint64_t hi = 0;
  Tag tag;
};

// Calls visit(location, offset, bytes) for each read of an event, in order;
// locations without bytes, and other memories than DRAM, are left out.
template <typename Visit>
void ForEachRead(const FunctionLayout& f, const TraceEvent& event,
                 Visit visit) {
  if (event.kind == TraceEvent::Kind::kExit) {
    for (const int32_t l : f.results) visit(l, 0, f.places[l].bytes);
  }
  if (event.kind != TraceEvent::Kind::kInstruction &&
      event.kind != TraceEvent::Kind::kCallBegin) {
    return;
  }
  for (const Access& use : f.instructions[event.flat]->uses) {
    const LocationPlace& place = f.places[use.location];
    if (place.memory < 0 || place.bytes == 0) continue;
    visit(use.location, use.offset_bytes,
          AccessBytes(use, f.function->locations[use.location]));
  }
}

// The same for its writes.
template <typename Visit>
void ForEachWrite(const FunctionLayout& f, const TraceEvent& event,
                  Visit visit) {
  if (event.kind == TraceEvent::Kind::kEnter) {
    for (const int32_t l : f.inputs) visit(l, 0, f.places[l].bytes);
  }
  if (event.kind != TraceEvent::Kind::kInstruction &&
      event.kind != TraceEvent::Kind::kCallEnd) {
    return;
  }
  for (const Access& def : f.instructions[event.flat]->defs) {
    const LocationPlace& place = f.places[def.location];
    if (place.memory < 0 || place.bytes == 0) continue;
    visit(def.location, def.offset_bytes,
          AccessBytes(def, f.function->locations[def.location]));
  }
}

// Calls visit(core, function, location) for each location that the program
// starts with: WEIGHT, CONSTANT, SHARED INPUT, of every core.
template <typename Visit>
void ForEachLoaded(const Layout& layout, Visit visit) {
  for (size_t c = 0; c < layout.cores.size(); ++c) {
    const std::vector<FunctionLayout>& functions = layout.cores[c].functions;
    for (size_t f = 0; f < functions.size(); ++f) {
      for (size_t l = 0; l < functions[f].places.size(); ++l) {
        const LocationPlace& place = functions[f].places[l];
        const Usage usage = functions[f].function->locations[l].usage;
        const bool loaded = usage == Usage::kWeight ||
                            usage == Usage::kConstant ||
                            (usage == Usage::kInput && place.shared);
        if (!loaded || place.memory < 0 || place.bytes == 0) continue;
        visit(static_cast<int32_t>(c), static_cast<int32_t>(f),
              static_cast<int32_t>(l));
      }
    }
  }
}

// The tag of what an event writes to `place`, its first byte that at `offset`.
inline Tag TagOf(const TraceEvent& event, const LocationPlace& place,
                 uint64_t offset) {
  return {event.writer, place.memory, offset, event.activation};
}
inline Tag LoadTag(const LocationPlace& place) {
  return {kLoadWriter, place.memory, 0, kLoadActivation};
}

class Expectation {
 public:
  // Cost: O((accesses + runs of bytes) log runs).
  Expectation(const Layout& layout, const Trace& trace);

  // What the event must see, in placed locations only. Bytes that were not
  // written on this path since its function was entered are exempt.
  absl::Span<const ExpectedBytes> Of(int32_t core, int32_t event) const {
    const OfCore& of = cores_[core];
    return absl::MakeConstSpan(of.bytes).subspan(
        of.begins[event], of.begins[event + 1] - of.begins[event]);
  }

  // What shared results (OUTPUT, WEIGHT, CONSTANT) must hold at the end as
  // `core` sees them; empty if some core did not get there.
  absl::Span<const ExpectedBytes> AtEnd(int32_t core) const {
    return cores_[core].at_end;
  }

  int64_t num_uses() const { return num_uses_; }
  // Every core came to its end, and nobody waits for ever.
  bool complete() const { return complete_; }

 private:
  struct OfCore {
    std::vector<size_t> begins;  // by event, into bytes
    std::vector<ExpectedBytes> bytes;
    std::vector<ExpectedBytes> at_end;
  };

  void Run();
  bool RunSegment(int32_t core);
  void Read(int32_t core, int32_t event);
  void Write(int32_t core, int32_t event);
  void WriteMemory(int32_t memory, uint64_t lo, uint64_t hi, const Tag& tag);
  void Expect(const FunctionLayout& f, int32_t function, int32_t location,
              uint64_t offset, uint64_t bytes, int32_t activation,
              std::vector<ExpectedBytes>& out);
  void ReadAtEnd();

  const Layout& layout_;
  const Trace& trace_;
  std::vector<ByteMap> memories_;
  std::vector<OfCore> cores_;
  std::vector<std::vector<std::vector<ExpectedBytes>>> by_event_;
  std::vector<size_t> next_segment_;  // by core
  std::vector<int32_t> arrived_;      // by meeting
  int64_t num_uses_ = 0;
  bool complete_ = true;
};

}  // namespace berth::machine

#endif  // BERTH_ALLOCATOR_SIMULATE_EXPECTATION_H_
