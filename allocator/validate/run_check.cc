#include "allocator/validate/run_check.h"

#include <algorithm>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "allocator/base/int_math.h"
#include "allocator/model/program.h"
#include "allocator/validate/checks.h"
#include "allocator/validate/findings.h"
#include "allocator/validate/placed_set.h"
#include "allocator/validate/validate.h"

namespace berth::validation {
namespace {

// Nothing but CC nodes wholly in CC has bytes in the CC region.
bool CcPure(const PlacedSet& set, const Regions& regions,
            const Extent& extent) {
  if (extent.cc_intruder_bytes > 0 || extent.cc_outside) return false;
  return std::none_of(set.nodes.begin(), set.nodes.end(), [&](const Node& n) {
    return n.pinned && n.holds_bytes() && n.address < regions.cc_end &&
           n.end() > regions.floor;
  });
}

class RecordCheck {
 public:
  RecordCheck(const Where& where, Findings* findings)
      : where_(where), findings_(findings) {}

  // Reports unless the record's `said` is `is`.
  void Equal(Invariant invariant, absl::string_view field, uint64_t said,
             uint128 is) {
    findings_->AddUnlessEqual(where_, invariant, field, said, is);
  }
  void Report(Invariant invariant, std::string message) {
    findings_->Add(where_, invariant, std::move(message));
  }

 private:
  const Where& where_;
  Findings* const findings_;
};

void CheckCcFigures(const RunRecord& record, const Measured& measured,
                    const RunRules& rules, RecordCheck* check) {
  constexpr Invariant kI10 = Invariant::kI10;
  const Extent& extent = measured.extent;
  check->Equal(kI10, "cc_overflow_bytes", record.cc_overflow_bytes,
               extent.cc_overflow_bytes);
  check->Equal(kI10, "cc_intruder_bytes", record.cc_intruder_bytes,
               extent.cc_intruder_bytes);
  check->Equal(kI10, "real_cc_buffer_size", record.real_cc_buffer_size,
               extent.cc_high - rules.regions.floor);
  check->Equal(kI10, "allreduce_dram_hwm", record.allreduce_dram_hwm,
               extent.cc_high);
}

// Spec §9. Only where "highest end in CC" is the same however one reads it.
void CheckPeakWithoutReserve(const RunRecord& record, const Measured& measured,
                             const RunRules& rules, RecordCheck* check) {
  if (!measured.cc_pure) return;
  const uint64_t peak = measured.extent.peak;
  const uint64_t cc_high = measured.extent.cc_high;
  const uint64_t unused = std::max(rules.regions.cc_end, cc_high) - cc_high;
  check->Equal(Invariant::kI8, "peak_without_cc_reserve",
               record.peak_without_cc_reserve,
               peak <= rules.regions.cc_end ? peak : peak - unused);
}

}  // namespace

Measured CheckRun(const PlacedSet& set, const RunRules& rules,
                  const Where& where, Findings* findings) {
  const Timeline timeline = MakeTimeline(set);
  Measured measured;
  const Offence absurd = FindAbsurd(set);
  const Offence unplaced = FindUnplaced(set);
  measured.complete = !absurd && !unplaced;
  for (const Node& node : set.nodes) {
    measured.any_placed |= !node.pinned && node.placed;
  }
  findings->Add(where, Invariant::kI3, set, absurd);
  if (rules.must_be_placed) {
    findings->Add(where, Invariant::kUnplaced, set, unplaced);
  }
  if (rules.times_known) {
    if (rules.overlaps) {
      findings->Add(where, Invariant::kI1, set, FindOverlap(set, timeline));
    }
    measured.load = MaxLoad(set, timeline);
    measured.load_known = !absurd;
    if (rules.full) {
      findings->Add(
          where, Invariant::kI9, set,
          FindLowerFit(set, timeline, rules.regions, rules.page_bytes));
    }
  }
  findings->Add(where, Invariant::kI2, set,
                FindMisplaced(set, rules.page_bytes));
  findings->Add(where, Invariant::kI3, set,
                FindOutside(set, rules.regions, rules.floor_reason));
  measured.extent = MeasureExtent(set, rules.regions);
  measured.cc_pure = CcPure(set, rules.regions, measured.extent);
  const uint64_t used = measured.extent.peak - rules.regions.floor;
  if (measured.complete && measured.load_known && used < measured.load) {
    findings->Add(where, Invariant::kI8,
                  absl::StrCat("peak ", measured.extent.peak, " less floor ",
                               rules.regions.floor, " is below the load ",
                               ToString(measured.load)));
  }
  return measured;
}

void CheckRecord(const RunRecord& record, const Measured& measured,
                 const RunRules& rules, const PlacedSet& set,
                 const Where& where, Findings* findings) {
  RecordCheck check(where, findings);
  if (!record.dram_allocation_result && measured.any_placed) {
    check.Report(Invariant::kI8,
                 "the run record says that allocation failed, but locations "
                 "have addresses");
  }
  const uint64_t floor = rules.regions.floor;
  check.Equal(Invariant::kI3, "floor", record.floor, floor);
  check.Equal(Invariant::kI3, "reserved_space", record.reserved_space, floor);
  // Cleanup takes instructions away after L was measured.
  const bool smaller = record.cleaned && record.lower_bound > measured.load;
  if (measured.load_known && !smaller) {
    check.Equal(Invariant::kI8, "lower_bound", record.lower_bound,
                measured.load);
  }
  if (!measured.complete) return;
  check.Equal(Invariant::kI8, "peak", record.peak, measured.extent.peak);
  const bool any_cc =
      std::any_of(set.nodes.begin(), set.nodes.end(),
                  [](const Node& n) { return n.cc && !n.pinned; });
  if (floor <= record.ceiling &&
      (record.cc_end < floor || record.cc_end > record.ceiling ||
       (!any_cc && record.cc_end != floor))) {
    check.Report(
        Invariant::kI10,
        absl::StrCat("the run record says cc_end ", record.cc_end,
                     any_cc ? ", which is not between floor and ceiling "
                            : ", though no collective asks for a region in ",
                     floor, "..", record.ceiling));
    return;  // nothing that hangs on it can be true
  }
  CheckCcFigures(record, measured, rules, &check);
  CheckPeakWithoutReserve(record, measured, rules, &check);
}

void CheckCcWithoutRecord(const Measured& measured, const PlacedSet& set,
                          const Where& where, Findings* findings) {
  findings->Add(where, Invariant::kI10, set, measured.extent.cc_outside);
}

}  // namespace berth::validation
