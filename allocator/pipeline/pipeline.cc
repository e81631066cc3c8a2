#include "allocator/pipeline/pipeline.h"

#include <vector>

#include "absl/status/status.h"
#include "allocator/base/phase.h"
#include "allocator/base/status_macros.h"
#include "allocator/model/options.h"
#include "allocator/pipeline/address_rotation.h"
#include "allocator/pipeline/addressed_check.h"
#include "allocator/pipeline/dependence_passes.h"
#include "allocator/pipeline/dma_cleanup.h"
#include "allocator/pipeline/local_allocation.h"
#include "allocator/pipeline/shared_allocation.h"
#include "allocator/pipeline/shared_sync.h"
#include "allocator/pipeline/state.h"

namespace berth {

std::vector<Pass> BuildPipeline(const PlanOptions& options) {
  std::vector<Pass> passes;
  const auto add = [&passes](bool wanted, const Pass& pass) {
    if (wanted) passes.push_back(pass);
  };
  const bool local = !options.disable_dram_allocation;
  add(local, {"coloring_allocator_dram", AllocateLocal});
  add(options.dram_rotation, {"address_rotation_dram", RotateAddresses});
  add(local, {"dynamic_dma_cleanup", CleanUpDmaCopies});
  add(local, {"build_fdeps", BuildAllFdeps});
  add(local, {"anti_dependency_analyzer_post_dram", AnalyzeLocalPlacement});
  add(true, {"coloring_allocator_dram_shared", AllocateShared});
  add(true, {"sync_shared_allocations", SyncSharedAllocations});
  add(true,
      {"anti_dependency_analyzer_post_shared_dram", AnalyzeSharedPlacement});
  add(!options.allow_unaddressed, {"check_dram_addressed", CheckDramAddressed});
  return passes;
}

absl::Status RunPipeline(const std::vector<Pass>& passes,
                         PipelineState& state) {
  for (const Pass& pass : passes) {
    BERTH_RETURN_IF_ERROR(pass.run(state));
    Enter(state.seam, Phase::kOther);
  }
  return absl::OkStatus();
}

}  // namespace berth
