// berth simulate: runs a placed program on byte-accurate memories, in many
// orders.
#include <cstdint>
#include <cstdio>
#include <limits>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "allocator/dependence/program_dependences.h"
#include "allocator/formats/csv.h"
#include "allocator/simulate/simulate.h"
#include "nlohmann/json.hpp"
#include "tools/cli/arguments.h"
#include "tools/cli/clock.h"
#include "tools/cli/commands.h"
#include "tools/cli/exit_codes.h"
#include "tools/cli/input.h"
#include "tools/cli/options.h"
#include "tools/cli/plan_input.h"
#include "tools/cli/say.h"

namespace berth {
namespace {

struct SimulateCommand {
  std::string input;
  bool json = false;
  SimulateOptions options;
  PlanRequest request;
  CsvOptions csv;
};

void PrintJson(const SimulateCommand& command, const SimulateReport& report) {
  nlohmann::ordered_json json;
  json["input"] = command.input;
  json["seed"] = command.options.seed;
  json["schedules"] = report.schedules;
  json["paths"] = report.paths;
  json["exhausted_paths"] = report.exhausted;
  json["cut_paths"] = report.cut_paths;
  json["steps"] = report.events;
  json["uses"] = report.uses;
  json["ok"] = report.ok();
  if (report.fault) {
    json["invariant"] = absl::StrCat("I", report.fault->invariant);
    json["schedule"] = report.fault->schedule;
    json["message"] = report.fault->message;
  }
  std::printf("%s\n", json.dump(-1, ' ', false,
                                nlohmann::json::error_handler_t::replace)
                          .c_str());
}

void PrintText(const SimulateCommand& command, const SimulateReport& report) {
  std::printf("%s: %lld schedules of %lld paths, %lld steps, %lld uses",
              command.input.c_str(), static_cast<long long>(report.schedules),
              static_cast<long long>(report.paths),
              static_cast<long long>(report.events),
              static_cast<long long>(report.uses));
  if (report.exhausted > 0) {
    std::printf("; every order of %lld paths",
                static_cast<long long>(report.exhausted));
  }
  if (report.cut_paths > 0) {
    std::printf("; %lld paths were cut",
                static_cast<long long>(report.cut_paths));
  }
  if (report.ok()) {
    std::printf("\n%s: every use sees its bytes\n", command.input.c_str());
  } else {
    std::printf("\nI%d: %s\n", report.fault->invariant,
                report.fault->message.c_str());
  }
}

int RunSimulate(const SimulateCommand& command) {
  absl::StatusOr<Input> input = ReadInput(command.input, command.csv);
  if (!input.ok()) return Fail(input.status());
  if (!input->is_program()) {
    SayError(absl::StrCat(command.input,
                          ": a CSV has no instructions that could run"));
    return kExitUsage;
  }
  if (!IsPlaced(*input)) {
    SayNote(absl::StrCat(command.input, " is not placed: planning it first"));
    PhaseClock clock;
    Planned planned;
    const absl::Status status =
        PlanInput(command.request, clock, *input, planned);
    if (!status.ok()) return Fail(status);
  }
  const absl::StatusOr<SimulateReport> report = Simulate(
      input->program(), FindDependences(input->program()), command.options);
  if (!report.ok()) return Fail(report.status());
  command.json ? PrintJson(command, *report) : PrintText(command, *report);
  return report->ok() ? kExitOk : kExitBroken;
}

}  // namespace

void AddSimulate(Arguments& arguments) {
  const auto simulate = std::make_shared<SimulateCommand>();
  Command c = arguments.Add(
      "simulate",
      "run a placed program on byte-accurate memories, in many orders",
      [simulate] { return RunSimulate(*simulate); });
  c.Text("INPUT", simulate->input, "a program; planned first if not placed")
      .Required();
  c.Int("--schedules", simulate->options.schedules, 1,
        std::numeric_limits<int32_t>::max(),
        "orders to run, over random paths (default 64); of short paths every "
        "order is run")
      .Type("N");
  c.Unsigned("--seed", simulate->options.seed,
             "of paths and orders (default 1)")
      .Type("S");
  c.Flag("--json", simulate->json, "print one JSON object");
  AddPlanOptions(c, simulate->request.options, simulate->csv);
}

}  // namespace berth
