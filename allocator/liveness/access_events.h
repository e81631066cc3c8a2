// The accesses of a function turned around: for each location the instructions
// that access it, in flat order, and what they do to it.
//
// What an access does (spec §3):
//  - it is a *listed use* if the instruction names it among its uses;
//  - a def is *full* if one access covers the whole location and its
//    instruction does not use it; full defs alone kill liveness;
//  - every other def is partial, and an *implied use* too.
// An instruction that only defines fully *kills*; every other one *reads*, that
// is, the location is live before it. There is no third kind, and this is what
// keeps the dataflow simple: the first event of a block alone decides whether
// the location is live at its start. (A full and a partial def by one
// instruction: the partial one still is an implied use, so it both reads and
// kills what came before for later uses.)
//
// Thread-safety: pure functions.
#ifndef BERTH_ALLOCATOR_LIVENESS_ACCESS_EVENTS_H_
#define BERTH_ALLOCATOR_LIVENESS_ACCESS_EVENTS_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "allocator/model/program.h"

namespace berth {

// All that one instruction does to one location.
struct AccessEvent {
  static constexpr uint8_t kListedUse = 1;
  static constexpr uint8_t kWholeDef = 2;
  static constexpr uint8_t kPartDef = 4;
  static constexpr uint8_t kCall = 8;

  int32_t flat = 0;
  uint8_t bits = 0;

  bool listed_use() const { return bits & kListedUse; }
  bool def() const { return bits & (kWholeDef | kPartDef); }
  bool full_def() const {
    return (bits & (kWholeDef | kListedUse)) == kWholeDef;
  }
  // A listed or implied use.
  bool reads() const {
    return (bits & (kListedUse | kWholeDef | kPartDef)) != kWholeDef;
  }
  bool by_call() const { return bits & kCall; }
};

class AccessEvents {
 public:
  // Of the locations with wanted[location] != 0; all others have no events.
  // REQUIRES: a checked program; wanted.size() is the number of locations.
  // Cost: O(locations + instructions + accesses).
  AccessEvents(const Function& function, const std::vector<uint8_t>& wanted);

  // In flat order, one per instruction.
  absl::Span<const AccessEvent> of(int32_t location) const {
    return absl::MakeConstSpan(events_).subspan(
        begins_[location], begins_[location + 1] - begins_[location]);
  }

  // Per location, wanted or not: some instruction accesses it.
  const std::vector<bool>& referenced() const { return referenced_; }

 private:
  void CountAccesses(const Function& function,
                     const std::vector<uint8_t>& wanted);
  void FillEvents(const Function& function, const std::vector<uint8_t>& wanted);
  void MergeByInstruction();

  // Location l owns events_[begins_[l]] .. events_[begins_[l + 1] - 1].
  std::vector<size_t> begins_;
  std::vector<AccessEvent> events_;
  std::vector<bool> referenced_;
};

}  // namespace berth

#endif  // BERTH_ALLOCATOR_LIVENESS_ACCESS_EVENTS_H_
