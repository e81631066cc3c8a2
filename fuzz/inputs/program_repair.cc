#include "fuzz/inputs/program_repair.h"

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "allocator/base/int_math.h"
#include "allocator/liveness/liveness.h"
#include "allocator/model/check_program.h"
#include "allocator/model/program.h"

namespace berth::fuzz {

void RepairKinds(Function& function) {
  for (Block& block : function.blocks) {
    for (Instruction& i : block.instructions) {
      if (i.kind != InstructionKind::kCall) i.callee = -1;
      if (i.kind == InstructionKind::kBarrier) {
        i.defs.clear();
        i.uses.clear();
      }
      if (i.kind != InstructionKind::kDmaCopy) continue;
      if (i.defs.size() != 1 || i.uses.size() != 1 ||
          AccessBytes(i.defs[0], function.locations[i.defs[0].location]) !=
              AccessBytes(i.uses[0], function.locations[i.uses[0].location])) {
        i.kind = InstructionKind::kCompute;
      }
    }
  }
}

void RepairAccesses(Function& function) {
  for (Block& block : function.blocks) {
    for (Instruction& i : block.instructions) {
      for (auto* accesses : {&i.defs, &i.uses}) {
        for (Access& a : *accesses) {
          const uint64_t bytes = function.locations[a.location].byte_size();
          const auto end = CheckedAdd(a.offset_bytes, a.extent_bytes);
          if (!end.has_value() || *end > bytes) a = {a.location};
        }
      }
    }
  }
}

void DropUndefinedUses(Function& function) {
  const absl::StatusOr<Liveness> liveness = ComputeLiveness(function);
  if (!liveness.ok()) return;
  std::vector<Instruction*> flat;
  for (Block& block : function.blocks) {
    for (Instruction& i : block.instructions) flat.push_back(&i);
  }
  for (const UndefinedUse& use : liveness->undefined_uses) {
    const Location& location = function.locations[use.location];
    if (!location.placeable() || location.pinned()) continue;
    if (location.space == Space::kShared) continue;
    Instruction& i = *flat[use.instruction];
    std::erase_if(
        i.uses, [&use](const Access& a) { return a.location == use.location; });
    if (i.kind == InstructionKind::kDmaCopy) {
      i.kind = InstructionKind::kCompute;
    }
  }
}

}  // namespace berth::fuzz
