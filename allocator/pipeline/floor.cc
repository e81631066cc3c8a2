#include "allocator/pipeline/floor.h"

#include <cstdint>
#include <limits>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "allocator/base/int_math.h"
#include "allocator/model/names.h"
#include "allocator/model/options.h"
#include "allocator/model/program.h"

namespace berth {

void HighWater::Count(const Location& location, absl::string_view function,
                      int32_t core) {
  if (location.type != MemoryType::kDram || !location.address.has_value() ||
      location.byte_size() == 0) {
    return;
  }
  // A pin so high that its page would pass 2^64 leaves no room above it.
  const uint64_t location_end =
      CheckedAdd(*location.address, location.aligned_size())
          .value_or(std::numeric_limits<uint64_t>::max());
  if (location_end <= end) return;
  end = location_end;
  reason = absl::StrCat(location.pinned() ? "pre-placed '" : "'", location.name,
                        "' of core ", core, " ", function, " ends at ",
                        location_end);
}

namespace {

template <typename Wanted>
HighWater OfProgram(const Program& program, Wanted wanted) {
  HighWater high_water;
  for (const Module& module : program.modules) {
    for (const Function& function : module.functions) {
      for (const Location& location : function.locations) {
        if (wanted(location)) {
          high_water.Count(location, function.name, module.core);
        }
      }
    }
  }
  return high_water;
}

}  // namespace

HighWater SharedHighWater(const Program& program) {
  return OfProgram(program, [](const Location& location) {
    return location.space == Space::kShared;
  });
}

HighWater PinnedHighWater(const Function& function, int32_t core) {
  HighWater high_water;
  for (const Location& location : function.locations) {
    if (location.space == Space::kLocal && location.pinned()) {
      high_water.Count(location, function.name, core);
    }
  }
  return high_water;
}

HighWater ProgramHighWater(const Program& program) {
  return OfProgram(program, [](const Location&) { return true; });
}

ModuleFloor::ModuleFloor(const Module& module, const HighWater& shared,
                         LinkMode mode)
    : core_(module.core), mode_(mode), shared_(shared) {
  for (const Function& function : module.functions) {
    pinned_.push_back(PinnedHighWater(function, module.core));
    // A function asks for the highest of the others: keep two.
    if (first_ < 0 || pinned_.back().end > pinned_[first_].end) {
      second_ = first_;
      first_ = static_cast<int32_t>(pinned_.size()) - 1;
    } else if (second_ < 0 || pinned_.back().end > pinned_[second_].end) {
      second_ = static_cast<int32_t>(pinned_.size()) - 1;
    }
  }
}

HighWater ModuleFloor::Of(int32_t function) const {
  HighWater floor = shared_;
  floor.Count(earlier_);
  const int32_t pinned =
      mode_ == LinkMode::kPost && function == first_ ? second_ : first_;
  if (pinned >= 0) floor.Count(pinned_[pinned]);
  return floor;
}

void ModuleFloor::Done(const Function& function) {
  for (const Location& location : function.locations) {
    if (location.candidate(Space::kLocal) && !location.pinned()) {
      earlier_.Count(location, function.name, core_);
    }
  }
}

}  // namespace berth
