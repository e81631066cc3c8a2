#include "allocator/validate/shared_runs.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "allocator/base/int_math.h"
#include "allocator/model/intervals.h"
#include "allocator/model/program.h"
#include "allocator/validate/cc_region.h"
#include "allocator/validate/checks.h"
#include "allocator/validate/findings.h"
#include "allocator/validate/floors.h"
#include "allocator/validate/local_runs.h"
#include "allocator/validate/placed_set.h"
#include "allocator/validate/program_facts.h"
#include "allocator/validate/run_check.h"
#include "allocator/validate/run_counts.h"
#include "allocator/validate/shared_lifetimes.h"
#include "allocator/validate/shared_owners.h"
#include "allocator/validate/validate.h"

namespace berth::validation {
namespace {

constexpr int32_t kCommonRun = -1;

// Where the records of one shared run stand.
using RecordsBySlab =
    std::map<int32_t, std::vector<std::pair<const RunRecord*, Where>>>;

RecordsBySlab FindRecords(const ProgramFacts& facts) {
  RecordsBySlab records;
  for (const FunctionFacts& function : facts.functions) {
    for (const RunRecord& run : function.function->runs) {
      if (run.space != Space::kShared) continue;
      records[run.slab].push_back({&run, function.where});
    }
  }
  return records;
}

// Everything that the runs have in common.
class SharedRuns {
 public:
  SharedRuns(const ProgramFacts& facts, const Floors& floors,
             const SharedOwners& shared,
             const std::vector<std::vector<bool>>& accessed,
             const ValidateOptions& options, Findings* findings)
      : facts_(facts),
        floor_(floors.shared),
        shared_(shared),
        options_(options),
        findings_(findings),
        records_(FindRecords(facts)),
        used_(AccessedOwners(facts, shared, accessed)),
        lifetimes_(SharedLifetimes(facts, shared, accessed, &no_lifetimes_)),
        alignment_(shared.owners.size(), 1),
        in_collective_(shared.owners.size()),
        auto_bytes_(shared.owners.size()) {
    slabs_ = records_.empty() ? options.plan.shared_mb_per_core > 0
                              : records_.rbegin()->first != kCommonRun;
    FindCollectives();
    FindAlignments();
  }

  void Check() {
    std::map<int32_t, std::vector<int32_t>> owners_of_run;
    std::vector<int32_t> all;
    for (size_t o = 0; o < shared_.owners.size(); ++o) {
      const auto owner = static_cast<int32_t>(o);
      all.push_back(owner);
      owners_of_run[slabs_ ? CoreOf(owner) : kCommonRun].push_back(owner);
    }
    // Slabs do not meet, but pins may lie anywhere: bytes are compared at once.
    if (lifetimes_) {
      const PlacedSet set = MakeSet(all);
      findings_->Add({}, Invariant::kI1, set,
                     FindOverlap(set, MakeTimeline(set)));
    } else if (const PlacedSet set = MakeSet(all); !set.nodes.empty()) {
      findings_->Add({}, Invariant::kI1,
                     absl::StrCat("nobody can tell when shared locations are "
                                  "live, and what of I1, I8 and I9 hangs on "
                                  "that is not checked: ",
                                  no_lifetimes_));
    }
    for (const auto& [slab, owners] : owners_of_run) CheckOne(slab, owners);
  }

 private:
  int32_t CoreOf(int32_t owner) const {
    return facts_.functions[shared_.owners[owner].function].where.core;
  }

  // A COLLECTIVE through any copy is the owner's.
  void FindCollectives() {
    for (size_t f = 0; f < facts_.functions.size(); ++f) {
      if (shared_.owner_of[f].empty()) continue;
      for (const CollectiveAccess& access :
           CollectiveAccesses(*facts_.functions[f].function)) {
        const int32_t owner = shared_.owner_of[f][access.location];
        if (owner < 0) continue;
        in_collective_[owner] = true;
        auto_bytes_[owner] += access.auto_bytes;
      }
    }
  }

  // One address obeys the alignment of every copy. Where no u64 but 0 is a
  // multiple of them all, the largest says the same.
  void FindAlignments() {
    for (size_t f = 0; f < facts_.functions.size(); ++f) {
      const auto& locations = facts_.functions[f].function->locations;
      for (size_t l = 0; l < shared_.owner_of[f].size(); ++l) {
        const int32_t owner = shared_.owner_of[f][l];
        if (owner < 0) continue;
        uint64_t& alignment = alignment_[owner];
        const uint64_t other = std::max<uint64_t>(locations[l].alignment, 1);
        alignment = CheckedMul(alignment / std::gcd(alignment, other), other)
                        .value_or(std::numeric_limits<uint64_t>::max());
      }
    }
  }

  PlacedSet MakeSet(const std::vector<int32_t>& owners) const {
    PlacedSet set;
    for (const FunctionFacts& function : facts_.functions) {
      set.homes.push_back(absl::StrCat(" (core ", function.where.core, " ",
                                       function.where.function, ")"));
    }
    for (const int32_t owner : owners) {
      const LocationRef ref = shared_.owners[owner];
      const FunctionFacts& function = facts_.functions[ref.function];
      const Role role = function.roles[ref.location];
      const bool lost = role == Role::kOpen && used_[owner];
      if (!(lost || role == Role::kPinned || role == Role::kPlaced)) continue;
      const auto id = static_cast<int32_t>(set.nodes.size());
      set.nodes.push_back(MakeNode(function.function->locations[ref.location],
                                   role,
                                   facts_.SharedRounding(function.where.core)));
      Node& node = set.nodes.back();
      node.home = ref.function;
      node.alignment = alignment_[owner];
      node.cc = in_collective_[owner] && !node.pinned;
      if (lifetimes_) {
        for (const Interval& run : lifetimes_->of(owner)) {
          set.ranges.push_back({.lo = run.lo, .hi = run.hi, .node = id});
        }
      }
      set.EndNode();
    }
    return set;
  }

  // Width of a slab. Records tell where theirs begin, not the option: a slab
  // behind the first begins a multiple of the width above the floor, and the
  // first, where it stands alone, ends the width above it.
  uint128 SlabWidth() const {
    uint128 width = uint128{options_.plan.shared_mb_per_core} << 20;
    for (const auto& [slab, found] : records_) {
      const RunRecord& record = *found.front().first;
      if (slab == 0)
        width = record.ceiling - std::min(floor_.value, record.ceiling);
      if (slab <= 0) continue;
      return (record.floor - std::min(floor_.value, record.floor)) /
             static_cast<uint32_t>(slab);
    }
    return width;
  }

  // The space of a run: a slab's own part, or all from the floor to the window.
  Regions SpaceOf(int32_t slab, const RunRecord* record) const {
    const uint64_t window =
        record != nullptr ? record->ceiling : options_.plan.hbm_per_core_bytes;
    if (slab == kCommonRun) {
      return {.floor = floor_.value, .ceiling = window};
    }
    const uint128 width = SlabWidth();
    const uint128 begin = floor_.value + width * static_cast<uint32_t>(slab);
    return {.floor = Saturate(begin),
            .ceiling = std::min(window, Saturate(begin + width))};
  }

  static uint64_t Saturate(uint128 value) {
    return static_cast<uint64_t>(std::min<uint128>(value, ~uint64_t{0}));
  }

  void CheckOne(int32_t slab, const std::vector<int32_t>& owners) {
    const auto found = records_.find(slab);
    const RunRecord* record =
        found == records_.end() ? nullptr : found->second.front().first;
    const Where where = {.core = slab};
    const PlacedSet set = MakeSet(owners);
    RunRules rules;
    rules.regions = SpaceOf(slab, record);
    rules.floor_reason = floor_.Reason();
    rules.page_bytes = kDramPageBytes;
    rules.must_be_placed = !options_.plan.allow_unaddressed;
    rules.times_known = lifetimes_.has_value();
    rules.overlaps = false;
    if (record != nullptr) {
      rules.regions.cc_end = record->cc_end;
    } else {
      rules.regions = AddCcRegion(set, owners, rules.regions);
    }
    rules.full =
        options_.full && FirstFitStands(record) && InOrder(rules.regions);
    const Measured measured = CheckRun(set, rules, where, findings_);
    const RunCounts counts = Count(owners);
    if (record != nullptr) {
      for (const auto& [copy, home] : found->second) {
        CheckSameSpace(*record, *copy, home);
        CheckCeiling(*copy, rules.regions, home);
        CheckRecord(*copy, measured, rules, set, home, findings_);
        CheckCounts(*copy, counts, home, findings_);
      }
    } else if (measured.any_placed && facts_.has_records) {
      findings_->Add(where, Invariant::kI8,
                     "SHARED locations are placed, but there is no run record");
    } else {
      CheckCcWithoutRecord(measured, set, where, findings_);
    }
  }

  // A shared tensor is one interval however many phases it has.
  RunCounts Count(const std::vector<int32_t>& owners) const {
    RunCounts counts;
    for (const int32_t owner : owners) {
      const LocationRef ref = shared_.owners[owner];
      const FunctionFacts& function = facts_.functions[ref.function];
      counts.Add(function.function->locations[ref.location],
                 function.roles[ref.location], used_[owner]);
    }
    counts.live_ranges = counts.locations;
    return counts;
  }

  Regions AddCcRegion(const PlacedSet& set, const std::vector<int32_t>& owners,
                      const Regions& space) const {
    uint128 auto_bytes = 0;
    for (const int32_t owner : owners) {
      const LocationRef ref = shared_.owners[owner];
      const Role role = facts_.functions[ref.function].roles[ref.location];
      if (role != Role::kPinned) auto_bytes += auto_bytes_[owner];
    }
    const bool any_cc = std::any_of(set.nodes.begin(), set.nodes.end(),
                                    [](const Node& node) { return node.cc; });
    return RegionsByOptions(options_.plan, space.floor, space.ceiling, any_cc,
                            auto_bytes);
  }

  void CheckSameSpace(const RunRecord& one, const RunRecord& other,
                      const Where& where) {
    if (one.ceiling == other.ceiling && one.cc_end == other.cc_end) return;
    findings_->Add(where, Invariant::kI3,
                   "two records of one shared run differ in ceiling or cc_end");
  }

  // A slab ends where the next begins.
  void CheckCeiling(const RunRecord& record, const Regions& space,
                    const Where& where) {
    if (record.ceiling == space.ceiling) return;
    findings_->Add(where, Invariant::kI3,
                   absl::StrCat("the run record says ceiling ", record.ceiling,
                                ", but the slab ends at ", space.ceiling));
  }

  const ProgramFacts& facts_;
  const Floor& floor_;
  const SharedOwners& shared_;
  const ValidateOptions& options_;
  Findings* const findings_;
  const RecordsBySlab records_;
  const std::vector<bool> used_;
  std::string no_lifetimes_;  // why there are none
  const std::optional<IntervalTable> lifetimes_;
  bool slabs_ = false;
  std::vector<uint64_t> alignment_;  // by owner, over all copies
  std::vector<bool> in_collective_;  // by owner
  std::vector<uint128> auto_bytes_;  // by owner
};

}  // namespace

void CheckSharedRuns(const ProgramFacts& facts, const Floors& floors,
                     const SharedOwners& shared,
                     const std::vector<std::vector<bool>>& accessed,
                     const ValidateOptions& options, Findings* findings) {
  if (shared.owners.empty()) return;
  SharedRuns(facts, floors, shared, accessed, options, findings).Check();
}

}  // namespace berth::validation
