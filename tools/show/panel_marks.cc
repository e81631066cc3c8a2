#include "tools/show/panel_marks.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <tuple>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "allocator/base/int_math.h"
#include "allocator/model/program.h"
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

}  // namespace

void LoadSweep::Add(int64_t lo, int64_t hi, uint64_t weight) {
  steps_.push_back({lo, false, weight});
  steps_.push_back({hi, true, weight});
}

uint64_t LoadSweep::Max() {
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
  panel.marks.push_back(
      Mark(MarkKind::kLowerBound,
           prefix + (run.floor > 0 ? "floor + lower bound" : "lower bound"),
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

}  // namespace berth::show
