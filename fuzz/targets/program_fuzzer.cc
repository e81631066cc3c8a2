// Programs through the whole pipeline: every result keeps every invariant, the
// plain twin and the other emission give the same one, and what must not
// matter does not (spec §13: I1 to I11); small ones run on byte-accurate
// memories in several orders (I12, I13).
#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "allocator/base/int_math.h"
#include "allocator/dependence/dependence.h"
#include "allocator/dependence/program_dependences.h"
#include "allocator/formats/convert.h"
#include "allocator/liveness/liveness.h"
#include "allocator/model/instance.h"
#include "allocator/model/options.h"
#include "allocator/model/program.h"
#include "allocator/pipeline/events.h"
#include "allocator/pipeline/plan_program.h"
#include "allocator/pipeline/state.h"
#include "allocator/simulate/simulate.h"
#include "allocator/validate/validate.h"
#include "fuzz/engine/oracle.h"
#include "fuzz/engine/target.h"
#include "fuzz/inputs/peel_loops.h"
#include "fuzz/inputs/program_input.h"

namespace berth::fuzz {
namespace {

struct Planned {
  absl::Status status;
  Program program;
  PlanReport report;
};

Planned PlanWith(const PlanOptions& options, const Program& program) {
  Planned planned;
  planned.program = program;
  planned.status =
      PlanProgram(options, nullptr, nullptr, planned.program, planned.report);
  return planned;
}

template <typename Visit>
void ForEachLocation(const Program& program, Visit visit) {
  for (const Module& module : program.modules) {
    for (const Function& function : module.functions) {
      for (const Location& location : function.locations) visit(location);
    }
  }
}

std::vector<std::optional<uint64_t>> AddressesOf(const Program& program) {
  std::vector<std::optional<uint64_t>> addresses;
  ForEachLocation(program, [&addresses](const Location& location) {
    addresses.push_back(location.address);
  });
  return addresses;
}

// The same verdict and the same addresses.
void ExpectSame(const char* what, const Planned& planned,
                const PlanOptions& options, const Program& program) {
  const Planned again = PlanWith(options, program);
  ORACLE(again.status.code() == planned.status.code(), what, ": ",
         again.status.message(), "; before: ", planned.status.message());
  ORACLE(AddressesOf(again.program) == AddressesOf(planned.program), what,
         ": addresses differ");
}

// A plan that failed leaves what came in, and says so in its record.
void CheckFailure(const Planned& planned, const Program& handed_out) {
  ORACLE(absl::IsInvalidArgument(planned.status) ||
             absl::IsResourceExhausted(planned.status),
         planned.status.ToString());
  ORACLE(!planned.status.message().empty());
  ORACLE(AddressesOf(planned.program) == AddressesOf(handed_out),
         "a failed plan wrote addresses: ", planned.status.message());
  for (const Module& module : planned.program.modules) {
    for (const Function& function : module.functions) {
      for (const RunRecord& run : function.runs) {
        ORACLE(!run.dram_allocation_result, planned.status.message());
      }
    }
  }
}

void CheckSuccess(const Planned& planned, const Program& handed_out,
                  const PlanOptions& options) {
  ValidateOptions validate;
  validate.full = true;
  validate.plan = options;
  const Report report = ValidateProgram(planned.program, &handed_out, validate);
  ORACLE(report.ok(), report.ToString());
}

// The rule that every iteration of a loop comes before the next one, asked
// otherwise: with two iterations one after the other.
void CheckPeeled(const Program& handed_out) {
  bool shared = false;
  ForEachLocation(handed_out, [&shared](const Location& location) {
    shared = shared || location.space == Space::kShared;
  });
  bool loop = false;
  for (const Module& module : handed_out.modules) {
    loop = loop || std::any_of(module.functions.begin(), module.functions.end(),
                               HasLoop);
  }
  if (!shared || !loop || handed_out.modules.size() < 2) return;
  PlanOptions unbounded;
  unbounded.hbm_per_core_bytes = ~uint64_t{0};
  const absl::Status status = PlanWith(unbounded, PeelLoops(handed_out)).status;
  ORACLE(!absl::StrContains(status.message(), "no rendezvous orders"),
         "with loops peeled: ", status.message());
}

int64_t Total(const DependenceCounts& counts) {
  int64_t total = 0;
  for (const int64_t count : counts.of) total += count;
  return total;
}

void CheckSummary(const ProgramDependences& dependences) {
  int64_t edges = 0;
  for (const auto& functions : dependences.functions) {
    for (const FunctionDependences& f : functions) {
      edges += static_cast<int64_t>(f.fdeps.size() + f.local.size() +
                                    f.shared.size());
    }
  }
  const DependenceSummary summary = Summarise(dependences);
  ORACLE(edges == Total(summary.fdeps) + Total(summary.local) +
                      Total(summary.shared),
         edges, " edges");
}

// Of buffers without an offset, each of which is live from its lower to its
// upper end but for its gaps.
uint128 MaxLoadOf(const Instance& instance) {
  std::map<int64_t, int128> change;
  for (const Buffer& buffer : instance.buffers) {
    if (buffer.offset.has_value()) continue;
    const auto size = static_cast<int128>(buffer.size);
    change[buffer.lower] += size;
    change[buffer.upper] -= size;
    for (const Gap& gap : buffer.gaps) {
      change[gap.lower] -= size;
      change[gap.upper] += size;
    }
  }
  int128 load = 0;
  int128 most = 0;
  for (const auto& [time, by] : change) {
    load += by;
    most = std::max(most, load);
  }
  return static_cast<uint128>(most);
}

// I12 and I13, of programs whose paths are short.
void CheckExecution(const Program& placed) {
  SimulateOptions options;
  options.schedules = 6;
  options.max_states = 200;
  options.max_events = 300;
  const ProgramDependences dependences = FindDependences(placed);
  CheckSummary(dependences);
  const absl::StatusOr<SimulateReport> report =
      Simulate(placed, dependences, options);
  ORACLE(report.ok(), report.status().message());
  ORACLE(report->ok(), "I", report->fault->invariant, ": ",
         report->fault->message);
}

// Names decide nothing but what messages say.
Program Renamed(Program program) {
  for (Module& module : program.modules) {
    for (Function& function : module.functions) {
      function.name = absl::StrCat("renamed_", function.name);
      for (Location& location : function.locations) {
        location.name = absl::StrCat("z", location.name);
        if (location.remote_target.has_value()) {
          location.remote_target->name =
              absl::StrCat("z", location.remote_target->name);
        }
      }
    }
  }
  return program;
}

// All times later: an empty instruction in a block of its own comes first.
Program Later(Program program) {
  for (Module& module : program.modules) {
    for (Function& function : module.functions) {
      if (function.blocks.empty()) continue;
      for (Block& block : function.blocks) {
        for (int32_t& to : block.successors) ++to;
      }
      Block first;
      first.name = "before all";
      first.successors = {1};
      first.instructions.resize(2);
      function.blocks.insert(function.blocks.begin(), std::move(first));
    }
  }
  return program;
}

// One more location, live somewhere, never lowers a function's bound.
void CheckBoundGrows(const Planned& planned, const PlanOptions& options,
                     const Program& program) {
  Program larger = program;
  for (Module& module : larger.modules) {
    for (Function& function : module.functions) {
      if (function.blocks.empty()) continue;
      Location extra;
      extra.name = "one more";
      extra.elem_count = 4096;
      function.locations.push_back(extra);
      Instruction def;
      def.defs.push_back({static_cast<int32_t>(function.locations.size()) - 1});
      function.blocks.back().instructions.push_back(def);
    }
  }
  const Planned more = PlanWith(options, larger);
  if (!more.status.ok()) return;
  for (size_t m = 0; m < larger.modules.size(); ++m) {
    const auto& before = planned.program.modules[m].functions;
    const auto& after = more.program.modules[m].functions;
    for (size_t f = 0; f < before.size(); ++f) {
      for (size_t r = 0; r < before[f].runs.size(); ++r) {
        if (before[f].runs[r].space != Space::kLocal) continue;
        ORACLE(after[f].runs[r].lower_bound >= before[f].runs[r].lower_bound,
               "the bound of ", before[f].name, " falls");
      }
    }
  }
}

// Planning what is placed again: cleared and placed anew, or kept, it is the
// same. Anew, the instructions are those handed out: copies that clean-up
// merged are another program, as two partial defs have become a full one.
void CheckAgain(const Planned& planned, const Program& handed_out,
                PlanOptions options) {
  Program placed = planned.program;
  for (size_t m = 0; m < placed.modules.size(); ++m) {
    std::vector<Function>& functions = placed.modules[m].functions;
    for (size_t f = 0; f < functions.size(); ++f) {
      functions[f].blocks = handed_out.modules[m].functions[f].blocks;
    }
  }
  ExpectSame("planned again", planned, options, placed);
  options.keep = true;
  const Planned kept = PlanWith(options, planned.program);
  // Kept addresses are pins: under link mode pre, a later function's floor may
  // rise past the window, and a placed location may share a page that pins may
  // not. What is kept never moves.
  if (!kept.status.ok()) return;
  ORACLE(AddressesOf(kept.program) == AddressesOf(planned.program),
         "--keep moves something");
  ORACLE(PlacementHash(kept.program) == PlacementHash(planned.program),
         "equal placements of unequal hash");
}

// The CSV form of a function's private memory is the same problem: the same
// lower bound. Spec §14.
void CheckConverted(const Planned& planned, const Program& handed_out,
                    const PlanOptions& options) {
  for (size_t m = 0; m < handed_out.modules.size(); ++m) {
    for (size_t f = 0; f < handed_out.modules[m].functions.size(); ++f) {
      const Function& function = handed_out.modules[m].functions[f];
      const absl::StatusOr<Liveness> liveness = ComputeLiveness(function);
      ORACLE(liveness.ok(), liveness.status().message());
      const absl::StatusOr<ConvertedInstance> converted = ToInstance(
          function, liveness->occupied, Space::kLocal, options.size_rounding);
      if (!converted.ok()) continue;  // names and sizes that CSV has not
      const uint128 load = MaxLoadOf(converted->instance);
      for (const RunRecord& run :
           planned.program.modules[m].functions[f].runs) {
        if (run.space != Space::kLocal) continue;
        ORACLE(load == run.lower_bound, "as CSV, the bound of ", function.name,
               " is ", ToString(load), ", not ", run.lower_bound);
      }
    }
  }
}

void CheckEvents(const Planned& planned) {
  for (const Event& event : planned.report.events) {
    const std::string line = ToLine(event);
    ORACLE(!line.empty() && line.find('\n') == std::string::npos, line);
    IsWarning(event.kind);
  }
}

void Run(absl::string_view bytes) {
  const std::optional<ProgramInput> input = DecodeProgramInput(bytes);
  if (!input.has_value()) return;
  const PlanOptions& options = input->options;
  Program handed_out = input->program;
  ClearOrPin(false, handed_out);
  const Planned planned = PlanWith(options, input->program);
  CheckEvents(planned);
  if (planned.status.ok()) {
    CheckSuccess(planned, handed_out, options);
    CheckPeeled(handed_out);
    CheckExecution(planned.program);
  } else {
    CheckFailure(planned, handed_out);
  }
  PlanOptions other = options;
  other.planner = Planner::kReference;
  ExpectSame("reference", planned, other, input->program);
  other = options;
  other.emission = options.emission == Emission::kMerged ? Emission::kPerEdge
                                                         : Emission::kMerged;
  ExpectSame("other emission", planned, other, input->program);
  ExpectSame("renamed", planned, options, Renamed(input->program));
  ExpectSame("later", planned, options, Later(input->program));
  for (const Planner planner : {Planner::kGreedy, Planner::kTight}) {
    other = options;
    other.planner = planner;
    other.budget_steps = 200;
    const Planned alternative = PlanWith(other, input->program);
    if (alternative.status.ok()) CheckSuccess(alternative, handed_out, other);
  }
  other = options;
  other.dram_rotation = true;
  other.dram_rotation_cap_bytes = 1 << 16;
  const Planned rotated = PlanWith(other, input->program);
  // Shared runs start above what has moved, so that some no longer fit.
  if (rotated.status.ok()) {
    CheckSuccess(rotated, handed_out, other);
    if (AddressesOf(rotated.program) != AddressesOf(planned.program)) {
      CheckExecution(rotated.program);
    }
  }
  if (!planned.status.ok()) return;
  CheckConverted(planned, handed_out, options);
  CheckBoundGrows(planned, options, input->program);
  CheckAgain(planned, handed_out, options);
}

const bool kRegistered = RegisterTarget({
    .name = "program_fuzzer",
    .summary = "programs through the whole pipeline, every invariant",
    .max_bytes = 8192,
    .run = Run,
    .fresh = FreshProgramInput,
    .mutate = MutateProgramInput,
    .cross = CrossProgramInputs,
});

}  // namespace
}  // namespace berth::fuzz
