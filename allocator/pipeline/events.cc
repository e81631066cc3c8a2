#include "allocator/pipeline/events.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "allocator/base/check.h"

namespace berth {
namespace {

std::string Text(const Event& e) {
  switch (e.kind) {
    case EventKind::kAllocating:
      return absl::StrCat("allocating spills in DRAM ", e.name,
                          "_link mode for address space ", e.detail);
    case EventKind::kNumIntervals:
      return absl::StrCat("Num intervals ", e.value, "  Num locations ",
                          e.second);
    case EventKind::kIntervalTreeDone:
      return "IntervalTree Build Done";
    case EventKind::kUsedHighWaterMark:
      return absl::StrCat("Already used DRAM hwm: ", e.value);
    case EventKind::kSimplify:
      return absl::StrCat("simplify interference graph, threshold ", e.value);
    case EventKind::kCcLimit:
      return absl::StrCat("CC buffer size limit ", e.value);
    case EventKind::kAllreduceHwm:
      return absl::StrCat("allreduce_dram_hwm ", e.value);
    case EventKind::kRealCcBufferSize:
      return absl::StrCat("Real CC buffer size ", e.value);
    case EventKind::kReservedSpace:
      return absl::StrCat("reserved space = ", e.value, " bytes");
    case EventKind::kSkippingShared:
      return absl::StrCat("Skipping shared tensor allocations on core ",
                          e.value, ", marking as remoteLocalTarget instead");
    case EventKind::kAssignedRemote:
      return absl::StrCat("Assigned memloc ", e.name, " to address ", e.value,
                          " based on its remote local target");
    case EventKind::kSuccess:
      return "DRAM allocation successful";
    case EventKind::kNoCandidate:
      return "No candidate, DRAM allocation successful";
    case EventKind::kRotated:
      return absl::StrCat("addresses rotated: ", e.value,
                          " dependences of placement before, ", e.second,
                          " after");
    case EventKind::kRotationFailed:
      return absl::StrCat("warning: addresses are not rotated: '", e.name,
                          "' would find no room");
    case EventKind::kRotationKept:
      return absl::StrCat("warning: addresses are not rotated: ", e.second,
                          " dependences of placement would not be fewer than ",
                          e.value);
    case EventKind::kUnreferenced:
      return absl::StrCat("warning: '", e.name,
                          "' has no access and no address; it is not placed");
    case EventKind::kPinnedOffPage:
      return absl::StrCat("warning: '", e.name, "' is pre-placed at ", e.value,
                          ", off its page or alignment; it stays there");
    case EventKind::kCcCut:
      return absl::StrCat("warning: the CC region of ", e.value,
                          " bytes is cut to ", e.second,
                          " bytes by the ceiling");
  }
  BERTH_CHECK(false && "EventKind");
}

}  // namespace

bool IsWarning(EventKind kind) {
  return kind == EventKind::kUnreferenced ||
         kind == EventKind::kPinnedOffPage || kind == EventKind::kCcCut ||
         kind == EventKind::kRotationFailed || kind == EventKind::kRotationKept;
}

std::string ToLine(const Event& event) {
  const std::string text = Text(event);
  if (event.core == kAllCores) return absl::StrCat("all cores: ", text);
  if (event.function.empty()) {
    return absl::StrCat("core ", event.core, ": ", text);
  }
  return absl::StrCat("core ", event.core, " ", event.function, ": ", text);
}

}  // namespace berth
