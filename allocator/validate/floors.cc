#include "allocator/validate/floors.h"

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "allocator/base/int_math.h"
#include "allocator/model/options.h"
#include "allocator/model/program.h"
#include "allocator/validate/program_facts.h"

namespace berth::validation {
namespace {

// What the locations of one function hold up.
struct FunctionEnds {
  Floor placed;  // LOCAL, placed by a run
  Floor pinned;  // LOCAL
  Floor shared_pinned;
};

// addr + aligned_size; the greatest address where that passes it.
Floor EndOf(const Location& location) {
  const auto bytes = CheckedMul(location.elem_count, location.elem_size);
  if (bytes && *bytes == 0) return {};  // counts for no floor
  const auto aligned =
      bytes ? CheckedRoundUp(*bytes, PageBytes(location.type)) : bytes;
  const auto end = aligned ? CheckedAdd(*location.address, *aligned) : aligned;
  return {end.value_or(std::numeric_limits<uint64_t>::max()), location.name};
}

FunctionEnds EndsOf(const FunctionFacts& function) {
  FunctionEnds ends;
  for (size_t l = 0; l < function.roles.size(); ++l) {
    const Location& location = function.function->locations[l];
    const Role role = function.roles[l];
    const bool shared = location.space == Space::kShared;
    if (role == Role::kPinned) {
      (shared ? ends.shared_pinned : ends.pinned).Raise(EndOf(location));
    } else if (role == Role::kPlaced && !shared) {
      ends.placed.Raise(EndOf(location));
    }
  }
  return ends;
}

// By position in `order`: the highest pinned end among all others.
std::vector<Floor> PinsOfOthers(const std::vector<int32_t>& order,
                                const std::vector<FunctionEnds>& ends) {
  std::vector<Floor> others(order.size());
  Floor seen;
  for (size_t i = 0; i < order.size(); ++i) {
    others[i] = seen;
    seen.Raise(ends[order[i]].pinned);
  }
  seen = {};
  for (size_t i = order.size(); i-- > 0;) {
    others[i].Raise(seen);
    seen.Raise(ends[order[i]].pinned);
  }
  return others;
}

}  // namespace

std::string Floor::Reason() const {
  return setter.empty() ? "" : absl::StrCat(" that '", setter, "' sets");
}

void Floor::Raise(const Floor& other) {
  if (other.value > value) *this = other;
}

Floors RecomputeFloors(const ProgramFacts& facts) {
  std::vector<FunctionEnds> ends;
  Floor shared_pins;
  Floors floors;
  floors.local.resize(facts.functions.size());
  for (const FunctionFacts& function : facts.functions) {
    ends.push_back(EndsOf(function));
    shared_pins.Raise(ends.back().shared_pinned);
    floors.shared.Raise(ends.back().placed);
    floors.shared.Raise(ends.back().pinned);
  }
  floors.shared.Raise(shared_pins);
  for (const std::vector<int32_t>& order : facts.modules) {
    const std::vector<Floor> others = PinsOfOthers(order, ends);
    Floor earlier = shared_pins;
    for (size_t i = 0; i < order.size(); ++i) {
      const int32_t function = order[i];
      Floor& floor = floors.local[function];
      floor = earlier;
      floor.Raise(others[i]);
      if (facts.LocalLinkMode(function) == LinkMode::kPre) {
        floor.Raise(ends[function].pinned);
      }
      earlier.Raise(ends[function].placed);
    }
  }
  return floors;
}

}  // namespace berth::validation
