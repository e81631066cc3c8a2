#include "tools/show/from_model.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "allocator/base/int_math.h"
#include "allocator/base/status_macros.h"
#include "allocator/liveness/liveness.h"
#include "tools/show/units.h"

namespace berth::show {
namespace {

uint64_t Saturate(uint128 value) {
  constexpr uint64_t kMax = std::numeric_limits<uint64_t>::max();
  return value > kMax ? kMax : static_cast<uint64_t>(value);
}

MapMark Mark(MarkKind kind, absl::string_view what, uint64_t address) {
  return {.kind = kind,
          .address = address,
          .label = absl::StrCat(what, " ", FormatBytes(address))};
}

// Weights over closed times, and their greatest sum.
class LoadSweep {
 public:
  void Add(int64_t lo, int64_t hi, uint64_t weight) {
    steps_.push_back({lo, false, weight});
    steps_.push_back({hi, true, weight});
  }
  uint64_t Max() {
    // Starts before ends at one time: ends are inclusive.
    std::sort(steps_.begin(), steps_.end(), [](const Step& a, const Step& b) {
      return std::tie(a.time, a.end) < std::tie(b.time, b.end);
    });
    uint128 load = 0;
    uint128 max = 0;
    for (const Step& step : steps_) {
      load = step.end ? load - step.weight : load + step.weight;
      max = std::max(max, load);
    }
    return Saturate(max);
  }

 private:
  struct Step {
    int64_t time;
    bool end;
    uint64_t weight;
  };
  std::vector<Step> steps_;
};

// "peak 12 MiB (1.034 x bound)".
MapMark PeakMark(absl::string_view what, uint64_t peak, uint64_t floor,
                 uint64_t lower_bound) {
  MapMark mark = Mark(MarkKind::kPeak, what, peak);
  if (lower_bound > 0 && peak >= floor) {
    const uint128 thousandths =
        (uint128{peak - floor} * 1000 + lower_bound / 2) / lower_bound;
    if (thousandths < 1'000'000) {
      const auto value = static_cast<uint64_t>(thousandths);
      const std::string digits = absl::StrCat(1000 + value % 1000);
      absl::StrAppend(&mark.label, " (", value / 1000, ".", digits.substr(1),
                      " x bound)");
    }
  }
  return mark;
}

void AddDerivedMarks(uint64_t lower_bound, MapPanel& panel) {
  uint64_t peak = 0;
  for (const MapRange& range : panel.ranges) {
    peak = std::max(peak, Saturate(uint128{range.address} + range.size_bytes));
  }
  panel.marks.push_back(
      Mark(MarkKind::kLowerBound, "lower bound", lower_bound));
  panel.marks.push_back(PeakMark("peak", peak, 0, lower_bound));
}

void AddRunMarks(const RunRecord& run, MapPanel& panel) {
  const std::string prefix = run.space == Space::kLocal ? ""
                             : run.slab < 0
                                 ? "shared "
                                 : absl::StrCat("slab ", run.slab, " ");
  panel.marks.push_back(Mark(MarkKind::kFloor, prefix + "floor", run.floor));
  // The line stands where the bound keeps the peak from being.
  panel.marks.push_back(Mark(MarkKind::kLowerBound, prefix + "lower bound",
                             Saturate(uint128{run.floor} + run.lower_bound)));
  panel.marks.push_back(
      PeakMark(prefix + "peak", run.peak, run.floor, run.lower_bound));
  panel.marks.push_back(
      Mark(MarkKind::kCeiling, prefix + "ceiling", run.ceiling));
  if (run.cc_end > run.floor && !panel.cc_region.has_value()) {
    panel.cc_region = MapRegion{run.floor, run.cc_end};
    panel.marks.push_back(
        Mark(MarkKind::kOther, prefix + "CC region end", run.cc_end));
  }
}

std::vector<bool> AccessedByCollective(const Function& function) {
  std::vector<bool> cc(function.locations.size());
  for (const Block& block : function.blocks) {
    for (const Instruction& instruction : block.instructions) {
      if (instruction.kind != InstructionKind::kCollective) continue;
      for (const Access& def : instruction.defs) cc[def.location] = true;
      for (const Access& use : instruction.uses) cc[use.location] = true;
    }
  }
  return cc;
}

absl::StatusOr<MapPanel> FunctionPanel(int32_t core, const Function& function) {
  BERTH_ASSIGN_OR_RETURN(const Liveness liveness, ComputeLiveness(function));
  const std::vector<bool> cc = AccessedByCollective(function);
  MapPanel panel;
  panel.title = absl::StrCat("core ", core, ", ", function.name);
  panel.time_label = "flat time (instructions)";
  LoadSweep load;
  for (size_t l = 0; l < function.locations.size(); ++l) {
    const Location& location = function.locations[l];
    for (const Interval& run : liveness.occupied.of(static_cast<int32_t>(l))) {
      if (!location.address.has_value()) {
        // What the runtime places is not missing from the picture.
        panel.num_unplaced += location.placeable();
        continue;
      }
      if (location.placeable() && !location.pinned()) {
        load.Add(run.lo, run.hi, location.aligned_size());
      }
      panel.ranges.push_back({.lo = run.lo,
                              .hi = run.hi,
                              .address = *location.address,
                              .size_bytes = location.byte_size(),
                              .label = location.name,
                              .usage = location.usage,
                              .cc = cc[l],
                              .pinned = location.pinned()});
    }
  }
  for (const RunRecord& run : function.runs) AddRunMarks(run, panel);
  if (function.runs.empty() && !panel.ranges.empty()) {
    AddDerivedMarks(load.Max(), panel);
  }
  return panel;
}

// The live pieces of a buffer, closed.
std::vector<std::pair<int64_t, int64_t>> LivePieces(const Buffer& buffer) {
  std::vector<std::pair<int64_t, int64_t>> pieces;
  int64_t begin = buffer.lower;
  for (const Gap& gap : buffer.gaps) {
    pieces.push_back({begin, gap.lower - 1});
    begin = gap.upper;
  }
  pieces.push_back({begin, buffer.upper - 1});
  return pieces;
}

}  // namespace

absl::StatusOr<MemoryMap> FromProgram(const Program& program,
                                      std::string title) {
  MemoryMap map;
  map.title = std::move(title);
  map.note = program.comment;
  std::vector<const Module*> modules;
  for (const Module& module : program.modules) modules.push_back(&module);
  std::sort(modules.begin(), modules.end(),
            [](const Module* a, const Module* b) { return a->core < b->core; });
  for (const Module* module : modules) {
    for (const Function& function : module->functions) {
      BERTH_ASSIGN_OR_RETURN(MapPanel panel,
                             FunctionPanel(module->core, function));
      if (panel.ranges.empty() && panel.num_unplaced == 0) continue;
      map.panels.push_back(std::move(panel));
    }
  }
  return map;
}

MemoryMap FromInstance(const Instance& instance, std::string title) {
  MapPanel panel;
  panel.title = absl::StrCat(FormatCount(instance.buffers.size()), " buffer",
                             instance.buffers.size() == 1 ? "" : "s");
  panel.time_label = "time";
  LoadSweep load;
  for (const Buffer& buffer : instance.buffers) {
    for (const auto& [lo, hi] : LivePieces(buffer)) {
      if (!buffer.offset.has_value()) {
        ++panel.num_unplaced;
        continue;
      }
      load.Add(lo, hi, buffer.size);
      panel.ranges.push_back({.lo = lo,
                              .hi = hi,
                              .address = *buffer.offset,
                              .size_bytes = buffer.size,
                              .label = buffer.id});
    }
  }
  if (!panel.ranges.empty()) AddDerivedMarks(load.Max(), panel);
  MemoryMap map;
  map.title = std::move(title);
  if (!instance.buffers.empty()) map.panels.push_back(std::move(panel));
  return map;
}

}  // namespace berth::show
