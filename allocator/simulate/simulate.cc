#include "allocator/simulate/simulate.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "allocator/base/rng.h"
#include "allocator/base/status_macros.h"
#include "allocator/dependence/program_dependences.h"
#include "allocator/model/check_program.h"
#include "allocator/model/program.h"
#include "allocator/rendezvous/core_order.h"
#include "allocator/simulate/expectation.h"
#include "allocator/simulate/layout.h"
#include "allocator/simulate/memories.h"
#include "allocator/simulate/schedule.h"
#include "allocator/simulate/shared_loops.h"
#include "allocator/simulate/trace.h"

namespace berth {
namespace {

using machine::Executed;
using machine::Expectation;
using machine::Fault;
using machine::Layout;
using machine::Strategy;
using machine::Tag;
using machine::Trace;

// Orders run of one path before the next is drawn, where there are others.
constexpr int64_t kSchedulesPerPath = 8;
// Of what ran before a fault, so much is told.
constexpr size_t kStepsTold = 12;

std::string Writer(const Layout& layout, const Trace& trace, const Tag& tag) {
  const std::string location = QuotedName(layout.LocationOf(tag.memory).name);
  if (tag.writer == machine::kLoadWriter) {
    return absl::StrCat("what ", location, " holds from the start");
  }
  const auto& [core, event] = trace.writers[tag.writer];
  return absl::StrCat("what ",
                      Describe(layout, core, trace.cores[core].events[event]),
                      " wrote to ", location);
}

std::string Steps(const Layout& layout, const Trace& trace,
                  const Executed& executed) {
  std::string text;
  const size_t first =
      executed.size() > kStepsTold ? executed.size() - kStepsTold : 0;
  if (first > 0) text = absl::StrCat("... ", first, " steps, ");
  for (size_t i = first; i < executed.size(); ++i) {
    const auto& [core, event] = executed[i];
    absl::StrAppend(&text, i == first ? "" : ", ");
    if (trace.cores.size() > 1) absl::StrAppend(&text, core, ":");
    absl::StrAppend(&text,
                    Label(layout, core, trace.cores[core].events[event]));
  }
  return text;
}

std::string Message(const Layout& layout, const Trace& trace,
                    const Fault& fault, const Executed& executed,
                    const std::string& schedule) {
  const machine::ExpectedBytes& expected = fault.expected;
  const machine::FunctionLayout& f =
      layout.cores[fault.core].functions[expected.function];
  const std::string reader =
      fault.event < 0
          ? absl::StrCat("core ", fault.core, ", at the end, ")
          : absl::StrCat(Describe(layout, fault.core,
                                  trace.cores[fault.core].events[fault.event]),
                         " ");
  return absl::StrCat(
      reader, "reads bytes [", fault.first, ", ", expected.hi, ") of ",
      QuotedName(f.function->locations[expected.location].name), " (address ",
      f.places[expected.location].address + fault.first, "): must see ",
      Writer(layout, trace, fault.wanted), ", sees ",
      fault.seen ? Writer(layout, trace, *fault.seen)
                 : std::string("bytes that nobody wrote"),
      fault.seen && fault.seen->writer == fault.wanted.writer &&
              fault.seen->memory == fault.wanted.memory
          ? absl::StrCat(" as its byte ", fault.seen->origin, ", not ",
                         fault.wanted.origin)
          : std::string(),
      "; ", schedule, ": ", Steps(layout, trace, executed));
}

class Simulation {
 public:
  Simulation(const Layout& layout, const CoreOrder& order,
             const SimulateOptions& options)
      : layout_(layout),
        order_(order),
        loops_(layout, order),
        options_(options),
        rng_(options.seed) {}

  SimulateReport Run() {
    for (uint64_t path = 0; Left() > 0 && report_.ok(); ++path) {
      machine::TraceOptions trace_options;
      trace_options.seed = options_.seed + path * 0x9e3779b97f4a7c15u;
      trace_options.max_events = options_.max_events;
      trace_options.dropped_rendezvous = options_.dropped_rendezvous;
      const Trace trace = MakeTrace(layout_, order_, loops_, trace_options);
      const Expectation expectation(layout_, trace);
      ++report_.paths;
      if (!expectation.complete()) ++report_.cut_paths;
      if (!machine::IsExhaustive(trace) || !RunAll(trace, expectation)) {
        RunSome(trace, expectation,
                trace.branched ? std::min(Left(), kSchedulesPerPath) : Left());
      }
      // There is no other path, and every order of this one has been run.
      if (!trace.branched && report_.exhausted > 0) break;
    }
    return std::move(report_);
  }

 private:
  int64_t Left() const { return options_.schedules - report_.schedules; }

  // False if there are too many orders to run them all.
  bool RunAll(const Trace& trace, const Expectation& expectation) {
    // Program order first: what fails there is I12.
    RunOne(trace, expectation, Strategy::kProgram);
    if (!report_.ok()) return true;
    machine::EveryOrder all =
        RunEveryOrder(layout_, trace, expectation, options_.max_states);
    report_.exhausted += all.complete ? 1 : 0;
    report_.events += all.states;
    if (all.outcome.fault) {
      Report(trace, all.outcome, Strategy::kAll, report_.schedules - 1);
    }
    return all.complete || !report_.ok();
  }

  void RunSome(const Trace& trace, const Expectation& expectation,
               int64_t count) {
    constexpr Strategy kCycle[] = {Strategy::kRush, Strategy::kDelay,
                                   Strategy::kRandom};
    for (int64_t i = 0; i < count && report_.ok(); ++i) {
      if (i < 2) {
        RunOne(trace, expectation,
               i == 0 ? Strategy::kProgram : Strategy::kLatest);
      } else {
        RunOne(trace, expectation, kCycle[(i - 2) % 3]);
      }
    }
  }

  void RunOne(const Trace& trace, const Expectation& expectation,
              Strategy strategy) {
    // Turns go on over all paths, so that later ones single out other events.
    const int64_t turn = turns_[static_cast<int>(strategy)]++;
    const machine::Outcome outcome =
        RunSchedule(layout_, trace, expectation, strategy, turn, rng_);
    const int64_t index = report_.schedules++;
    report_.events += static_cast<int64_t>(outcome.executed.size());
    report_.uses += expectation.num_uses();
    if (outcome.fault) Report(trace, outcome, strategy, index);
  }

  void Report(const Trace& trace, const machine::Outcome& outcome,
              Strategy strategy, int64_t index) {
    SimulateFault fault;
    fault.invariant = strategy == Strategy::kProgram ? 12 : 13;
    fault.schedule = index;
    fault.message =
        Message(layout_, trace, *outcome.fault, outcome.executed,
                absl::StrCat("schedule ", index, " of seed ", options_.seed,
                             " (", std::string(Name(strategy)), ")"));
    report_.fault = std::move(fault);
  }

  const Layout& layout_;
  const CoreOrder& order_;
  const machine::SharedLoops loops_;
  const SimulateOptions& options_;
  Rng rng_;
  int64_t turns_[static_cast<int>(Strategy::kAll) + 1] = {};
  SimulateReport report_;
};

}  // namespace

absl::StatusOr<SimulateReport> Simulate(const Program& program,
                                        const ProgramDependences& dependences,
                                        const SimulateOptions& options) {
  BERTH_ASSIGN_OR_RETURN(const CoreOrder order, CoreOrder::Of(program));
  BERTH_ASSIGN_OR_RETURN(const Layout layout,
                         machine::LayOut(program, dependences));
  return Simulation(layout, order, options).Run();
}

}  // namespace berth
