#include "tools/diff/compare.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "allocator/base/status_macros.h"
#include "allocator/interference/planner_oracle.h"
#include "allocator/liveness/liveness.h"
#include "allocator/model/intervals.h"
#include "allocator/model/options.h"
#include "allocator/model/program.h"
#include "allocator/pipeline/plan_instance.h"
#include "tools/cli/clock.h"
#include "tools/external/external_planner.h"

namespace berth {
namespace {

constexpr char kPlaced[] = "placed";
constexpr char kDoesNotFit[] = "does not fit";
constexpr char kInvalid[] = "invalid";

std::vector<std::optional<uint64_t>> AddressesOf(const Input& input) {
  std::vector<std::optional<uint64_t>> addresses;
  if (!input.is_program()) {
    for (const Buffer& buffer : input.csv().instance.buffers) {
      addresses.push_back(buffer.offset);
    }
    return addresses;
  }
  for (const Module& module : input.program().modules) {
    for (const Function& function : module.functions) {
      for (const Location& location : function.locations) {
        addresses.push_back(location.address);
      }
    }
  }
  return addresses;
}

// What addresses are of, for messages: in AddressesOf's order.
std::string NameAt(const Input& input, size_t index) {
  if (!input.is_program()) return input.csv().instance.buffers[index].id;
  for (const Module& module : input.program().modules) {
    for (const Function& function : module.functions) {
      if (index < function.locations.size()) {
        return absl::StrCat(function.locations[index].name, "' of core ",
                            module.core, " '", function.name);
      }
      index -= function.locations.size();
    }
  }
  return "";
}

Outcome PlanOurs(Planner planner, const Input& input,
                 const CompareOptions& options) {
  PlanRequest request = options.request;
  request.options.planner = planner;
  Input placed = input;
  PhaseClock clock;
  Planned planned;
  const absl::Status status = PlanInput(request, clock, placed, planned);
  Outcome outcome;
  outcome.message = std::string(status.message());
  if (!status.ok()) {
    outcome.state =
        absl::IsResourceExhausted(status) ? kDoesNotFit : "bad input";
    return outcome;
  }
  outcome.addresses = AddressesOf(placed);
  outcome.state = planned.report.ok() ? kPlaced : kInvalid;
  if (!planned.report.ok()) {
    outcome.message = planned.report.violations.front().message;
  }
  outcome.peak = planned.metrics.Highest().record.peak;
  return outcome;
}

absl::StatusOr<Outcome> PlanExternal(const Contender& contender,
                                     const Input& input,
                                     const CompareOptions& options) {
  if (input.is_program()) {
    return absl::InvalidArgumentError(
        absl::StrCat(input.path,
                     ": an external planner takes CSV problems; berth convert "
                     "makes one of a function"));
  }
  ExternalOptions external;
  external.plan = options.request.options;
  external.limits = options.limits;
  BERTH_ASSIGN_OR_RETURN(const ExternalResult result,
                         RunExternal({contender.name, contender.command},
                                     input.csv().instance, external));
  Outcome outcome;
  outcome.message = result.message;
  outcome.state = std::string(Name(result.outcome));
  outcome.peak = result.peak;
  if (result.outcome == ExternalOutcome::kValid) outcome.state = kPlaced;
  for (const Buffer& buffer : result.placed.buffers) {
    outcome.addresses.push_back(buffer.offset);
  }
  // Without a capacity nearly everything fits: another exit code is a fault
  // then, unless nothing of ours fits either (Refuses).
  if (result.outcome == ExternalOutcome::kFailed &&
      options.request.options.capacity_bytes < kNoCapacity) {
    outcome.state = kDoesNotFit;
  }
  return outcome;
}

absl::StatusOr<Outcome> PlanBy(const Contender& contender, const Input& input,
                               const CompareOptions& options) {
  if (contender.kind == Contender::Kind::kExternal) {
    return PlanExternal(contender, input, options);
  }
  return PlanOurs(contender.planner, input, options);
}

std::string Describe(const Contender& who, const Outcome& outcome) {
  return absl::StrCat(who.name, " ", outcome.state,
                      outcome.message.empty() ? "" : ": ", outcome.message);
}

// A state that is a fault of the contender, whatever the other says.
bool IsFault(const Outcome& outcome) {
  return outcome.state != kPlaced && outcome.state != kDoesNotFit &&
         outcome.state != "bad input";
}

// Does not fit, or an exit code, which is how other planners say so.
bool Refuses(const Outcome& outcome) {
  return outcome.state == kDoesNotFit ||
         outcome.state == Name(ExternalOutcome::kFailed);
}

std::optional<Difference> ComparePlans(const Contender& a, const Contender& b,
                                       const Outcome& of_a, const Outcome& of_b,
                                       const Input& input,
                                       Criterion criterion) {
  if (Refuses(of_a) && Refuses(of_b) &&
      (of_a.state == kDoesNotFit || of_b.state == kDoesNotFit)) {
    return std::nullopt;
  }
  Difference difference;
  const bool fault = IsFault(of_a) || IsFault(of_b);
  const bool same_state = of_a.state == of_b.state;
  if (fault || (!same_state && criterion != Criterion::kValidity)) {
    difference.kind = absl::StrCat("a: ", of_a.state, ", b: ", of_b.state);
    difference.message =
        absl::StrCat(Describe(a, of_a), "; ", Describe(b, of_b));
    difference.broken = of_a.state == kInvalid || of_b.state == kInvalid;
    return difference;
  }
  if (of_a.state != kPlaced || of_b.state != kPlaced) return std::nullopt;
  if (criterion == Criterion::kPeak && of_a.peak != of_b.peak) {
    difference.kind = of_a.peak < of_b.peak ? "a is lower" : "b is lower";
    difference.message = absl::StrCat("peak ", of_a.peak, " by ", a.name, ", ",
                                      of_b.peak, " by ", b.name);
    return difference;
  }
  if (criterion != Criterion::kAddresses) return std::nullopt;
  for (size_t i = 0; i < of_a.addresses.size(); ++i) {
    if (of_a.addresses[i] == of_b.addresses[i]) continue;
    const auto show = [](std::optional<uint64_t> address) {
      return address.has_value() ? absl::StrCat(*address) : "nowhere";
    };
    difference.kind = "addresses";
    difference.message = absl::StrCat(
        "'", NameAt(input, i), "' at ", show(of_a.addresses[i]), " by ", a.name,
        ", at ", show(of_b.addresses[i]), " by ", b.name);
    return difference;
  }
  return std::nullopt;
}

// The interval sets of an input: one a function, or the CSV's.
absl::StatusOr<std::vector<std::vector<OwnedInterval>>> IntervalSets(
    const Input& input, const PlanOptions& options) {
  std::vector<std::vector<OwnedInterval>> sets;
  if (!input.is_program()) {
    BERTH_ASSIGN_OR_RETURN(const InstanceProblem numbered,
                           NumberInstance(input.csv().instance, options));
    sets.push_back(OwnedOf(numbered.problem.live));
    return sets;
  }
  for (const Module& module : input.program().modules) {
    for (const Function& function : module.functions) {
      BERTH_ASSIGN_OR_RETURN(const Liveness liveness,
                             ComputeLiveness(function));
      std::vector<int32_t> nodes(function.locations.size());
      for (size_t i = 0; i < nodes.size(); ++i) {
        nodes[i] = static_cast<int32_t>(i);
      }
      BERTH_ASSIGN_OR_RETURN(
          std::vector<OwnedInterval> set,
          EmitIntervals(function, liveness, options.emission, nodes));
      sets.push_back(std::move(set));
    }
  }
  return sets;
}

absl::StatusOr<std::optional<Difference>> CompareOracles(
    const Contender& a, const Contender& b, const Input& input,
    const CompareOptions& options) {
  BERTH_ASSIGN_OR_RETURN(const auto sets,
                         IntervalSets(input, options.request.options));
  for (const std::vector<OwnedInterval>& set : sets) {
    std::vector<Interval> queries;
    for (const OwnedInterval& i : set) {
      queries.push_back({i.lo, i.lo});
      queries.push_back({i.hi, i.hi});
    }
    const auto of_a = OracleAnswers(a.name, set, queries);
    const auto of_b = OracleAnswers(b.name, set, queries);
    for (size_t i = 0; i < of_a.size(); ++i) {
      if (of_a[i] == of_b[i]) continue;
      const Interval query = i < set.size() ? Interval{set[i].lo, set[i].hi}
                                            : queries[i - set.size()];
      Difference difference;
      difference.kind = "overlaps";
      difference.message = absl::StrCat(
          "overlaps of [", query.lo, ", ", query.hi, "]: ", of_a[i].size(),
          " by ", a.name, ", ", of_b[i].size(), " by ", b.name);
      return difference;
    }
  }
  return std::nullopt;
}

}  // namespace

absl::StatusOr<std::optional<Difference>> Compare(
    const Contender& a, const Contender& b, const Input& input,
    const CompareOptions& options) {
  const bool oracle = a.kind == Contender::Kind::kOracle;
  if (oracle != (b.kind == Contender::Kind::kOracle)) {
    return absl::InvalidArgumentError(absl::StrCat(
        "'", a.name, "' and '", b.name, "' are not both planners or oracles"));
  }
  if (oracle) return CompareOracles(a, b, input, options);
  BERTH_ASSIGN_OR_RETURN(const Outcome of_a, PlanBy(a, input, options));
  BERTH_ASSIGN_OR_RETURN(const Outcome of_b, PlanBy(b, input, options));
  return ComparePlans(a, b, of_a, of_b, input, options.criterion);
}

}  // namespace berth
