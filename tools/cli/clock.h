// Phase times: the caller's side of the core's seam (allocator/base/phase.h).
#ifndef BERTH_TOOLS_CLI_CLOCK_H_
#define BERTH_TOOLS_CLI_CLOCK_H_

#include <array>
#include <cstdint>

#include "allocator/base/phase.h"

namespace berth {

// CPU seconds of this process.
double CpuSeconds();
// Seconds of a clock that never goes back.
double WallSeconds();
// Peak resident set of this process so far.
uint64_t MaxRssBytes();

// Adds up the CPU seconds of each phase.
class PhaseClock {
 public:
  PhaseClock() : since_(CpuSeconds()) {}

  // Ends the running phase and begins `phase`.
  void Enter(Phase phase);
  // For the core; this clock must outlive the seam.
  PhaseSeam seam() {
    return [this](Phase phase) { Enter(phase); };
  }
  double seconds(Phase phase) const {
    return seconds_[static_cast<int>(phase)];
  }
  // All phases but kOther.
  double total() const;

 private:
  Phase phase_ = Phase::kOther;
  double since_;
  std::array<double, kNumPhases> seconds_ = {};
};

}  // namespace berth

#endif  // BERTH_TOOLS_CLI_CLOCK_H_
