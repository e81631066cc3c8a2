// Dense numbering of the shared space (spec §5, §10): from owners and phases to
// a placement problem, and back.
//
// Thread-safety: const use from several threads is safe.
#ifndef BERTH_ALLOCATOR_PIPELINE_SHARED_NUMBERING_H_
#define BERTH_ALLOCATOR_PIPELINE_SHARED_NUMBERING_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "allocator/base/int_math.h"
#include "allocator/model/options.h"
#include "allocator/model/program.h"
#include "allocator/pipeline/analysis.h"
#include "allocator/pipeline/numbering.h"

namespace berth {

class SharedNumbering {
 public:
  // REQUIRES: `analysis` is that of `program`; both outlive this.
  // Cost: O(instructions of functions with shared tensors).
  SharedNumbering(const Program& program, const ProgramAnalysis& analysis,
                  SizeRounding rounding);

  // The owners of tensors [begin, end) that are placeable, without address and
  // accessed through some copy get ids in order; Numbering::location_of maps
  // ids to tensors. Time is phases. What is pinned lies below the floor of
  // every shared run, and is left out. Regions are the caller's to set.
  // kInvalidArgument: copies' alignments without a common multiple below 2^64.
  // Cost: O(tensors + copies).
  absl::StatusOr<Numbering> Number(int32_t begin, int32_t end) const;

 private:
  void CountCollective(int32_t core, int32_t function,
                       const std::vector<Access>& accesses);
  absl::StatusOr<uint64_t> AlignmentOf(int32_t tensor) const;

  const std::vector<const Module*> modules_;
  const ProgramAnalysis& analysis_;
  const SizeRounding rounding_;
  // What auto-sizing sums, by tensor: every access record counts.
  std::vector<uint128> collective_bytes_;
};

}  // namespace berth

#endif  // BERTH_ALLOCATOR_PIPELINE_SHARED_NUMBERING_H_
