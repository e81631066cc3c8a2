#include "tests/dependence/random_function.h"

#include <cstdint>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "allocator/base/rng.h"
#include "allocator/model/program.h"

namespace berth::testing {
namespace {

Access RandomAccess(const Function& function, Rng& rng) {
  Access access;
  access.location = static_cast<int32_t>(rng.Below(function.locations.size()));
  const uint64_t bytes = function.locations[access.location].byte_size();
  if (bytes == 0 || rng.OneIn(2)) return access;
  access.offset_bytes = rng.Below(bytes);
  access.extent_bytes = 1 + rng.Below(bytes - access.offset_bytes);
  return access;
}

}  // namespace

Function RandomFunction(int max_blocks, int max_instructions, Rng& rng) {
  Function function;
  function.name = std::string("f");
  const auto num_locations = rng.Between(1, 6);
  for (int64_t l = 0; l < num_locations; ++l) {
    Location location;
    location.name = absl::StrCat("v", l);
    location.elem_count = rng.Below(13);
    location.space = rng.OneIn(4) ? Space::kShared : Space::kLocal;
    if (!rng.OneIn(8)) {
      location.address = rng.Below(12);
      location.placed_by = PlacedBy::kBerth;
    }
    function.locations.push_back(std::move(location));
  }
  MakeRandomBlocks(max_blocks, max_instructions, rng, function);
  return function;
}

void MakeRandomBlocks(int max_blocks, int max_instructions, Rng& rng,
                      Function& function) {
  function.blocks.clear();
  const auto num_blocks = rng.Between(1, max_blocks);
  for (int64_t b = 0; b < num_blocks; ++b) {
    Block block;
    block.name = absl::StrCat("b", b);
    for (uint64_t s = rng.Below(4); s > 0; --s) {
      block.successors.push_back(
          static_cast<int32_t>(rng.Below(static_cast<uint64_t>(num_blocks))));
    }
    const auto num_instructions = rng.Between(0, max_instructions);
    for (int64_t i = 0; i < num_instructions; ++i) {
      Instruction instruction;
      for (uint64_t a = rng.Below(3); a > 0; --a) {
        instruction.defs.push_back(RandomAccess(function, rng));
      }
      for (uint64_t a = rng.Below(3); a > 0; --a) {
        instruction.uses.push_back(RandomAccess(function, rng));
      }
      block.instructions.push_back(std::move(instruction));
    }
    function.blocks.push_back(std::move(block));
  }
}

}  // namespace berth::testing
