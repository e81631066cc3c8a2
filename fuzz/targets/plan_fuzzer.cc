// Placement problems through every planner: valid placements, equal ones where
// the contract says so, lower bounds that hold, and relations between problems
// that must not matter (spec §7-§9, §13; both roundings, both memories).
#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "allocator/base/int_math.h"
#include "allocator/model/instance.h"
#include "allocator/model/names.h"
#include "allocator/model/options.h"
#include "allocator/pipeline/plan_instance.h"
#include "allocator/pipeline/state.h"
#include "allocator/placement/lower_bound.h"
#include "allocator/placement/planners.h"
#include "allocator/placement/problem.h"
#include "allocator/validate/validate.h"
#include "fuzz/engine/oracle.h"
#include "fuzz/engine/target.h"
#include "fuzz/inputs/byte_reader.h"
#include "fuzz/inputs/problem_input.h"
#include "tests/placement/placement_check.h"

namespace berth::fuzz {
namespace {

constexpr uint64_t kBudgetSteps = 300;
// Now and then: tight's beams begin where its first search has given up.
constexpr uint64_t kLargeBudgetSteps = 20'000;
constexpr int kLargeBudgetOneIn = 16;
constexpr Planner kPlanners[] = {Planner::kReference, Planner::kBriggs,
                                 Planner::kGreedy, Planner::kTight};

absl::StatusOr<Placement> PlanBy(Planner planner, const Problem& problem,
                                 uint64_t budget_steps) {
  PlannerOptions options;
  options.planner = planner;
  options.budget_steps = budget_steps;
  return Plan(problem, options);
}

// No placement may be worse than its rules or better than its bound.
void CheckPlacement(const Problem& problem, const Placement& placement,
                    const LowerBound& bound) {
  const std::string fault = FaultOf(problem, placement);
  ORACLE(fault.empty(), fault, "\n", ToString(problem));
  ORACLE(Peak(problem, placement) >= bound.peak_bytes,
         "a peak below the bound ", Name(bound.kind), "\n", ToString(problem));
}

void CheckPlanners(const Problem& problem, uint64_t budget_steps) {
  std::vector<absl::StatusOr<Placement>> results;
  for (const Planner planner : kPlanners) {
    results.push_back(PlanBy(planner, problem, budget_steps));
    const absl::Status& status = results.back().status();
    ORACLE(status.ok() || absl::IsResourceExhausted(status), status.message());
  }
  ORACLE(results[0].ok() == results[1].ok(), "reference and briggs");
  if (!CheckProblem(problem).ok()) return;
  const LowerBound bound = BestLowerBound(problem);
  for (const auto& result : results) {
    if (result.ok()) CheckPlacement(problem, *result, bound);
  }
  // tight starts from greedy's placement: both are at hand, so this is free.
  ORACLE(!results[2].ok() ||
             (results[3].ok() &&
              Peak(problem, *results[3]) <= Peak(problem, *results[2])),
         "tight is worse than greedy\n", ToString(problem));
  if (absl::StrContains(results[3].status().message(), "proved")) {
    for (const auto& result : results) {
      ORACLE(!result.ok(), "placed what was proved too large\n",
             ToString(problem));
    }
  }
  if (!results[0].ok()) {
    ORACLE(results[0].status() == results[1].status(),
           results[0].status().message(), "\n", results[1].status().message());
    return;
  }
  ORACLE(results[0]->address == results[1]->address, ToString(problem));
  // A proved peak is beaten by nobody (regions aside: a node may leave its
  // own).
  if (!results[3].ok() || !results[3]->proved_optimal) return;
  if (problem.floor < problem.cc_end && problem.cc_end < problem.ceiling) {
    return;
  }
  for (const auto& result : results) {
    ORACLE(!result.ok() || Peak(problem, *result) >= Peak(problem, *results[3]),
           "a peak below what was proved\n", ToString(problem));
  }
}

absl::Status PlanCsv(const PlanOptions& options, Instance& instance,
                     RunReport& report) {
  return PlanInstance(options, nullptr, nullptr, instance, report);
}

// A changed instance must get the same result: the same verdict, and every
// offset `scale` times that of `placed`.
void ExpectSame(const char* what, const PlanOptions& options,
                const absl::Status& status, const Instance& placed,
                uint64_t scale, Instance changed) {
  RunReport report;
  const absl::Status again = PlanCsv(options, changed, report);
  ORACLE(again.code() == status.code(), what, ": ", again.message());
  if (!status.ok()) return;
  for (size_t i = 0; i < placed.buffers.size(); ++i) {
    ORACLE(*changed.buffers[i].offset == scale * *placed.buffers[i].offset,
           what, ": ", placed.buffers[i].id, " moves to ",
           *changed.buffers[i].offset, " from ", *placed.buffers[i].offset);
  }
  const bool same_names =
      placed.buffers.empty() || placed.buffers[0].id == changed.buffers[0].id;
  if (scale != 1 || !same_names) return;
  ORACLE(PlacementHash(changed) == PlacementHash(placed), what,
         ": equal placements of unequal hash");
}

void CheckRenamed(const PlanOptions& options, const absl::Status& status,
                  const Instance& input, const Instance& placed) {
  Instance renamed = input;
  for (size_t i = 0; i < renamed.buffers.size(); ++i) {
    renamed.buffers[i].id = absl::StrCat("z", renamed.buffers.size() - i);
  }
  ExpectSame("renamed", options, status, placed, 1, std::move(renamed));
}

void CheckShifted(const PlanOptions& options, const absl::Status& status,
                  const Instance& input, const Instance& placed) {
  constexpr int64_t kShift = -1'000'003;
  Instance shifted = input;
  for (Buffer& buffer : shifted.buffers) {
    buffer.lower += kShift;
    buffer.upper += kShift;
    for (Gap& gap : buffer.gaps) {
      gap.lower += kShift;
      gap.upper += kShift;
    }
  }
  ExpectSame("shifted in time", options, status, placed, 1, std::move(shifted));
}

bool HasWindow(const Buffer& buffer) {
  return std::any_of(buffer.gaps.begin(), buffer.gaps.end(),
                     [](const Gap& gap) { return gap.window.has_value(); });
}

// In their gaps buffers keep some of their bytes.
void AddWindows(Instance& instance) {
  for (Buffer& buffer : instance.buffers) {
    uint64_t lower = 0;
    for (Gap& gap : buffer.gaps) {
      if (buffer.size < 2 || buffer.size > uint64_t{1} << 62) continue;
      gap.window = {lower, lower + (buffer.size + 1) / 2};
      lower = buffer.size / 2;  // the other half, next time
      if (gap.window->upper > buffer.size) gap.window->upper = buffer.size;
      if (gap.window->lower >= gap.window->upper) gap.window.reset();
    }
  }
}

// Type other and alignment 1 only (spec §14: page 1). Some of greedy's orders
// are by classes of sizes, powers of two or of four.
void CheckScaled(PlanOptions options, const absl::Status& status,
                 const Instance& input, const Instance& placed) {
  const uint64_t scale = options.planner == Planner::kGreedy ? 4 : 3;
  if (options.csv_memory != CsvMemory::kOther) return;
  Instance scaled = input;
  for (Buffer& buffer : scaled.buffers) {
    const auto size = CheckedMul(buffer.size, scale);
    const auto offset = CheckedMul(buffer.offset.value_or(0), scale);
    if (buffer.alignment != 1 || !size.has_value() || !offset.has_value()) {
      return;
    }
    if (HasWindow(buffer)) return;
    buffer.size = *size;
    if (buffer.offset.has_value()) buffer.offset = *offset;
  }
  const auto capacity = CheckedMul(options.capacity_bytes, scale);
  if (!capacity.has_value()) return;
  options.capacity_bytes = *capacity;
  ExpectSame("scaled", options, status, placed, scale, std::move(scaled));
}

// One more buffer never lowers the bound.
void CheckBoundGrows(const PlanOptions& options, const Instance& input,
                     uint64_t bound) {
  if (input.buffers.empty()) return;
  Instance larger = input;
  Buffer extra = input.buffers[input.buffers.size() / 2];
  extra.id = "extra";
  extra.offset.reset();
  larger.buffers.push_back(extra);
  RunReport report;
  if (!PlanCsv(options, larger, report).ok()) return;
  ORACLE(report.record.lower_bound >= bound, "the bound falls from ", bound,
         " to ", report.record.lower_bound);
}

Report Validated(const Instance& placed, const Instance& input,
                 const PlanOptions& options) {
  ValidateOptions validate;
  validate.full = options.planner != Planner::kTight;
  validate.plan = options;
  return ValidateInstance(placed, &input, validate);
}

// The plain twin gives the same placement; windows, which problems alone have
// not (CheckPlanners), hold by every planner.
void CheckOtherPlanners(PlanOptions options, const absl::Status& status,
                        const Instance& input, const Instance& placed) {
  if (options.planner == Planner::kBriggs) {
    options.planner = Planner::kReference;
    ExpectSame("reference", options, status, placed, 1, input);
  }
  if (std::none_of(input.buffers.begin(), input.buffers.end(), HasWindow)) {
    return;
  }
  options.budget_steps = kBudgetSteps;
  for (const Planner planner : {Planner::kGreedy, Planner::kTight}) {
    options.planner = planner;
    Instance other = input;
    RunReport report;
    if (!PlanCsv(options, other, report).ok()) continue;
    const Report found = Validated(other, input, options);
    ORACLE(found.ok(), Name(planner), ": ", found.ToString());
  }
}

void CheckInstance(const Instance& input, const PlanOptions& options) {
  Instance placed = input;
  RunReport report;
  const absl::Status status = PlanCsv(options, placed, report);
  if (!status.ok()) {
    ORACLE(absl::IsInvalidArgument(status) || absl::IsResourceExhausted(status),
           status.message());
    ORACLE(placed == input, "a failed plan changed the instance");
  } else {
    const Report found = Validated(placed, input, options);
    ORACLE(found.ok(), found.ToString());
  }
  CheckOtherPlanners(options, status, input, placed);
  CheckRenamed(options, status, input, placed);
  CheckShifted(options, status, input, placed);
  CheckScaled(options, status, input, placed);
  if (!status.ok()) return;
  CheckBoundGrows(options, input, report.record.lower_bound);
  // What is placed already stays: every offset is a pin now.
  ExpectSame("planned again", options, status, placed, 1, placed);
}

void Run(absl::string_view input) {
  const Problem problem = DecodeProblem(input);
  CheckPlanners(problem, DrawOf(input) % kLargeBudgetOneIn == 0
                             ? kLargeBudgetSteps
                             : kBudgetSteps);
  const uint8_t choice = LastByte(input);
  PlanOptions options;
  options.planner = choice % 8 == 7 ? Planner::kGreedy : Planner::kBriggs;
  options.csv_memory = choice & 16 ? CsvMemory::kDram : CsvMemory::kOther;
  options.size_rounding =
      choice & 32 ? SizeRounding::kNone : SizeRounding::kPage;
  if (problem.ceiling < kNoCapacity) options.capacity_bytes = problem.ceiling;
  ORACLE(ParseCsvMemory(Name(options.csv_memory)) == options.csv_memory &&
             ParsePlanner(Name(options.planner)) == options.planner,
         "names are not read back");
  Instance instance = ToInstance(problem);
  if (choice & 64) AddWindows(instance);
  CheckInstance(instance, options);
}

const bool kRegistered = RegisterTarget({
    .name = "plan_fuzzer",
    .summary = "placement problems: every planner, metamorphic relations",
    .max_bytes = kMaxProblemBytes,
    .run = Run,
});

}  // namespace
}  // namespace berth::fuzz
