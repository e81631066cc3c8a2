#include "allocator/validate/local_runs.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "allocator/base/int_math.h"
#include "allocator/model/options.h"
#include "allocator/model/program.h"
#include "allocator/validate/cc_region.h"
#include "allocator/validate/checks.h"
#include "allocator/validate/findings.h"
#include "allocator/validate/floors.h"
#include "allocator/validate/occupancy.h"
#include "allocator/validate/placed_set.h"
#include "allocator/validate/program_facts.h"
#include "allocator/validate/run_check.h"
#include "allocator/validate/run_counts.h"
#include "allocator/validate/validate.h"

namespace berth::validation {
namespace {

// The nodes of a LOCAL run, what its collectives ask for, what it counts.
struct LocalSet {
  PlacedSet set;
  bool any_cc = false;
  uint128 auto_bytes = 0;
  RunCounts counts;
};

LocalSet MakeLocalSet(const FunctionFacts& facts, const Occupancy& occupancy,
                      SizeRounding rounding) {
  const Function& function = *facts.function;
  LocalSet local;
  std::vector<int32_t> node_of(function.locations.size(), -1);
  local.set.nodes.reserve(function.locations.size());
  local.set.range_offsets.reserve(function.locations.size() + 1);
  local.set.ranges.reserve(occupancy.runs.values.size());
  for (size_t l = 0; l < function.locations.size(); ++l) {
    const Location& location = function.locations[l];
    const Role role = facts.roles[l];
    if (location.type != MemoryType::kDram || location.space != Space::kLocal) {
      continue;
    }
    local.counts.Add(location, role, occupancy.accessed[l]);
    const bool lost = role == Role::kOpen && occupancy.accessed[l];
    if (!(lost || role == Role::kPinned || role == Role::kPlaced)) continue;
    const auto id = static_cast<int32_t>(local.set.nodes.size());
    node_of[l] = id;
    local.set.nodes.push_back(MakeNode(location, role, rounding));
    for (const Interval& run : occupancy.runs.of(static_cast<int32_t>(l))) {
      local.set.ranges.push_back({.lo = run.lo, .hi = run.hi, .node = id});
    }
    local.set.EndNode();
    if (role != Role::kPinned) {
      local.counts.live_ranges += local.set.ranges_of(id).size();
    }
  }
  for (const CollectiveAccess& access : CollectiveAccesses(function)) {
    const int32_t id = node_of[access.location];
    if (id < 0 || local.set.nodes[id].pinned) continue;
    local.set.nodes[id].cc = true;
    local.any_cc = true;
    local.auto_bytes += access.auto_bytes;
  }
  return local;
}

// One record of each (space, slab).
void CheckRecordsUnique(const FunctionFacts& function, Findings* findings) {
  const std::vector<RunRecord>& runs = function.function->runs;
  for (size_t i = 0; i < runs.size(); ++i) {
    for (size_t j = 0; j < i; ++j) {
      if (runs[i].space != runs[j].space || runs[i].slab != runs[j].slab) {
        continue;
      }
      findings->Add(function.where, Invariant::kI8,
                    "two run records of one space and slab");
      return;
    }
  }
}

// All runs of one plan share one window (spec §12).
class CommonCeiling {
 public:
  void Check(const RunRecord& record, const Where& where, Findings* findings) {
    if (!known_) ceiling_ = record.ceiling;
    known_ = true;
    if (record.ceiling == ceiling_) return;
    findings->Add(where, Invariant::kI3,
                  absl::StrCat("the run record says ceiling ", record.ceiling,
                               ", another run's says ", ceiling_));
  }

 private:
  bool known_ = false;
  uint64_t ceiling_ = 0;
};

}  // namespace

bool InOrder(const Regions& regions) {
  return regions.floor <= regions.cc_end && regions.cc_end <= regions.ceiling;
}

bool FirstFitStands(const RunRecord* record) {
  return record == nullptr || (!record->rotated && !record->cleaned &&
                               record->planner != Planner::kTight);
}

std::vector<std::vector<bool>> CheckLocalRuns(const ProgramFacts& facts,
                                              const Floors& floors,
                                              const ValidateOptions& options,
                                              Findings* findings) {
  std::vector<std::vector<bool>> accessed;
  CommonCeiling ceiling;
  for (size_t f = 0; f < facts.functions.size(); ++f) {
    const auto id = static_cast<int32_t>(f);
    const FunctionFacts& function = facts.functions[f];
    const RunRecord* record = facts.Record(id, Space::kLocal, -1);
    Occupancy occupancy = DeriveOccupancy(*function.function);
    const LocalSet local =
        MakeLocalSet(function, occupancy, facts.LocalRounding(id));
    accessed.push_back(std::move(occupancy.accessed));
    const Floor& floor = floors.local[f];
    RunRules rules;
    rules.regions = record != nullptr
                        ? Regions{floor.value, record->cc_end, record->ceiling}
                        : RegionsByOptions(options.plan, floor.value,
                                           options.plan.hbm_per_core_bytes,
                                           local.any_cc, local.auto_bytes);
    rules.floor_reason = floor.Reason();
    rules.page_bytes = kDramPageBytes;
    rules.must_be_placed = !options.plan.allow_unaddressed;
    rules.full =
        options.full && FirstFitStands(record) && InOrder(rules.regions);
    CheckRecordsUnique(function, findings);
    const Measured measured =
        CheckRun(local.set, rules, function.where, findings);
    if (record != nullptr) {
      ceiling.Check(*record, function.where, findings);
      CheckRecord(*record, measured, rules, local.set, function.where,
                  findings);
      CheckCounts(*record, local.counts, function.where, findings);
    } else if (measured.any_placed && facts.has_records) {
      findings->Add(function.where, Invariant::kI8,
                    "LOCAL locations are placed, but there is no run record");
    } else {
      CheckCcWithoutRecord(measured, local.set, function.where, findings);
    }
  }
  return accessed;
}

}  // namespace berth::validation
