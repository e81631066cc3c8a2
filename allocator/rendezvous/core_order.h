// Order across cores (spec §10): where cores meet, which phase each instruction
// belongs to, and what happens before what.
//
// BARRIERs and COLLECTIVEs of equal name meet: the k-th of that name on each
// core that has it are one **rendezvous**. "k-th" counts along the **path** of
// a core: its root functions (those that nothing calls) one after another in
// file order, calls expanded, a loop as one iteration of it.
//
// 1. A path is a sequence of points: rendezvous, and begins and ends of loops
//    that hold a rendezvous. Times of a path: 2s is the code between point
//    s - 1 and point s, 2i + 1 is point i. Every instruction has one time for
//    each time that its function is called; times of a path are totally
//    ordered, except that nothing is said of the arms of a branch.
// 2. A rendezvous of all cores **cuts**: the r-th such is phase 2r + 1, code
//    before it phase 2r, code after it 2r + 2. One that a loop holds cuts
//    nothing: the loop lies in one phase as a whole, together with the code
//    around it, since nobody waits where a loop begins and ends. A rendezvous
//    of some cores orders only.
// 3. a happens before b, on different cores, if a chain of rendezvous leads
//    from after a to before b. Inside a loop that chain is one iteration's;
//    next_iteration.h has what it says of the next one. Where a loop may be
//    left before it reaches a rendezvous, that rendezvous orders only what the
//    loop holds behind it.
//
// What meets nothing (a name that one core of several has) is no rendezvous. A
// program of one core has no one to meet: its BARRIERs and COLLECTIVEs cut
// where they are on every path, and are passed over where they are not.
//
// Thread-safety: const use from several threads is safe.
#ifndef BERTH_ALLOCATOR_RENDEZVOUS_CORE_ORDER_H_
#define BERTH_ALLOCATOR_RENDEZVOUS_CORE_ORDER_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "allocator/model/intervals.h"
#include "allocator/model/program.h"
#include "allocator/rendezvous/core_path.h"
#include "allocator/rendezvous/matching.h"
#include "allocator/rendezvous/meeting.h"

namespace berth {

class CoreOrder {
 public:
  // kInvalidArgument, naming cores, functions and instructions: a rendezvous
  // that is not on every path through its function, or not on every path
  // through an iteration of its loop; cores that have a name unequally often;
  // an order of rendezvous that contradicts itself, so that cores would wait
  // for each other for ever; a loop with several entries, or one nested more
  // than 64 deep, that holds a rendezvous.
  // kResourceExhausted: more than 2^25 points with all calls expanded.
  //
  // REQUIRES: a checked program. Keeps no reference to it. Cost: O(instructions
  // + edges + points * cores), times the depth of loops that hold a rendezvous.
  static absl::StatusOr<CoreOrder> Of(const Program& program);

  int32_t num_cores() const { return static_cast<int32_t>(paths_.size()); }
  // Phases are 0 .. num_phases() - 1. Odd, at least 1.
  int32_t num_phases() const { return num_phases_; }
  // All rendezvous, in an order that every core's path agrees with.
  const std::vector<Rendezvous>& rendezvous() const { return rendezvous_; }

  // Whether the instruction is (part of) a rendezvous.
  bool Meets(const CodePlace& place) const;
  // Cores that an instruction of this name meets on, ascending; empty if it is
  // of no rendezvous.
  absl::Span<const int32_t> CoresThatMeet(absl::string_view name) const;

  // The closed hull of the phases of all runs of an instruction. A CALL has
  // those of its callee too. Cost: O(log points of its function).
  Interval PhasesOf(const CodePlace& place) const;

  // Times of the instruction on its core's path, one per call of its function,
  // ascending, each once; [lo, hi] of a CALL spans its callee, of any other
  // instruction lo = hi. Cost: O(result).
  std::vector<Interval> TimesOf(const CodePlace& place) const;

  // All that `core` does up to `time` happens before (all that is at) time
  // `other_time` of `other`. On one core: time < other_time. Two cores in one
  // rendezvous: false both ways, see Together(). Cost: O(1).
  bool Before(int32_t core, int32_t time, int32_t other,
              int32_t other_time) const;
  // Both times are the same rendezvous.
  bool Together(int32_t core, int32_t time, int32_t other,
                int32_t other_time) const;
  // Position of a time in one order of all times of all cores that agrees with
  // Before(); times that meet are equal. Cost: O(1).
  int64_t Rank(int32_t core, int32_t time) const;
  // The phase of a time.
  int32_t PhaseAt(int32_t core, int32_t time) const;

  // Loops that hold a rendezvous, of all cores.
  const std::vector<CoreLoop>& loops() const { return loops_; }
  // Those that run their iterations together, by CoreLoop::of_class.
  const std::vector<int32_t>& LoopsOf(int32_t of_class) const {
    return loops_of_class_[of_class];
  }
  // The innermost of them around a time, -1: none. Cost: O(1).
  int32_t LoopAt(int32_t core, int32_t time) const;

  // For next_iteration.h: points, and clock rows by number.
  const CorePath& path(int32_t core) const { return paths_[core]; }
  int32_t ClockOf(int32_t row, int32_t core) const {
    return clocks_[static_cast<size_t>(row) * paths_.size() + core];
  }

 private:
  CoreOrder() = default;
  const FunctionPath& PathOf(const CodePlace& place) const {
    return paths_[place.core].functions[place.function];
  }

  int32_t num_phases_ = 1;
  std::vector<Rendezvous> rendezvous_;
  std::vector<CorePath> paths_;  // by core
  // Row r, core c: the last time of c that happens before what follows
  // rendezvous r, or is r; -1: none.
  std::vector<int32_t> clocks_;
  std::vector<CoreLoop> loops_;
  std::vector<std::vector<int32_t>> loops_of_class_;
  std::vector<std::vector<int32_t>> cores_of_name_;
  MeetingNames name_ids_;
};

}  // namespace berth

#endif  // BERTH_ALLOCATOR_RENDEZVOUS_CORE_ORDER_H_
