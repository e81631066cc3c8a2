// What the core has to say while it plans: the source's log lines and warnings
// as typed events. The core returns them; `--log` prints them (spec §9).
#ifndef BERTH_ALLOCATOR_PIPELINE_EVENTS_H_
#define BERTH_ALLOCATOR_PIPELINE_EVENTS_H_

#include <cstdint>
#include <string>
#include <vector>

namespace berth {

enum class EventKind : uint8_t {
  kAllocating,    // name: "pre" or "post"; detail: LOCAL or SHARED
  kNumIntervals,  // value: intervals, second: locations
  kIntervalTreeDone,
  kUsedHighWaterMark,  // value: floor - 1; only when the floor is above 0
  kSimplify,           // value: low threshold K
  kCcLimit,            // value: bytes of the CC region
  kAllreduceHwm,       // value: floor + real CC buffer size
  kRealCcBufferSize,   // value: bytes
  kReservedSpace,      // value: bytes (the floor)
  kSkippingShared,     // value: core whose copies become remote targets
  kAssignedRemote,     // name: location, value: address
  kSuccess,
  kNoCandidate,
  kRotated,  // value: placement edges before, second: after
  // Warnings.
  kUnreferenced,    // name: location without access and address
  kPinnedOffPage,   // name: location pinned off its page or alignment
  kCcCut,           // value: bytes asked for, second: bytes there were
  kRotationFailed,  // name: the location that finds no room, or the function
  kRotationKept,    // value: placement edges before, second: had it moved
};

// Event::core of the common shared run, which is no core's.
inline constexpr int32_t kAllCores = -1;

struct Event {
  EventKind kind = EventKind::kSuccess;
  int32_t core = 0;
  std::string function;
  std::string name;
  std::string detail;
  uint64_t value = 0;
  uint64_t second = 0;

  friend bool operator==(const Event&, const Event&) = default;
};

// Whether the event goes to standard error even without --log.
bool IsWarning(EventKind kind);

// One line, without a line break: "core 0 main: DRAM allocation successful".
std::string ToLine(const Event& event);

}  // namespace berth

#endif  // BERTH_ALLOCATOR_PIPELINE_EVENTS_H_
