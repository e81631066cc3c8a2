// The searches of one SectionModel, in the narrowest numbers that hold its
// addresses.
//
// Thread-safety: none. Deterministic.
#ifndef BERTH_ALLOCATOR_PLACEMENT_TIGHT_ENGINE_H_
#define BERTH_ALLOCATOR_PLACEMENT_TIGHT_ENGINE_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "allocator/placement/tight/beam_search.h"
#include "allocator/placement/tight/outcome.h"
#include "allocator/placement/tight/section_model.h"
#include "allocator/placement/tight/section_search.h"

namespace berth::tight {

class Engine {
 public:
  virtual ~Engine() = default;

  // Depth-first search, as SectionSearch has it.
  virtual Outcome Run(int64_t capacity, int64_t max_steps,
                      const Guide& guide) = 0;
  virtual int64_t steps() const = 0;
  virtual int64_t best_area() const = 0;
  virtual std::vector<int64_t> addresses() const = 0;

  // Of a state of a beam, of which there are twice its width.
  virtual size_t SnapshotBytes() const = 0;
  // Beam search, as BeamSearch has it. What it needs is made by the first
  // StartBeam().
  virtual void StartBeam(int64_t capacity, int32_t width,
                         const BeamGuide& guide) = 0;
  virtual void AdvanceBeam(int64_t max_steps) = 0;
  virtual bool beam_running() const = 0;
  virtual Outcome beam_outcome() const = 0;
  virtual int64_t beam_steps() const = 0;
  virtual std::vector<int64_t> beam_addresses() const = 0;
};

// For capacities up to `highest`; `highest` + the largest size must not pass
// 2^62. `model` must outlive what is made.
std::unique_ptr<Engine> MakeEngine(const SectionModel& model, int64_t highest);

}  // namespace berth::tight

#endif  // BERTH_ALLOCATOR_PLACEMENT_TIGHT_ENGINE_H_
