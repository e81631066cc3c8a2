// The seam through which a caller takes phase times. The core reads no clock:
// it says which phase begins, and the caller notes when.
#ifndef BERTH_ALLOCATOR_BASE_PHASE_H_
#define BERTH_ALLOCATOR_BASE_PHASE_H_

#include <cstdint>
#include <functional>

namespace berth {

// In the order of the `seconds` keys of --json; kOther is counted nowhere.
enum class Phase : uint8_t {
  kRead,
  kLiveness,
  kBuild,
  kOrder,
  kPlace,
  kValidate,
  kOther,
};
inline constexpr int kNumPhases = 7;

// Called when a phase begins; the one before it ends there. May be empty.
using PhaseSeam = std::function<void(Phase)>;

inline void Enter(const PhaseSeam& seam, Phase phase) {
  if (seam) seam(phase);
}

}  // namespace berth

#endif  // BERTH_ALLOCATOR_BASE_PHASE_H_
