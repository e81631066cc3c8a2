// Input errors of pre-placed locations (spec §5), found before anything is
// placed.
//
// Thread-safety: pure functions.
#ifndef BERTH_ALLOCATOR_PIPELINE_PINS_H_
#define BERTH_ALLOCATOR_PIPELINE_PINS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "allocator/liveness/liveness.h"
#include "allocator/model/intervals.h"
#include "allocator/model/program.h"

namespace berth {

// A pre-placed thing with a name, for CheckPinsApart. Empty ranges are ignored.
struct NamedPin {
  absl::string_view name;
  uint64_t address = 0;
  uint64_t end = 0;
};

// kInvalidArgument that names two pins that interfere and share bytes, the
// first in (time, address) order. `live` has the intervals of each pin. Cost:
// O(intervals log intervals).
absl::Status CheckPinsApart(const std::vector<NamedPin>& pins,
                            const IntervalTable& live, absl::string_view where);

// The pinned DRAM locations of `function` in `space`: no two that interfere
// share bytes.
absl::Status CheckFunctionPins(const Function& function,
                               const Liveness& liveness, Space space,
                               int32_t core);

// No pinned DRAM location ends past `window_bytes`; no pinned LOCAL one shares
// bytes with a pinned SHARED one, on any core. Cost: O(pins log pins).
absl::Status CheckProgramPins(const Program& program, uint64_t window_bytes);

}  // namespace berth

#endif  // BERTH_ALLOCATOR_PIPELINE_PINS_H_
