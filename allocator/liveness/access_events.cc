#include "allocator/liveness/access_events.h"

#include <cstddef>
#include <cstdint>
#include <vector>

#include "allocator/model/program.h"

namespace berth {
namespace {

struct LocatedEvent {
  int32_t location;
  AccessEvent event;
};

// Spec §3's "one access covers the whole location". A location of no bytes is
// covered by any access, since extent 0 says whole.
bool CoversWhole(const Access& access, const Function& function) {
  return access.extent_bytes == 0 ||
         (access.offset_bytes == 0 &&
          access.extent_bytes ==
              function.locations[access.location].byte_size());
}

// The wanted accesses in instruction order; notes what is accessed at all. One
// walk over the instructions, for they are scattered in memory; all later steps
// read this flat list.
std::vector<LocatedEvent> ListAccesses(const Function& function,
                                       const std::vector<uint8_t>& wanted,
                                       std::vector<bool>& referenced) {
  std::vector<LocatedEvent> list;
  int32_t flat = 0;
  for (const Block& block : function.blocks) {
    for (const Instruction& instruction : block.instructions) {
      const uint8_t call = instruction.kind == InstructionKind::kCall
                               ? AccessEvent::kCall
                               : uint8_t{0};
      for (const Access& use : instruction.uses) {
        referenced[use.location] = true;
        if (!wanted[use.location]) continue;
        const uint8_t bits = call | AccessEvent::kListedUse;
        list.push_back({use.location, {flat, bits}});
      }
      for (const Access& def : instruction.defs) {
        referenced[def.location] = true;
        if (!wanted[def.location]) continue;
        const uint8_t bits =
            call | (CoversWhole(def, function) ? AccessEvent::kWholeDef
                                               : AccessEvent::kPartDef);
        list.push_back({def.location, {flat, bits}});
      }
      ++flat;
    }
  }
  return list;
}

}  // namespace

AccessEvents::AccessEvents(const Function& function,
                           const std::vector<uint8_t>& wanted)
    : referenced_(function.locations.size(), false) {
  const std::vector<LocatedEvent> list =
      ListAccesses(function, wanted, referenced_);
  const size_t num_locations = function.locations.size();
  std::vector<size_t> counts(num_locations, 0);
  for (const LocatedEvent& item : list) ++counts[item.location];
  begins_.resize(num_locations);
  size_t next = 0;
  for (size_t location = 0; location < num_locations; ++location) {
    begins_[location] = next;
    next += counts[location];
  }
  // Where an instruction accesses a location twice, places stay unused.
  ends_ = begins_;
  events_.resize(list.size());
  for (const LocatedEvent& item : list) {
    size_t& end = ends_[item.location];
    if (end > begins_[item.location] &&
        events_[end - 1].flat == item.event.flat) {
      events_[end - 1].bits |= item.event.bits;
    } else {
      events_[end++] = item.event;
    }
  }
}

}  // namespace berth
