#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "allocator/simulate/expectation.h"
#include "allocator/simulate/layout.h"
#include "allocator/simulate/memories.h"
#include "allocator/simulate/schedule.h"
#include "allocator/simulate/trace.h"

namespace berth::machine {
namespace {

// A depth-first search over (what has run, what the memories hold).
class Search {
 public:
  Search(const Layout& layout, const Trace& trace,
         const Expectation& expectation, int64_t max_states)
      : trace_(trace), expectation_(expectation), max_states_(max_states) {
    int32_t bit = 0;
    for (const CoreTrace& core : trace.cores) {
      first_bit_.push_back(bit);
      bit += static_cast<int32_t>(core.events.size());
      // By event: those that must have run, edges and segments before.
      std::vector<uint64_t>& needs = needs_.emplace_back();
      needs.assign(core.events.size(), 0);
      uint64_t before = 0;
      for (const Segment& segment : core.segments) {
        uint64_t here = 0;
        for (int32_t e = segment.begin; e < segment.end; ++e) {
          needs[e] |= before;
          here |= Bit(core_index(), e);
          for (size_t i = core.begins[e]; i < core.begins[e + 1]; ++i) {
            needs[core.later[i]] |= Bit(core_index(), e);
          }
        }
        before |= here;
      }
    }
    result_.outcome.fault = std::nullopt;
    Visit(0, Memories(layout, trace, expectation));
  }

  EveryOrder Take() { return std::move(result_); }

 private:
  int32_t core_index() const {
    return static_cast<int32_t>(first_bit_.size()) - 1;
  }
  uint64_t Bit(int32_t core, int32_t event) const {
    return uint64_t{1} << (first_bit_[core] + event);
  }
  bool Ready(int32_t core, int32_t event, uint64_t done) const {
    return (done & Bit(core, event)) == 0 && (needs_[core][event] & ~done) == 0;
  }

  // Returns true once a fault is found.
  bool Visit(uint64_t done, const Memories& memories) {
    if (!seen_.insert(absl::StrCat(done, "|", memories.Fingerprint())).second) {
      return false;
    }
    if (result_.states == max_states_) {
      result_.complete = false;
      return false;
    }
    ++result_.states;
    bool any = false;
    for (size_t c = 0; c < trace_.cores.size(); ++c) {
      const auto core = static_cast<int32_t>(c);
      const auto num_events =
          static_cast<int32_t>(trace_.cores[c].events.size());
      for (int32_t e = 0; e < num_events; ++e) {
        if (!result_.complete) return false;
        if (!Ready(core, e, done)) continue;
        const int32_t meeting = trace_.cores[c].events[e].meeting;
        Executed now = {{core, e}};
        if (meeting >= 0 && !trace_.meetings[meeting].dropped) {
          const Meeting& all = trace_.meetings[meeting];
          now = all.events;
          bool there =
              static_cast<int32_t>(now.size()) == all.num_cores &&
              now.front().first == core;  // once, not once for each core
          for (const auto& [other, event] : now) {
            there = there && Ready(other, event, done);
          }
          if (!there) continue;
        }
        any = true;
        if (Take(now, done, memories)) return true;
      }
    }
    if (any || !expectation_.complete()) return false;
    result_.outcome.fault = memories.AtEnd();
    return result_.outcome.fault.has_value();
  }

  bool Take(const Executed& now, uint64_t done, const Memories& memories) {
    Executed& executed = result_.outcome.executed;
    const size_t before = executed.size();
    Memories next = memories;
    for (const auto& [core, event] : now) {
      executed.emplace_back(core, event);
      done |= Bit(core, event);
      result_.outcome.fault = next.Read(core, event);
      if (result_.outcome.fault) return true;
    }
    for (const auto& [core, event] : now) next.Write(core, event);
    if (Visit(done, next)) return true;
    executed.resize(before);
    return false;
  }

  const Trace& trace_;
  const Expectation& expectation_;
  const int64_t max_states_;
  std::vector<int32_t> first_bit_;            // by core
  std::vector<std::vector<uint64_t>> needs_;  // by core, event
  absl::flat_hash_set<std::string> seen_;
  EveryOrder result_;
};

}  // namespace

bool IsExhaustive(const Trace& trace) {
  if (trace.cores.size() > kMaxExhaustiveCores) return false;
  for (const CoreTrace& core : trace.cores) {
    int64_t instructions = 0;
    for (const TraceEvent& event : core.events) {
      instructions += event.kind == TraceEvent::Kind::kInstruction;
    }
    // What else there is runs alone; but each has its bit.
    if (instructions > kMaxExhaustiveInstructions || core.events.size() > 32) {
      return false;
    }
  }
  return true;
}

EveryOrder RunEveryOrder(const Layout& layout, const Trace& trace,
                         const Expectation& expectation, int64_t max_states) {
  return Search(layout, trace, expectation, max_states).Take();
}

}  // namespace berth::machine
