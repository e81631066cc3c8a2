#include <cstdint>
#include <iterator>
#include <vector>

#include "allocator/base/int_math.h"
#include "allocator/base/rng.h"
#include "allocator/model/program.h"
#include "fuzz/inputs/program_changes.h"
#include "fuzz/inputs/program_parts.h"

namespace berth::fuzz {
namespace {

using Change = void (*)(Rng&, Program&);

void DropLocation(Rng& rng, Program& program) {
  Function* f = SomeFunction(rng, program);
  if (f == nullptr || f->locations.empty()) return;
  const auto id = static_cast<int32_t>(rng.Below(f->locations.size()));
  f->locations.erase(f->locations.begin() + id);
  for (Block& block : f->blocks) {
    for (Instruction& instruction : block.instructions) {
      for (auto* accesses : {&instruction.defs, &instruction.uses}) {
        std::erase_if(*accesses,
                      [id](const Access& a) { return a.location == id; });
        for (Access& a : *accesses) a.location -= a.location > id ? 1 : 0;
      }
      if (instruction.kind == InstructionKind::kDmaCopy) {
        instruction.kind = InstructionKind::kCompute;
      }
    }
  }
}

void Resize(Rng& rng, Program& program) {
  Function* f = SomeFunction(rng, program);
  Location* l = f == nullptr ? nullptr : SomeLocation(rng, *f);
  if (l == nullptr) return;
  l->elem_count = SomeBytes(rng);
  l->elem_size = rng.OneIn(4) ? static_cast<uint32_t>(rng.Below(9)) : 1;
}

void ChangeLocation(Rng& rng, Program& program) {
  constexpr Usage kUsages[] = {Usage::kInput,       Usage::kOutput,
                               Usage::kWeight,      Usage::kConstant,
                               Usage::kSpill,       Usage::kIntermediate,
                               Usage::kIntermediate};
  constexpr uint64_t kAlignments[] = {1, 2, 3, 64, 512, 4096, 8192, 5000};
  Function* f = SomeFunction(rng, program);
  Location* l = f == nullptr ? nullptr : SomeLocation(rng, *f);
  if (l == nullptr) return;
  switch (rng.Below(6)) {
    case 0:
    case 1:
      l->usage = kUsages[rng.Below(std::size(kUsages))];
      break;
    case 2:
    case 3:
      l->alignment = kAlignments[rng.Below(std::size(kAlignments))];
      break;
    case 4:
      l->type = rng.OneIn(2) ? MemoryType::kDram : MemoryType::kSbuf;
      break;
    default:
      l->nki = !l->nki;
  }
}

void Pin(Rng& rng, Program& program) {
  Function* f = SomeFunction(rng, program);
  Location* l = f == nullptr ? nullptr : SomeLocation(rng, *f);
  if (l == nullptr) return;
  if (l->address.has_value() && rng.OneIn(2)) {
    l->address.reset();
    l->placed_by = PlacedBy::kNone;
    return;
  }
  l->address =
      rng.OneIn(3) ? 100 + rng.Below(30'000) : kDramPageBytes * rng.Below(16);
  l->placed_by =
      rng.OneIn(6) && l->placeable() ? PlacedBy::kBerth : PlacedBy::kInput;
}

}  // namespace

void ChangeLocations(Rng& rng, Program& program) {
  constexpr Change kChanges[] = {AddLocation,    AddLocation, DropLocation,
                                 Resize,         Resize,      ChangeLocation,
                                 ChangeLocation, Pin};
  kChanges[rng.Below(std::size(kChanges))](rng, program);
}

}  // namespace berth::fuzz
