#include "allocator/model/program.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "absl/strings/string_view.h"
#include "allocator/base/check.h"
#include "allocator/base/fnv.h"
#include "allocator/base/int_math.h"

namespace berth {

uint64_t PageBytes(MemoryType type) {
  return type == MemoryType::kDram ? kDramPageBytes : 1;
}

uint64_t Location::aligned_size() const {
  const auto rounded = CheckedRoundUp(byte_size(), PageBytes(type));
  BERTH_CHECK(rounded.has_value());
  return *rounded;
}

int32_t Function::num_instructions() const {
  int64_t count = 0;
  for (const Block& block : blocks) {
    count += static_cast<int64_t>(block.instructions.size());
  }
  BERTH_CHECK(count < kMaxCount);
  return static_cast<int32_t>(count);
}

namespace {

template <typename AnyModule, typename AnyProgram>
std::vector<AnyModule*> ByCore(AnyProgram& program) {
  std::vector<AnyModule*> modules;
  modules.reserve(program.modules.size());
  for (AnyModule& module : program.modules) modules.push_back(&module);
  std::sort(
      modules.begin(), modules.end(),
      [](const AnyModule* a, const AnyModule* b) { return a->core < b->core; });
  return modules;
}

}  // namespace

std::vector<const Module*> ModulesByCore(const Program& program) {
  return ByCore<const Module>(program);
}

std::vector<Module*> ModulesByCore(Program& program) {
  return ByCore<Module>(program);
}

uint64_t PlacementHash(const Program& program) {
  Fnv1a64 hash;
  for (const Module* module : ModulesByCore(program)) {
    for (const Function& function : module->functions) {
      for (const Location& location : function.locations) {
        if (location.type != MemoryType::kDram || !location.address) continue;
        hash.AddLittleEndian32(static_cast<uint32_t>(module->core));
        hash.AddBytes(function.name);
        hash.AddByte(0);
        hash.AddBytes(location.name);
        hash.AddByte(0);
        hash.AddLittleEndian64(*location.address);
      }
    }
  }
  return hash.hash();
}

}  // namespace berth
