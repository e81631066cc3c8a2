// Uses and pins of the shared space that are errors (spec §10).
#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "allocator/base/status_macros.h"
#include "allocator/liveness/liveness.h"
#include "allocator/model/intervals.h"
#include "allocator/model/program.h"
#include "allocator/pipeline/pins.h"
#include "allocator/pipeline/shared_times.h"
#include "allocator/pipeline/sharing.h"
#include "allocator/rendezvous/core_order.h"

namespace berth {
namespace {

using Modules = std::vector<const Module*>;

std::string InstructionName(const Modules& modules, const CodePlace& place) {
  return Describe(*modules[place.core], place.function, place.flat);
}

// Some def of the tensor comes before the use, wherever it is.
bool AnyDefBefore(const CoreOrder& order, absl::Span<const SharedAccess> of,
                  const CodePlace& use) {
  const std::vector<Interval> times = order.TimesOf(use);
  if (times.empty()) return true;  // it never runs
  const int32_t phase = order.PhasesOf(use).hi;
  return std::any_of(of.begin(), of.end(), [&](const SharedAccess& access) {
    return access.def && (order.PhasesOf(access.place).lo < phase ||
                          order.Before(access.place.core, access.time.hi,
                                       use.core, times.back().lo));
  });
}

// Hull of the phases of all instructions of a function.
Interval FunctionPhases(const CoreOrder& order, const LocationPlace& place,
                        const Function& function) {
  Interval hull = {order.num_phases(), -1};
  for (int32_t flat = 0; flat < function.num_instructions(); ++flat) {
    const Interval phases = order.PhasesOf({place.core, place.function, flat});
    hull.lo = std::min(hull.lo, phases.lo);
    hull.hi = std::max(hull.hi, phases.hi);
  }
  return hull;
}

// Phases in which a pinned tensor is live; lo > hi: none.
Interval PinPhases(const Modules& modules, const Sharing& sharing,
                   const CoreOrder& order,
                   const std::vector<std::vector<Liveness>>& liveness,
                   const SharedTimes& times, int32_t tensor) {
  const auto accessed = times.phases.of(tensor);
  Interval live =
      accessed.empty() ? Interval{order.num_phases(), -1} : accessed.front();
  const auto extend = [&](const LocationPlace& place) {
    const Usage usage = LocationAt(modules, place).usage;
    const bool always = usage == Usage::kWeight || usage == Usage::kConstant;
    const bool referenced =
        liveness[place.core][place.function].referenced[place.location];
    const bool at_entry = usage == Usage::kInput && referenced;
    const bool at_exit = usage == Usage::kOutput && referenced;
    if (!always && !at_entry && !at_exit) return;
    const Interval whole = FunctionPhases(
        order, place, modules[place.core]->functions[place.function]);
    if (always || at_entry) live.lo = std::min(live.lo, whole.lo);
    if (always || at_exit) live.hi = std::max(live.hi, whole.hi);
  };
  extend(sharing.owner(tensor));
  for (const LocationPlace& copy : sharing.copies(tensor)) extend(copy);
  return live;
}

}  // namespace

absl::Status CheckSharedUses(const Program& program, const Sharing& sharing,
                             const CoreOrder& order,
                             const std::vector<std::vector<Liveness>>& liveness,
                             const SharedTimes& times) {
  const Modules modules = ModulesByCore(program);
  for (size_t c = 0; c < modules.size(); ++c) {
    for (size_t f = 0; f < modules[c]->functions.size(); ++f) {
      for (const UndefinedUse& use : liveness[c][f].undefined_uses) {
        const Location& location =
            modules[c]->functions[f].locations[use.location];
        if (!location.candidate(Space::kShared) || location.pinned()) continue;
        const auto core = static_cast<int32_t>(c);
        const auto function = static_cast<int32_t>(f);
        const CodePlace place{core, function, use.instruction};
        const int32_t tensor = sharing.TensorOf({core, function, use.location});
        if (AnyDefBefore(order, times.of(tensor), place)) continue;
        return absl::InvalidArgumentError(absl::StrCat(
            InstructionName(modules, place), " uses shared '", location.name,
            "', which no def reaches and which no copy defines before"));
      }
    }
  }
  return absl::OkStatus();
}

absl::Status CheckSharedPins(const Program& program, const Sharing& sharing,
                             const CoreOrder& order,
                             const std::vector<std::vector<Liveness>>& liveness,
                             const SharedTimes& times) {
  const Modules modules = ModulesByCore(program);
  std::vector<NamedPin> pins;
  IntervalTable live;
  for (int32_t tensor = 0; tensor < sharing.size(); ++tensor) {
    const Location& owner = LocationAt(modules, sharing.owner(tensor));
    if (!owner.pinned()) continue;
    const Interval phases =
        PinPhases(modules, sharing, order, liveness, times, tensor);
    pins.push_back(
        {owner.name, *owner.address, *owner.address + owner.byte_size()});
    if (phases.lo > phases.hi) {
      live.Append({});
    } else {
      live.Append({phases});
    }
  }
  return CheckPinsApart(pins, live, "shared space");
}

}  // namespace berth
