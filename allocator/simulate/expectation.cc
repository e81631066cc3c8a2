#include "allocator/simulate/expectation.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "allocator/model/program.h"
#include "allocator/simulate/byte_map.h"
#include "allocator/simulate/layout.h"
#include "allocator/simulate/trace.h"

namespace berth::machine {

Expectation::Expectation(const Layout& layout, const Trace& trace)
    : layout_(layout), trace_(trace), memories_(layout.memories.size()) {
  const size_t cores = trace.cores.size();
  cores_.resize(cores);
  by_event_.resize(cores);
  next_segment_.assign(cores, 0);
  arrived_.assign(trace.meetings.size(), 0);
  for (size_t c = 0; c < cores; ++c) {
    by_event_[c].resize(trace.cores[c].events.size());
  }
  Run();
  for (size_t c = 0; c < cores; ++c) {
    OfCore& of = cores_[c];
    of.begins = {0};
    for (std::vector<ExpectedBytes>& bytes : by_event_[c]) {
      of.bytes.insert(of.bytes.end(), bytes.begin(), bytes.end());
      of.begins.push_back(of.bytes.size());
    }
    complete_ &= trace.cores[c].complete &&
                 next_segment_[c] == trace.cores[c].segments.size();
  }
  if (complete_) ReadAtEnd();
  by_event_ = {};
  memories_ = {};
}

// The lowest core that can go on does, as far as it can.
void Expectation::Run() {
  ForEachLoaded(layout_, [&](int32_t core, int32_t function, int32_t location) {
    const LocationPlace& place =
        layout_.cores[core].functions[function].places[location];
    WriteMemory(place.memory, 0, place.bytes, LoadTag(place));
  });
  bool moved = true;
  while (moved) {
    moved = false;
    for (size_t c = 0; c < trace_.cores.size(); ++c) {
      while (RunSegment(static_cast<int32_t>(c))) moved = true;
    }
  }
}

// False: the core is done, or waits.
bool Expectation::RunSegment(int32_t core) {
  const CoreTrace& trace = trace_.cores[core];
  if (next_segment_[core] == trace.segments.size()) return false;
  const Segment& segment = trace.segments[next_segment_[core]];
  if (segment.meeting >= 0) {
    // The last one to come does it all.
    const Meeting& meeting = trace_.meetings[segment.meeting];
    if (static_cast<int32_t>(meeting.events.size()) < meeting.num_cores) {
      return false;  // the path of some core does not come here
    }
    for (const auto& [other, event] : meeting.events) {
      const size_t next = next_segment_[other];
      const std::vector<Segment>& segments = trace_.cores[other].segments;
      if (next == segments.size() ||
          segments[next].meeting != segment.meeting) {
        return false;
      }
    }
    for (const auto& [other, event] : meeting.events) Read(other, event);
    for (const auto& [other, event] : meeting.events) {
      Write(other, event);
      ++next_segment_[other];
    }
    return true;
  }
  for (int32_t e = segment.begin; e < segment.end; ++e) {
    Read(core, e);
    Write(core, e);
  }
  ++next_segment_[core];
  return true;
}

void Expectation::Read(int32_t core, int32_t e) {
  const TraceEvent& event = trace_.cores[core].events[e];
  const FunctionLayout& f = layout_.cores[core].functions[event.function];
  ForEachRead(f, event, [&](int32_t location, uint64_t offset, uint64_t bytes) {
    Expect(f, event.function, location, offset, bytes, event.activation,
           by_event_[core][e]);
  });
}

void Expectation::Write(int32_t core, int32_t e) {
  const TraceEvent& event = trace_.cores[core].events[e];
  const FunctionLayout& f = layout_.cores[core].functions[event.function];
  ForEachWrite(f, event,
               [&](int32_t location, uint64_t offset, uint64_t bytes) {
                 const LocationPlace& place = f.places[location];
                 WriteMemory(place.memory, offset, offset + bytes,
                             TagOf(event, place, offset));
               });
}

void Expectation::WriteMemory(int32_t memory, uint64_t lo, uint64_t hi,
                              const Tag& tag) {
  memories_[memory].Write(lo, hi, tag);
  for (const Memory::Alias& alias : layout_.memories[memory].aliases) {
    const uint64_t from = std::max(lo, alias.lo);
    const uint64_t to = std::min(hi, alias.hi);
    if (from >= to) continue;
    memories_[alias.memory].Write(from + alias.shift, to + alias.shift,
                                  tag.Plus(from - lo));
  }
}

void Expectation::Expect(const FunctionLayout& f, int32_t function,
                         int32_t location, uint64_t offset, uint64_t bytes,
                         int32_t activation, std::vector<ExpectedBytes>& out) {
  const LocationPlace& place = f.places[location];
  if (!place.placed) return;
  ++num_uses_;
  memories_[place.memory].ForEach(
      offset, offset + bytes, [&](uint64_t lo, uint64_t hi, const Tag& tag) {
        const bool since_entry = place.shared ||
                                 tag.activation == kLoadActivation ||
                                 tag.activation == activation;
        if (since_entry) out.push_back({function, location, lo, hi, tag});
      });
}

void Expectation::ReadAtEnd() {
  for (size_t c = 0; c < layout_.cores.size(); ++c) {
    const std::vector<FunctionLayout>& functions = layout_.cores[c].functions;
    for (size_t f = 0; f < functions.size(); ++f) {
      for (size_t l = 0; l < functions[f].places.size(); ++l) {
        const LocationPlace& place = functions[f].places[l];
        const Location& location = functions[f].function->locations[l];
        if (!place.shared || location.placeable() ||
            location.usage == Usage::kInput) {
          continue;
        }
        Expect(functions[f], static_cast<int32_t>(f), static_cast<int32_t>(l),
               0, place.bytes, kLoadActivation, cores_[c].at_end);
      }
    }
  }
}

}  // namespace berth::machine
