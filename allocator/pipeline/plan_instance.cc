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

// The half-open stretches in which `buffer` is live, its lifetime less gaps and
// gaps that keep a window, each with the bytes taken then: `size` or a window.
template <typename Visit>
void ForEachStretch(const Buffer& buffer, uint64_t size, Visit visit) {
  const ByteWindow whole = {0, size};
  int64_t lower = buffer.lower;
  for (const Gap& gap : buffer.gaps) {
    if (lower < gap.lower) visit(lower, gap.lower, whole);
    if (gap.window.has_value()) visit(gap.lower, gap.upper, *gap.window);
    lower = gap.upper;
  }
  if (lower < buffer.upper) visit(lower, buffer.upper, whole);
}

bool HasWindows(const Instance& instance) {
  for (const Buffer& buffer : instance.buffers) {
    for (const Gap& gap : buffer.gaps) {
      if (gap.window.has_value()) return true;
    }
  }
  return false;
}

int32_t Rank(const std::vector<int64_t>& ends, int64_t time) {
  return static_cast<int32_t>(std::lower_bound(ends.begin(), ends.end(), time) -
                              ends.begin());
}

// Closed intervals of ranks, the bytes taken in each, and the original length.
struct Stretches {
  std::vector<Interval> runs;
  std::vector<ByteWindow> windows;
  uint64_t length = 0;
};

void Compress(const Buffer& buffer, uint64_t size,
              const std::vector<int64_t>& ends, Stretches& out) {
  out.runs.clear();
  out.windows.clear();
  out.length = 0;
  ForEachStretch(
      buffer, size,
      [&](int64_t lower, int64_t upper, const ByteWindow& window) {
        out.runs.push_back({Rank(ends, lower), Rank(ends, upper) - 1});
        out.windows.push_back(window);
        out.length +=
            static_cast<uint64_t>(upper) - static_cast<uint64_t>(lower);
      });
}

// A pin of its own for the runs of each window.
void AddPins(const Buffer& buffer, int32_t index, const Stretches& stretches,
             InstanceProblem& out, std::vector<NamedPin>& pins) {
  std::vector<bool> taken(stretches.runs.size(), false);
  for (size_t i = 0; i < taken.size(); ++i) {
    if (taken[i]) continue;
    std::vector<Interval> runs;
    for (size_t j = i; j < taken.size(); ++j) {
      if (stretches.windows[j] != stretches.windows[i]) continue;
      taken[j] = true;
      runs.push_back(stretches.runs[j]);
    }
    const uint64_t begin = *buffer.offset + stretches.windows[i].lower;
    const uint64_t end = *buffer.offset + stretches.windows[i].upper;
    out.problem.pins.push_back({begin, end});
    out.problem.pin_live.Append(runs);
    pins.push_back({buffer.id, begin, end});
    out.pinned.push_back(index);
  }
}

}  // namespace

std::vector<int64_t> EndPoints(const Instance& instance) {
  std::vector<int64_t> ends;
  ends.reserve(2 * instance.buffers.size());
  for (const Buffer& buffer : instance.buffers) {
    ForEachStretch(buffer, buffer.size,
                   [&](int64_t lower, int64_t upper, const ByteWindow&) {
                     ends.push_back(lower);
                     ends.push_back(upper);
                   });
  }
  std::sort(ends.begin(), ends.end());
  ends.erase(std::unique(ends.begin(), ends.end()), ends.end());
  return ends;
}

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
  const bool windows = HasWindows(instance);
  Stretches stretches;
  for (size_t i = 0; i < instance.buffers.size(); ++i) {
    const Buffer& buffer = instance.buffers[i];
    if (buffer.offset.has_value()) {
      const auto end = CheckedAdd(*buffer.offset, buffer.size);
      if (!end.has_value() || *end > options.capacity_bytes) {
        return absl::InvalidArgumentError(absl::StrCat(
            "pre-placed '", buffer.id, "' at ", *buffer.offset, " of ",
            buffer.size, " bytes ends past the capacity of ",
            options.capacity_bytes, " bytes"));
      }
      Compress(buffer, buffer.size, ends, stretches);
      AddPins(buffer, static_cast<int32_t>(i), stretches, out, pins);
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
    Compress(buffer, *size, ends, stretches);
    problem.occupied_length.push_back(stretches.length);
    problem.cc.push_back(false);
    problem.live.Append(stretches.runs);
    if (windows) {
      problem.windows.insert(problem.windows.end(), stretches.windows.begin(),
                             stretches.windows.end());
    }
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
  ReportPlacement(problem, placement, report);
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
