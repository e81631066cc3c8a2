#include "allocator/simulate/pin_aliases.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <utility>
#include <vector>

#include "allocator/model/program.h"
#include "allocator/simulate/layout.h"

namespace berth::machine {
namespace {

// Private pins of different cores never meet: a line is a core, or this.
constexpr int32_t kSharedLine = -1;

struct PinnedRange {
  uint64_t lo;
  uint64_t hi;
  int32_t memory;
  int32_t line;
};

// By line and address.
std::vector<PinnedRange> PinnedRanges(const Layout& layout) {
  std::vector<PinnedRange> pins;
  for (size_t m = 0; m < layout.memories.size(); ++m) {
    const Memory& memory = layout.memories[m];
    const FunctionLayout& function =
        layout.cores[memory.core].functions[memory.function];
    const LocationPlace& place = function.places[memory.location];
    const Location& location = function.function->locations[memory.location];
    // An address of unset origin is a pin only where nothing could have placed
    // it (spec §13).
    if (!place.placed || !location.pinned()) continue;
    if (location.placed_by == PlacedBy::kNone && location.placeable()) continue;
    if (location.remote_target) continue;  // its owner stands for it
    pins.push_back({place.address, place.address + place.bytes,
                    static_cast<int32_t>(m),
                    place.shared ? kSharedLine : memory.core});
  }
  std::sort(pins.begin(), pins.end(),
            [](const PinnedRange& a, const PinnedRange& b) {
              return std::tie(a.line, a.lo, a.hi, a.memory) <
                     std::tie(b.line, b.lo, b.hi, b.memory);
            });
  return pins;
}

bool OfOneFunction(const Memory& a, const Memory& b) {
  return a.core == b.core && a.function == b.function;
}

// Of the bytes that both have, those in [first, last), if there are any.
void AddAlias(const PinnedRange& from, const PinnedRange& to, uint64_t first,
              uint64_t last, Layout& layout) {
  const uint64_t lo = std::max({from.lo, to.lo, first});
  const uint64_t hi = std::min({from.hi, to.hi, last});
  if (lo >= hi) return;
  layout.memories[from.memory].aliases.push_back(
      {to.memory, lo - from.lo, hi - from.lo, from.lo - to.lo});
}

// For two pins of one function.
void AliasThroughOthers(const PinnedRange& from, const PinnedRange& to,
                        Layout& layout) {
  // By value: it grows.
  const Memory memory = layout.memories[from.memory];
  for (const Memory::Alias& alias : memory.aliases) {
    if (OfOneFunction(memory, layout.memories[alias.memory])) continue;
    AddAlias(from, to, from.lo + alias.lo, from.lo + alias.hi, layout);
  }
}

}  // namespace

void FindPinAliases(Layout& layout) {
  const std::vector<PinnedRange> pins = PinnedRanges(layout);
  std::vector<std::pair<size_t, size_t>> of_one_function;  // shared ones
  for (size_t i = 0; i < pins.size(); ++i) {
    const PinnedRange& a = pins[i];
    for (size_t j = i + 1; j < pins.size(); ++j) {
      const PinnedRange& b = pins[j];
      if (b.line != a.line || b.lo >= a.hi) break;
      if (!OfOneFunction(layout.memories[a.memory],
                         layout.memories[b.memory])) {
        AddAlias(a, b, a.lo, a.hi, layout);
        AddAlias(b, a, b.lo, b.hi, layout);
      } else if (a.line == kSharedLine) {
        of_one_function.emplace_back(i, j);
      }
    }
  }
  for (const auto& [i, j] : of_one_function) {
    AliasThroughOthers(pins[i], pins[j], layout);
    AliasThroughOthers(pins[j], pins[i], layout);
  }
}

}  // namespace berth::machine
