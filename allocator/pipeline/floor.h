// The floor of a run (spec §9): where the bytes that are already taken end.
// (The source: find_start_addr, its hwm + 1.)
#ifndef BERTH_ALLOCATOR_PIPELINE_FLOOR_H_
#define BERTH_ALLOCATOR_PIPELINE_FLOOR_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "allocator/model/options.h"
#include "allocator/model/program.h"

namespace berth {

// A high-water mark and the location that sets it.
struct HighWater {
  uint64_t end = 0;  // largest addr + aligned_size; 0 if nothing counts
  std::string reason;

  // Counts a DRAM location that has an address and bytes; others are ignored.
  void Count(const Location& location, absl::string_view function,
             int32_t core);
  void Count(const HighWater& other) {
    if (other.end > end) *this = other;
  }
};

// Every addressed SHARED DRAM location of the program.
HighWater SharedHighWater(const Program& program);

// Every pinned LOCAL DRAM location of one function.
HighWater PinnedHighWater(const Function& function, int32_t core);

// Every addressed DRAM location of every core: the floor of SHARED (spec §9).
HighWater ProgramHighWater(const Program& program);

// What is counted below the LOCAL run of each function of a module, while they
// are placed one after another.
class ModuleFloor {
 public:
  // `shared`: SharedHighWater of the program; must outlive this.
  ModuleFloor(const Module& module, const HighWater& shared, LinkMode mode);

  HighWater Of(int32_t function) const;
  // `function` has been placed; later functions start above it.
  void Done(const Function& function);

 private:
  const int32_t core_;
  const LinkMode mode_;
  const HighWater& shared_;
  std::vector<HighWater> pinned_;  // per function
  int32_t first_ = -1;             // the two highest of them
  int32_t second_ = -1;
  HighWater earlier_;
};

}  // namespace berth

#endif  // BERTH_ALLOCATOR_PIPELINE_FLOOR_H_
