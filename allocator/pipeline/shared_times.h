// When shared tensors are accessed (spec §10): phases are their time, and
// rendezvous order what different cores do with them.
//
// Thread-safety: pure functions.
#ifndef BERTH_ALLOCATOR_PIPELINE_SHARED_TIMES_H_
#define BERTH_ALLOCATOR_PIPELINE_SHARED_TIMES_H_

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "allocator/liveness/liveness.h"
#include "allocator/model/intervals.h"
#include "allocator/model/program.h"
#include "allocator/pipeline/sharing.h"
#include "allocator/rendezvous/core_order.h"

namespace berth {

// One access of a shared tensor, through any copy, in one run of its function.
struct SharedAccess {
  int32_t tensor = 0;
  CodePlace place;
  Interval time;  // on its core's path, see CoreOrder::TimesOf
  bool def = false;
  uint64_t begin = 0;  // bytes of the tensor
  uint64_t end = 0;
};

struct SharedTimes {
  // Per tensor the closed hull of the phases of all accesses to all its copies;
  // a tensor that nothing accesses has none.
  IntervalTable phases;
  // Per tensor: some COLLECTIVE accesses one of its copies.
  std::vector<bool> collective;
  // By tensor, then in an order that agrees with CoreOrder::Before.
  std::vector<SharedAccess> accesses;
  std::vector<int32_t> offsets;  // those of tensor t begin at offsets[t]

  absl::Span<const SharedAccess> of(int32_t tensor) const {
    return absl::MakeConstSpan(accesses).subspan(
        offsets[tensor], offsets[tensor + 1] - offsets[tensor]);
  }
};

// Cost: O(accesses + a log a) for a accesses of shared tensors, those of a
// function counted once for each time it is called.
SharedTimes FindSharedTimes(const Program& program, const Sharing& sharing,
                            const CoreOrder& order);

// kInvalidArgument that names instruction and location: a use of a placeable,
// not pinned SHARED location that no def reaches within its function and that
// no def of any copy precedes, be it in an earlier phase or by a rendezvous.
// `liveness` by core and function.
absl::Status CheckSharedUses(const Program& program, const Sharing& sharing,
                             const CoreOrder& order,
                             const std::vector<std::vector<Liveness>>& liveness,
                             const SharedTimes& times);

// kInvalidArgument that names both instructions: two accesses of different
// cores to meeting bytes of one tensor, one of them a def, that no rendezvous
// orders. Accesses of one rendezvous are one access. In a loop in which cores
// meet, every access of an iteration has to come before those of the next.
// Cost: O(accesses * byte ranges of its tensor that it meets * cores that
// touched them since the last def).
absl::Status CheckSharedOrder(const Program& program, const Sharing& sharing,
                              const CoreOrder& order, const SharedTimes& times);

// Pinned tensors that share bytes in a common phase: kInvalidArgument that
// names both. What is there at entry (INPUT, WEIGHT, CONSTANT) is live from its
// function's first phase on, what is read at exit (OUTPUT, WEIGHT, CONSTANT) to
// its last. Cost: O(instructions of functions with such + pins log pins).
absl::Status CheckSharedPins(const Program& program, const Sharing& sharing,
                             const CoreOrder& order,
                             const std::vector<std::vector<Liveness>>& liveness,
                             const SharedTimes& times);

}  // namespace berth

#endif  // BERTH_ALLOCATOR_PIPELINE_SHARED_TIMES_H_
