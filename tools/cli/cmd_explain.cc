// berth explain: why a location is where it is.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "allocator/base/status_macros.h"
#include "allocator/formats/csv.h"
#include "allocator/liveness/liveness.h"
#include "allocator/model/instance.h"
#include "allocator/model/program.h"
#include "allocator/pipeline/analysis.h"
#include "allocator/pipeline/floor.h"
#include "allocator/pipeline/numbering.h"
#include "allocator/pipeline/place_run.h"
#include "allocator/pipeline/plan_instance.h"
#include "allocator/pipeline/plan_program.h"
#include "allocator/pipeline/shared_numbering.h"
#include "allocator/pipeline/sharing.h"
#include "tools/cli/arguments.h"
#include "tools/cli/clock.h"
#include "tools/cli/commands.h"
#include "tools/cli/exit_codes.h"
#include "tools/cli/explain.h"
#include "tools/cli/input.h"
#include "tools/cli/options.h"
#include "tools/cli/plan_input.h"
#include "tools/cli/say.h"

namespace berth {
namespace {

struct ExplainCommand {
  std::string input;
  std::string name;
  PlanRequest request;
  CsvOptions csv;
};

struct Target {
  const Module* module = nullptr;
  const Function* function = nullptr;
  int32_t location = -1;

  LocationPlace Place() const {
    return {module->core,
            static_cast<int32_t>(function - module->functions.data()),
            location};
  }
  std::string Label() const {
    return absl::StrCat(module->core, ":", function->name, "/",
                        function->locations[location].name);
  }
};

// The locations that `name` may mean: NAME, FUNCTION/NAME, CORE:FUNCTION/NAME.
std::vector<Target> FindLocations(const Program& program,
                                  const std::string& name) {
  std::vector<Target> found;
  for (const Module& module : program.modules) {
    for (const Function& function : module.functions) {
      for (size_t i = 0; i < function.locations.size(); ++i) {
        const Target target{&module, &function, static_cast<int32_t>(i)};
        const std::string& own = function.locations[i].name;
        if (name == own || name == absl::StrCat(function.name, "/", own) ||
            name == target.Label()) {
          found.push_back(target);
        }
      }
    }
  }
  return found;
}

absl::StatusOr<std::string> ExplainBuffer(const Instance& placed,
                                          const ExplainCommand& command) {
  Instance bare = placed;
  for (Buffer& buffer : bare.buffers) buffer.offset.reset();
  BERTH_ASSIGN_OR_RETURN(InstanceProblem numbered,
                         NumberInstance(bare, command.request.options));
  PlacedRun run;
  run.time_word = "times";
  run.end_points = EndPoints(bare);
  int32_t node = -1;
  for (size_t i = 0; i < placed.buffers.size(); ++i) {
    run.address.push_back(*placed.buffers[i].offset);
    if (placed.buffers[i].id == command.name) node = static_cast<int32_t>(i);
  }
  run.problem = std::move(numbered.problem);
  if (node < 0) {
    return absl::InvalidArgumentError(absl::StrCat(
        command.input, ": no buffer is called '", command.name, "'"));
  }
  return ToText(run, node, Explain(run, node));
}

// The record of the LOCAL run of `function`, or what the options give.
RunRecord RecordOf(const Function& function, const PlanOptions& options,
                   const Numbering& numbering) {
  for (const RunRecord& run : function.runs) {
    if (run.space == Space::kLocal) return run;
  }
  RunRecord record;
  record.ceiling = options.hbm_per_core_bytes;
  record.cc_end =
      FindCcRegion(0, record.ceiling, numbering.any_cc,
                   options.allreduce_buffer_mib, numbering.auto_cc_bytes)
          .end;
  return record;
}

// The record of the SHARED run that placed what `owner` owns, or what the
// options give of a common one.
RunRecord SharedRecordOf(const Function& owner, const PlanOptions& options,
                         uint64_t floor, const Numbering& numbering) {
  for (const RunRecord& run : owner.runs) {
    if (run.space == Space::kShared) return run;
  }
  RunRecord record;
  record.floor = floor;
  record.ceiling = options.hbm_per_core_bytes;
  record.cc_end =
      FindCcRegion(floor, record.ceiling, numbering.any_cc,
                   options.allreduce_buffer_mib, numbering.auto_cc_bytes)
          .end;
  return record;
}

// As the allocator saw the shared space: owners alone, phases as time.
absl::StatusOr<std::string> ExplainShared(const Program& program,
                                          const LocationPlace& place,
                                          const ExplainCommand& command) {
  const PlanOptions& options = command.request.options;
  Program bare = program;
  ClearOrPin(options.keep, bare);
  BERTH_ASSIGN_OR_RETURN(const ProgramAnalysis analysis, AnalyzeProgram(bare));
  const Sharing& sharing = analysis.sharing;
  const std::vector<const Module*> modules = ModulesByCore(program);
  const int32_t tensor = sharing.TensorOf(place);
  const LocationPlace& owner = sharing.owner(tensor);
  const Function& owner_function =
      modules[owner.core]->functions[owner.function];

  PlacedRun run;
  run.where = "shared space";
  int32_t begin = 0;
  int32_t end = sharing.size();
  for (const RunRecord& record : owner_function.runs) {
    if (record.space != Space::kShared || record.slab < 0) continue;
    while (sharing.owner(begin).core != owner.core) ++begin;
    while (sharing.owner(end - 1).core != owner.core) --end;
    run.where = absl::StrCat("shared space, slab ", record.slab);
  }
  const SizeRounding rounding = owner_function.runs.empty()
                                    ? options.size_rounding
                                    : owner_function.runs.back().size_rounding;
  const SharedNumbering numbers(bare, analysis, rounding);
  BERTH_ASSIGN_OR_RETURN(Numbering numbering, numbers.Number(begin, end));
  int32_t node = -1;
  HighWater floor = ProgramHighWater(program);
  for (size_t id = 0; id < numbering.location_of.size(); ++id) {
    const int32_t each = numbering.location_of[id];
    if (each == tensor) node = static_cast<int32_t>(id);
    const Location& placed = LocationAt(modules, sharing.owner(each));
    if (!placed.address.has_value()) {
      return absl::InvalidArgumentError(absl::StrCat(
          command.input, ": ", PlaceName(modules, sharing.owner(each)),
          " has no address"));
    }
    run.address.push_back(*placed.address);
    floor.end = std::min(floor.end, run.address.back());
  }
  const std::string name = PlaceName(modules, owner);
  if (node < 0) {
    return absl::StrCat(name, ", shared, is not placed here: ",
                        LocationAt(modules, owner).address.has_value()
                            ? "it is pre-placed"
                            : "nothing accesses it, or the runtime places it",
                        "\n");
  }
  const RunRecord record =
      SharedRecordOf(owner_function, options, floor.end, numbering);
  run.problem = std::move(numbering.problem);
  run.problem.floor = record.floor;
  run.problem.cc_end = record.cc_end;
  run.problem.ceiling = record.ceiling;
  run.time_word = "phases";
  return absl::StrCat(ToText(run, node, Explain(run, node)), "owner ", name,
                      ", copies on ", sharing.copies(tensor).size(),
                      " other core(s)\n");
}

absl::StatusOr<std::string> ExplainLocation(const Program& program,
                                            const Target& target,
                                            const ExplainCommand& command) {
  const Location& location = target.function->locations[target.location];
  if (location.type == MemoryType::kDram && location.space == Space::kShared) {
    return ExplainShared(program, target.Place(), command);
  }
  const std::string where =
      absl::StrCat("core ", target.module->core, " ", target.function->name);
  if (location.type != MemoryType::kDram || location.space != Space::kLocal ||
      !location.placeable() || location.pinned()) {
    return absl::StrCat(
        "'", location.name, "' of ", where, " is not placed here: ",
        location.pinned() ? absl::StrCat("pre-placed at ", *location.address)
                          : "not a candidate of the LOCAL space",
        "\n");
  }
  // As the allocator saw it: without the addresses that it gave.
  Function bare = *target.function;
  PlacedRun run;
  for (Location& each : bare.locations) {
    if (each.placed_by == PlacedBy::kBerth) each.address.reset();
  }
  BERTH_ASSIGN_OR_RETURN(const Liveness liveness, ComputeLiveness(bare));
  const SizeRounding rounding = target.function->runs.empty()
                                    ? command.request.options.size_rounding
                                    : target.function->runs[0].size_rounding;
  Numbering numbering =
      NumberLocations(bare, liveness, Space::kLocal, rounding);
  const RunRecord record =
      RecordOf(*target.function, command.request.options, numbering);
  int32_t node = -1;
  for (size_t id = 0; id < numbering.location_of.size(); ++id) {
    const int32_t i = numbering.location_of[id];
    if (i == target.location) node = static_cast<int32_t>(id);
    run.address.push_back(*target.function->locations[i].address);
  }
  if (node < 0) {
    return absl::StrCat("'", location.name, "' of ", where,
                        " has no access: it is not placed\n");
  }
  for (size_t i = 0; i < bare.locations.size(); ++i) {
    if (bare.locations[i].type == MemoryType::kDram &&
        bare.locations[i].space == Space::kLocal &&
        bare.locations[i].address.has_value() &&
        !liveness.occupied.of(static_cast<int32_t>(i)).empty()) {
      run.pin_names.push_back(bare.locations[i].name);
    }
  }
  run.problem = std::move(numbering.problem);
  run.problem.floor = record.floor;
  run.problem.cc_end = record.cc_end;
  run.problem.ceiling = record.ceiling;
  run.where = where;
  run.time_word = "instructions";
  return ToText(run, node, Explain(run, node));
}

int RunExplain(const ExplainCommand& command) {
  absl::StatusOr<Input> input = ReadInput(command.input, command.csv);
  if (!input.ok()) return Fail(input.status());
  if (!IsPlaced(*input)) {
    SayNote(absl::StrCat(command.input, " is not placed: planning it first"));
    PhaseClock clock;
    Planned planned;
    const absl::Status status =
        PlanInput(command.request, clock, *input, planned);
    if (!status.ok()) return Fail(status);
  }
  absl::StatusOr<std::string> text;
  if (!input->is_program()) {
    text = ExplainBuffer(input->csv().instance, command);
  } else {
    const std::vector<Target> found =
        FindLocations(input->program(), command.name);
    if (found.size() != 1) {
      std::string message = absl::StrCat(
          command.input, ": ",
          found.empty() ? "no location is" : "several locations are",
          " called '", command.name, "'");
      for (const Target& target : found) {
        absl::StrAppend(&message, "\n  ", target.Label());
      }
      return Fail(absl::InvalidArgumentError(message));
    }
    text = ExplainLocation(input->program(), found[0], command);
  }
  if (!text.ok()) return Fail(text.status());
  std::printf("%s", text->c_str());
  return kExitOk;
}

}  // namespace

void AddExplain(Arguments& arguments) {
  const auto explain = std::make_shared<ExplainCommand>();
  Command c = arguments.Add("explain", "say why a location is where it is",
                            [explain] { return RunExplain(*explain); });
  c.Text("INPUT", explain->input, "a program or CSV problem").Required();
  c.Text("NAME", explain->name, "NAME, FUNCTION/NAME or CORE:FUNCTION/NAME")
      .Required();
  AddPlanOptions(c, explain->request.options, explain->csv);
}

}  // namespace berth
