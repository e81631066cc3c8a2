#include "allocator/liveness/liveness.h"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "allocator/base/int_math.h"
#include "allocator/liveness/access_events.h"
#include "allocator/liveness/flat_time.h"
#include "allocator/liveness/limits.h"
#include "allocator/liveness/occupied_runs.h"
#include "allocator/liveness/segments.h"
#include "allocator/model/intervals.h"
#include "allocator/model/program.h"

namespace berth {
namespace {

// Spec §3: what happens to a location outside of the function.
Boundary BoundaryOf(Usage usage) {
  switch (usage) {
    case Usage::kInput:
      return {.defined_at_entry = true};
    case Usage::kOutput:
      return {.used_at_exit = true};
    case Usage::kWeight:
    case Usage::kConstant:
      return {.defined_at_entry = true, .used_at_exit = true};
    case Usage::kIntermediate:
    case Usage::kSpill:
      return {};
  }
  return {};
}

// Spec §3: a WEIGHT or CONSTANT with an address occupies the whole function
// though nothing accesses it; any other location then occupies nothing.
bool OccupiesAllUnaccessed(const Location& location) {
  return location.address.has_value() && (location.usage == Usage::kWeight ||
                                          location.usage == Usage::kConstant);
}

bool ByCall(absl::Span<const AccessEvent> events) {
  for (const AccessEvent& event : events) {
    if (event.by_call()) return true;
  }
  return false;
}

std::vector<uint8_t> DramLocations(const Function& function) {
  std::vector<uint8_t> dram;
  dram.reserve(function.locations.size());
  for (const Location& location : function.locations) {
    dram.push_back(location.type == MemoryType::kDram);
  }
  return dram;
}

// Spec §3: the closed hull of `runs`, as a CALL's location occupies it.
std::vector<Interval> Hull(const std::vector<Interval>& runs) {
  if (runs.empty()) return {};
  return {{runs.front().lo, runs.back().hi}};
}

class LivenessBuilder {
 public:
  explicit LivenessBuilder(const Function& function)
      : function_(function),
        block_starts_(BlockStarts(function)),
        segments_(function),
        events_(function, DramLocations(function)),
        occupied_runs_(segments_) {}

  absl::StatusOr<Liveness> Build(int64_t run_limit) {
    const int32_t num_locations =
        static_cast<int32_t>(function_.locations.size());
    result_.referenced = events_.referenced();
    result_.block_local.assign(num_locations, false);
    result_.occupied.offsets.reserve(num_locations + 1);
    for (int32_t location = 0; location < num_locations; ++location) {
      AppendRuns(location);
      if (static_cast<int64_t>(result_.occupied.values.size()) >= run_limit) {
        return absl::ResourceExhaustedError(absl::StrCat(
            "function '", function_.name, "': location '",
            function_.locations[location].name, "' is live in too many ",
            "separate places: ", run_limit, " or more runs in all"));
      }
    }
    return std::move(result_);
  }

 private:
  // Fills all of result_ that concerns `location`.
  void AppendRuns(int32_t location) {
    const absl::Span<const AccessEvent> events = events_.of(location);
    const Location& tensor = function_.locations[location];
    if (events.empty()) {
      const int32_t num_instructions = block_starts_.back();
      if (tensor.type == MemoryType::kDram && OccupiesAllUnaccessed(tensor) &&
          num_instructions > 0) {
        result_.occupied.Append({{0, num_instructions - 1}});
      } else {
        result_.occupied.Append({});
      }
      return;
    }
    occupied_runs_.Compute(events, BoundaryOf(tensor.usage));
    const bool by_call = ByCall(events);
    result_.occupied.Append(by_call ? Hull(occupied_runs_.runs())
                                    : occupied_runs_.runs());
    result_.block_local[location] =
        !by_call && !occupied_runs_.crosses_segments() && InOneBlock(events);
    for (const int32_t flat : occupied_runs_.undefined_uses()) {
      result_.undefined_uses.push_back({location, flat});
    }
  }

  bool InOneBlock(absl::Span<const AccessEvent> events) const {
    const int32_t block = BlockOf(block_starts_, events.front().flat);
    return events.back().flat < block_starts_[block + 1];
  }

  const Function& function_;
  const std::vector<int32_t> block_starts_;
  const Segments segments_;
  const AccessEvents events_;
  OccupiedRuns occupied_runs_;
  Liveness result_;
};

}  // namespace

absl::StatusOr<Liveness> ComputeLiveness(const Function& function) {
  return ComputeLivenessUpTo(function, kMaxCount);
}

absl::StatusOr<Liveness> ComputeLivenessUpTo(const Function& function,
                                             int64_t run_limit) {
  return LivenessBuilder(function).Build(run_limit);
}

}  // namespace berth
