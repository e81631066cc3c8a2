#include "allocator/liveness/flat_time.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "allocator/model/program.h"

namespace berth {

std::vector<int32_t> BlockStarts(const Function& function) {
  std::vector<int32_t> starts;
  starts.reserve(function.blocks.size() + 1);
  int32_t next = 0;
  for (const Block& block : function.blocks) {
    starts.push_back(next);
    next += static_cast<int32_t>(block.instructions.size());
  }
  starts.push_back(next);
  return starts;
}

int32_t BlockOf(const std::vector<int32_t>& starts, int32_t flat) {
  // Of blocks that start at one index all but the last are empty.
  const auto after = std::upper_bound(starts.begin(), starts.end(), flat);
  return static_cast<int32_t>(after - starts.begin()) - 1;
}

}  // namespace berth
