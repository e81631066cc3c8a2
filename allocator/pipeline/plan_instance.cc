#include "allocator/pipeline/plan_instance.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "allocator/base/fnv.h"
#include "allocator/base/int_math.h"
#include "allocator/base/phase.h"
#include "allocator/base/status_macros.h"
#include "allocator/model/instance.h"
#include "allocator/model/intervals.h"
#include "allocator/model/options.h"
#include "allocator/pipeline/pins.h"
#include "allocator/pipeline/place_run.h"
#include "allocator/pipeline/state.h"
#include "allocator/placement/planners.h"
#include "allocator/placement/problem.h"

namespace berth {
namespace {

// The half-open stretches in which `buffer` is live: its lifetime less gaps.
template <typename Visit>
void ForEachStretch(const Buffer& buffer, Visit visit) {
  int64_t lower = buffer.lower;
  for (const Gap& gap : buffer.gaps) {
    if (lower < gap.lower) visit(lower, gap.lower);
    lower = gap.upper;
  }
  if (lower < buffer.upper) visit(lower, buffer.upper);
}

// Every end point of a stretch, sorted, once. Rank r stands for the times from
// ends[r] up to the next end point.
std::vector<int64_t> EndPoints(const Instance& instance) {
  std::vector<int64_t> ends;
  ends.reserve(2 * instance.buffers.size());
  for (const Buffer& buffer : instance.buffers) {
    ForEachStretch(buffer, [&](int64_t lower, int64_t upper) {
      ends.push_back(lower);
      ends.push_back(upper);
    });
  }
  std::sort(ends.begin(), ends.end());
  ends.erase(std::unique(ends.begin(), ends.end()), ends.end());
  return ends;
}

int32_t Rank(const std::vector<int64_t>& ends, int64_t time) {
  return static_cast<int32_t>(std::lower_bound(ends.begin(), ends.end(), time) -
                              ends.begin());
}

// Closed intervals of ranks and the original length.
uint64_t Compress(const Buffer& buffer, const std::vector<int64_t>& ends,
                  std::vector<Interval>& runs) {
  uint64_t length = 0;
  runs.clear();
  ForEachStretch(buffer, [&](int64_t lower, int64_t upper) {
    runs.push_back({Rank(ends, lower), Rank(ends, upper) - 1});
    length += static_cast<uint64_t>(upper) - static_cast<uint64_t>(lower);
  });
  return length;
}

}  // namespace

absl::StatusOr<InstanceProblem> NumberInstance(const Instance& instance,
                                               const PlanOptions& options) {
  InstanceProblem out;
  Problem& problem = out.problem;
  const std::vector<int64_t> ends = EndPoints(instance);
  if (static_cast<int64_t>(ends.size()) >= kMaxCount) {
    return absl::InvalidArgumentError(
        absl::StrCat(ends.size(), " end points of lifetimes; at most ",
                     kMaxCount - 1, " are supported"));
  }
  const bool dram = options.csv_memory == CsvMemory::kDram;
  problem.page_bytes = dram ? kDramPageBytes : 1;
  problem.num_times = static_cast<int32_t>(ends.size());
  problem.ceiling = options.capacity_bytes;
  const uint64_t granule =
      options.size_rounding == SizeRounding::kPage ? problem.page_bytes : 1;
  std::vector<NamedPin> pins;
  std::vector<Interval> runs;
  for (size_t i = 0; i < instance.buffers.size(); ++i) {
    const Buffer& buffer = instance.buffers[i];
    const uint64_t length = Compress(buffer, ends, runs);
    if (buffer.offset.has_value()) {
      const auto end = CheckedAdd(*buffer.offset, buffer.size);
      if (!end.has_value() || *end > options.capacity_bytes) {
        return absl::InvalidArgumentError(absl::StrCat(
            "pre-placed '", buffer.id, "' at ", *buffer.offset, " of ",
            buffer.size, " bytes ends past the capacity of ",
            options.capacity_bytes, " bytes"));
      }
      problem.pins.push_back({*buffer.offset, *end});
      problem.pin_live.Append(runs);
      pins.push_back({buffer.id, *buffer.offset, *end});
      out.pinned.push_back(static_cast<int32_t>(i));
      continue;
    }
    const auto size = CheckedRoundUp(buffer.size, granule);
    if (!size.has_value()) {
      return absl::InvalidArgumentError(
          absl::StrCat("'", buffer.id, "': size ", buffer.size,
                       " rounded up to a page overflows"));
    }
    problem.size_bytes.push_back(*size);
    problem.alignment.push_back(buffer.alignment);
    problem.occupied_length.push_back(length);
    problem.cc.push_back(false);
    problem.live.Append(runs);
    problem.names.push_back(buffer.id);
    out.buffer_of.push_back(static_cast<int32_t>(i));
  }
  BERTH_RETURN_IF_ERROR(CheckPinsApart(pins, problem.pin_live, "CSV"));
  return out;
}

absl::Status PlanInstance(const PlanOptions& options,
                          const std::function<bool()>& stop,
                          const PhaseSeam& seam, Instance& instance,
                          RunReport& report) {
  Enter(seam, Phase::kBuild);
  BERTH_ASSIGN_OR_RETURN(const InstanceProblem numbered,
                         NumberInstance(instance, options));
  const Problem& problem = numbered.problem;
  RunRecord& record = report.record;
  record.size_rounding = options.size_rounding;
  record.link_mode = LinkMode::kPost;
  record.intervals = problem.live.values.size();
  for (int32_t id = 0; id < problem.num_nodes(); ++id) {
    const Buffer& buffer = instance.buffers[numbered.buffer_of[id]];
    const auto add = [](uint64_t& total, uint64_t bytes) {
      total = CheckedAdd(total, bytes).value_or(~uint64_t{0});
    };
    add(record.spill_bytes, buffer.size);
    add(record.aligned_spill_bytes,
        CheckedRoundUp(buffer.size, problem.page_bytes).value_or(~uint64_t{0}));
  }
  for (const Pin& pin : problem.pins) {
    record.dram_bytes = CheckedAdd(record.dram_bytes, pin.end - pin.address)
                            .value_or(~uint64_t{0});
  }
  PlannerOptions planner;
  planner.planner = options.planner;
  planner.budget_steps = options.budget_steps;
  planner.stop = stop;
  planner.seam = seam;
  BERTH_ASSIGN_OR_RETURN(const Placement placement,
                         PlaceRun(problem, planner, record));
  Enter(seam, Phase::kOther);
  report.visits = placement.visits;
  report.proved_optimal = placement.proved_optimal;
  for (int32_t id = 0; id < problem.num_nodes(); ++id) {
    instance.buffers[numbered.buffer_of[id]].offset = placement.address[id];
  }
  return absl::OkStatus();
}

uint64_t PlacementHash(const Instance& instance) {
  Fnv1a64 hash;
  for (const Buffer& buffer : instance.buffers) {
    if (!buffer.offset.has_value()) continue;
    hash.AddLittleEndian32(0);
    hash.AddByte(0);
    hash.AddBytes(buffer.id);
    hash.AddByte(0);
    hash.AddLittleEndian64(*buffer.offset);
  }
  return hash.hash();
}

}  // namespace berth
