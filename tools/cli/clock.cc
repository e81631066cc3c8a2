#include "tools/cli/clock.h"

#include <sys/resource.h>
#include <time.h>

#include <cstdint>

#include "allocator/base/phase.h"

namespace berth {
namespace {

double Seconds(clockid_t id) {
  timespec now = {};
  clock_gettime(id, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * now.tv_nsec;
}

}  // namespace

double CpuSeconds() { return Seconds(CLOCK_PROCESS_CPUTIME_ID); }
double WallSeconds() { return Seconds(CLOCK_MONOTONIC); }

uint64_t MaxRssBytes() {
  rusage usage = {};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<uint64_t>(usage.ru_maxrss) * 1024;
}

void PhaseClock::Enter(Phase phase) {
  const double now = CpuSeconds();
  seconds_[static_cast<int>(phase_)] += now - since_;
  phase_ = phase;
  since_ = now;
}

double PhaseClock::total() const {
  double sum = 0;
  for (int i = 0; i < kNumPhases; ++i) {
    if (static_cast<Phase>(i) != Phase::kOther) sum += seconds_[i];
  }
  return sum;
}

}  // namespace berth
