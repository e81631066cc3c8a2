#include "allocator/pipeline/addressed_check.h"

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "allocator/model/program.h"
#include "allocator/pipeline/state.h"

namespace berth {
namespace {

constexpr int64_t kMostListed = 10;

}  // namespace

absl::Status CheckDramAddressed(PipelineState& state) {
  int64_t missing = 0;
  std::string list;
  for (const Module* module : state.ModulesByCore()) {
    for (size_t f = 0; f < module->functions.size(); ++f) {
      const Function& function = module->functions[f];
      const auto& referenced =
          state.analysis.liveness[module->core][f].referenced;
      for (size_t l = 0; l < function.locations.size(); ++l) {
        const Location& location = function.locations[l];
        if (location.type != MemoryType::kDram || !location.placeable() ||
            location.address.has_value() || !referenced[l]) {
          continue;
        }
        if (missing++ >= kMostListed) continue;
        absl::StrAppend(&list, missing == 1 ? "" : ", ", "'", location.name,
                        "' of core ", module->core, " ", function.name);
      }
    }
  }
  if (missing == 0) return absl::OkStatus();
  if (missing > kMostListed) {
    absl::StrAppend(&list, " and ", missing - kMostListed, " more");
  }
  return absl::ResourceExhaustedError(
      absl::StrCat(missing, " accessed locations have no address: ", list));
}

}  // namespace berth
