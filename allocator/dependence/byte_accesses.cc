#include "allocator/dependence/byte_accesses.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "allocator/model/check_program.h"
#include "allocator/model/program.h"

namespace berth {

// Where the bytes of locations lie.
struct ByteAccesses::Lines {
  bool placed = false;         // at addresses; else private bytes
  std::optional<Space> space;  // unset: all
  bool implied_uses = false;   // partial defs are reads too

  // The first byte of the location, or nullopt: it has none that count.
  std::optional<Point> Begin(const Location& location, int32_t index) const {
    if (location.type != MemoryType::kDram) return std::nullopt;
    if (space && location.space != *space) return std::nullopt;
    if (!placed) return Point{index, 0};
    if (!location.address) return std::nullopt;
    return Point{0, *location.address};
  }
};

ByteAccesses ByteAccesses::Private(const Function& function) {
  return ByteAccesses(function, {false, std::nullopt, true});
}

ByteAccesses ByteAccesses::PrivateShared(const Function& function) {
  return ByteAccesses(function, {false, Space::kShared, false});
}

ByteAccesses ByteAccesses::Placed(const Function& function, Space space) {
  return ByteAccesses(function, {true, space, false});
}

ByteAccesses::ByteAccesses(const Function& function, const Lines& lines) {
  int32_t flat = 0;
  for (const Block& block : function.blocks) {
    for (const Instruction& instruction : block.instructions) {
      for (const Access& use : instruction.uses) {
        Add(function, lines, flat, use, false);
      }
      for (const Access& def : instruction.defs) {
        if (!lines.implied_uses) break;
        const Location& location = function.locations[def.location];
        if (AccessBytes(def, location) == location.byte_size()) continue;
        Add(function, lines, flat, def, false);
      }
      for (const Access& def : instruction.defs) {
        Add(function, lines, flat, def, true);
      }
      begins_.push_back(static_cast<int32_t>(accesses_.size()));
      ++flat;
    }
  }
  NumberPositions();
}

void ByteAccesses::Add(const Function& function, const Lines& lines,
                       int32_t flat, const Access& access, bool write) {
  const Location& location = function.locations[access.location];
  const std::optional<Point> begin = lines.Begin(location, access.location);
  const uint64_t bytes = AccessBytes(access, location);
  if (!begin || bytes == 0) return;
  const uint64_t lo = begin->offset + access.offset_bytes;
  points_.push_back({begin->line, lo});
  points_.push_back({begin->line, lo + bytes});
  accesses_.push_back({flat, access.location, 0, 0, write});
}

void ByteAccesses::NumberPositions() {
  std::vector<Point> sorted = points_;
  std::sort(sorted.begin(), sorted.end());
  sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
  const auto number = [&](const Point& point) {
    return static_cast<int32_t>(
        std::lower_bound(sorted.begin(), sorted.end(), point) - sorted.begin());
  };
  for (size_t a = 0; a < accesses_.size(); ++a) {
    accesses_[a].lo = number(points_[2 * a]);
    accesses_[a].hi = number(points_[2 * a + 1]);
  }
  num_positions_ = static_cast<int32_t>(sorted.size());
  points_ = std::move(sorted);
}

}  // namespace berth
