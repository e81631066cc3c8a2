#include "allocator/pipeline/pins.h"

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "allocator/base/status_macros.h"
#include "allocator/liveness/liveness.h"
#include "allocator/model/intervals.h"
#include "allocator/model/names.h"
#include "allocator/model/program.h"

namespace berth {
namespace {

struct Edge {
  int32_t time;
  bool end;  // begins sort before ends at one time: intervals are closed
  int32_t pin;
};

struct Placed {
  uint64_t address;
  uint64_t end;
  int32_t pin;
  bool operator<(const Placed& other) const {
    return std::tie(address, pin) < std::tie(other.address, other.pin);
  }
};

std::string Describe(const NamedPin& pin) {
  return absl::StrCat("'", pin.name, "' at [", pin.address, ", ", pin.end, ")");
}

// A pinned location of the program, for the check of LOCAL against SHARED.
struct SpacedPin {
  NamedPin pin;
  int32_t core;
  absl::string_view function;
  Space space;
};

std::string Describe(const SpacedPin& pin) {
  return absl::StrCat(Name(pin.space), " ", Describe(pin.pin), " of core ",
                      pin.core, " ", pin.function);
}

}  // namespace

absl::Status CheckPinsApart(const std::vector<NamedPin>& pins,
                            const IntervalTable& live,
                            absl::string_view where) {
  std::vector<Edge> edges;
  for (int32_t pin = 0; pin < live.size(); ++pin) {
    if (pins[pin].address == pins[pin].end) continue;
    for (const Interval& interval : live.of(pin)) {
      edges.push_back({interval.lo, false, pin});
      edges.push_back({interval.hi, true, pin});
    }
  }
  std::sort(edges.begin(), edges.end(), [&](const Edge& a, const Edge& b) {
    return std::tie(a.time, a.end, pins[a.pin].address, a.pin) <
           std::tie(b.time, b.end, pins[b.pin].address, b.pin);
  });
  // What is live never overlaps, so only address neighbours can clash.
  std::set<Placed> now;
  for (const Edge& edge : edges) {
    const NamedPin& pin = pins[edge.pin];
    const Placed placed{pin.address, pin.end, edge.pin};
    if (edge.end) {
      now.erase(placed);
      continue;
    }
    const auto next = now.lower_bound(placed);
    int32_t other = -1;
    if (next != now.end() && next->address < pin.end) other = next->pin;
    if (next != now.begin() && std::prev(next)->end > pin.address) {
      other = std::prev(next)->pin;
    }
    if (other >= 0) {
      return absl::InvalidArgumentError(
          absl::StrCat(where, ": pre-placed ", Describe(pins[other]), " and ",
                       Describe(pin), " share bytes while both are live"));
    }
    now.insert(placed);
  }
  return absl::OkStatus();
}

absl::Status CheckFunctionPins(const Function& function,
                               const Liveness& liveness, Space space,
                               int32_t core) {
  std::vector<NamedPin> pins;
  IntervalTable live;
  for (size_t i = 0; i < function.locations.size(); ++i) {
    const Location& location = function.locations[i];
    if (location.type != MemoryType::kDram || location.space != space ||
        !location.pinned()) {
      continue;
    }
    pins.push_back({location.name, *location.address,
                    *location.address + location.byte_size()});
    live.Append(liveness.occupied.of(static_cast<int32_t>(i)));
  }
  return CheckPinsApart(pins, live,
                        absl::StrCat("core ", core, " ", function.name));
}

absl::Status CheckProgramPins(const Program& program, uint64_t window_bytes) {
  std::vector<SpacedPin> pins;
  for (const Module& module : program.modules) {
    for (const Function& function : module.functions) {
      for (const Location& location : function.locations) {
        if (location.type != MemoryType::kDram || !location.pinned() ||
            location.byte_size() == 0) {
          continue;
        }
        pins.push_back({{location.name, *location.address,
                         *location.address + location.byte_size()},
                        module.core,
                        function.name,
                        location.space});
        if (pins.back().pin.end > window_bytes) {
          return absl::InvalidArgumentError(absl::StrCat(
              "pre-placed ", Describe(pins.back()), " ends past the window of ",
              window_bytes, " bytes"));
        }
      }
    }
  }
  std::sort(pins.begin(), pins.end(),
            [](const SpacedPin& a, const SpacedPin& b) {
              return std::tie(a.pin.address, a.core, a.function, a.pin.name) <
                     std::tie(b.pin.address, b.core, b.function, b.pin.name);
            });
  // The farthest end so far, per space.
  const SpacedPin* farthest[2] = {nullptr, nullptr};
  for (const SpacedPin& pin : pins) {
    const SpacedPin* other = farthest[pin.space == Space::kLocal ? 1 : 0];
    if (other != nullptr && other->pin.end > pin.pin.address) {
      return absl::InvalidArgumentError(
          absl::StrCat("pre-placed ", Describe(*other), " and ", Describe(pin),
                       " share bytes"));
    }
    const SpacedPin*& mine = farthest[pin.space == Space::kLocal ? 0 : 1];
    if (mine == nullptr || mine->pin.end < pin.pin.end) mine = &pin;
  }
  return absl::OkStatus();
}

}  // namespace berth
