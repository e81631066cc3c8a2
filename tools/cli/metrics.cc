#include "tools/cli/metrics.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "allocator/base/int_math.h"
#include "allocator/base/phase.h"
#include "allocator/dependence/dependence.h"
#include "allocator/dependence/program_dependences.h"
#include "allocator/model/names.h"
#include "allocator/model/program.h"
#include "allocator/pipeline/accounting.h"
#include "allocator/pipeline/plan_instance.h"
#include "allocator/pipeline/state.h"
#include "nlohmann/json.hpp"
#include "tools/cli/clock.h"
#include "tools/cli/table.h"

namespace berth {
namespace {

using Json = nlohmann::ordered_json;

void TakeTimes(const PhaseClock& clock, Metrics& metrics) {
  for (int i = 0; i < kNumPhases; ++i) {
    metrics.seconds[i] = clock.seconds(static_cast<Phase>(i));
  }
  metrics.total_seconds = clock.total();
  metrics.max_rss_bytes = MaxRssBytes();
}

double RatioOf(const RunRecord& run) {
  return Ratio(run.peak - run.floor, run.lower_bound);
}

// No placement has a lower peak: the search says so, or the bound does.
bool ProvedOptimal(const RunReport& report) {
  const RunRecord& run = report.record;
  return report.proved_optimal || run.peak - run.floor == run.lower_bound;
}

std::string Hex(uint64_t value) { return absl::StrFormat("%016x", value); }

Json RunJson(const RunReport& report) {
  const RunRecord& run = report.record;
  Json json;
  if (run.space == Space::kLocal) json["function"] = report.function;
  json["space"] = std::string(Name(run.space));
  if (run.slab >= 0) json["slab"] = run.slab;
  json["locations"] = run.locations;
  json["intervals"] = run.intervals;
  json["lower_bound"] = run.lower_bound;
  json["peak"] = run.peak;
  json["ratio"] = RatioOf(run);
  json["floor"] = run.floor;
  json["ceiling"] = run.ceiling;
  json["proved_optimal"] = ProvedOptimal(report);
  return json;
}

Json ModulesJson(const Metrics& m) {
  const auto num_cores = static_cast<int32_t>(m.use.private_peak.size());
  Json modules = Json::array();
  for (int32_t core = 0; core < num_cores; ++core) {
    Json module;
    module["core"] = core;
    module["private_peak"] = m.use.private_peak[core];
    module["functions"] = Json::array();
    modules.push_back(std::move(module));
  }
  for (const RunReport& run : m.runs) {
    if (run.record.space != Space::kLocal) continue;
    modules[run.core]["functions"].push_back(RunJson(run));
  }
  return modules;
}

// What build_fdeps found, then what placement made: within functions, in the
// shared space between functions or cores.
Json DependencesJson(const DependenceSummary& found) {
  constexpr auto kFlow = DependenceKind::kFlow;
  constexpr auto kAnti = DependenceKind::kAnti;
  constexpr auto kOutput = DependenceKind::kOutput;
  Json json;
  json["flow"] = found.fdeps[kFlow];
  json["anti"] = found.fdeps[kAnti];
  json["output"] = found.fdeps[kOutput];
  json["placement_anti"] = found.local[kAnti] + found.shared[kAnti];
  json["placement_output"] = found.local[kOutput] + found.shared[kOutput];
  json["cross_anti"] = found.across[kAnti];
  json["cross_output"] = found.across[kOutput];
  return json;
}

// Which bound binds, where it is another than load.
std::string BoundLine(const Metrics& m) {
  const RunReport& run = m.Highest();
  if (run.peak_bound <= run.record.floor + run.record.lower_bound) return "";
  return absl::StrCat(m.input, ": no placement can have a peak below ",
                      run.peak_bound, " (bound of ", run.peak_bound_kind,
                      ")\n");
}

std::string DependencesLine(const Metrics& m) {
  const Json json = DependencesJson(m.dependences);
  const auto count = [&](const char* key) {
    return absl::StrCat(json[key].get<int64_t>());
  };
  std::string line = absl::StrCat(
      m.input, ": placement made ", count("placement_anti"), " anti and ",
      count("placement_output"), " output dependences");
  if (m.dependences.across != DependenceCounts()) {
    absl::StrAppend(&line, " and, between functions or cores, ",
                    count("cross_anti"), " anti and ", count("cross_output"),
                    " output");
  }
  absl::StrAppend(&line, "; tensors have ", count("flow"), " flow, ",
                  count("anti"), " anti and ", count("output"), " output");
  if (m.merged_copies > 0) {
    absl::StrAppend(&line, "; ", m.merged_copies, " DMA copies were merged");
  }
  return line + "\n";
}

Json SharedJson(const Metrics& m) {
  Json runs = Json::array();
  for (const RunReport& run : m.runs) {
    if (run.record.space == Space::kShared) runs.push_back(RunJson(run));
  }
  return runs;
}

std::string Seconds(double seconds) { return absl::StrFormat("%.3f", seconds); }

std::string RunName(const RunReport& run) {
  if (run.record.space == Space::kLocal) {
    return absl::StrCat("  core ", run.core, " ", run.function, " LOCAL");
  }
  return run.record.slab < 0 ? "  SHARED"
                             : absl::StrCat("  SHARED slab ", run.record.slab);
}

void AddRow(const std::string& name, uint64_t locations, const RunRecord& run,
            Table& table) {
  table.Add({name, "", absl::StrCat(locations), absl::StrCat(run.lower_bound),
             absl::StrCat(run.peak), absl::StrFormat("%.4f", RatioOf(run)), "",
             ""});
}

// Private peaks by core, the shared runs, and what the program takes.
void AddCoreRows(const Metrics& m, Table& table) {
  // Per core its highest run and the locations of all.
  std::vector<RunRecord> highest(m.use.private_peak.size());
  std::vector<uint64_t> locations(highest.size());
  for (const RunReport& run : m.runs) {
    if (run.record.space != Space::kLocal) continue;
    locations[run.core] += run.record.locations;
    if (run.record.peak >= highest[run.core].peak) {
      highest[run.core] = run.record;
    }
  }
  for (size_t core = 0; core < highest.size(); ++core) {
    AddRow(absl::StrCat("  core ", core, " private"), locations[core],
           highest[core], table);
  }
  for (const RunReport& run : m.runs) {
    if (run.record.space != Space::kShared) continue;
    AddRow(RunName(run), run.record.locations, run.record, table);
  }
  table.Add({"  program total", "", "", "", absl::StrCat(m.use.program_total),
             "", "", ""});
}

}  // namespace

uint64_t Metrics::Sum(uint64_t RunRecord::*field) const {
  uint64_t sum = 0;
  for (const RunReport& run : runs) {
    sum = CheckedAdd(sum, run.record.*field).value_or(~uint64_t{0});
  }
  return sum;
}

uint64_t Metrics::Max(uint64_t RunRecord::*field) const {
  uint64_t most = 0;
  for (const RunReport& run : runs) most = std::max(most, run.record.*field);
  return most;
}

const RunReport& Metrics::Highest() const {
  static const RunReport none;
  const RunReport* highest = runs.empty() ? &none : &runs[0];
  for (const RunReport& run : runs) {
    if (run.record.peak > highest->record.peak) highest = &run;
  }
  return *highest;
}

double Metrics::Ratio() const { return RatioOf(Highest().record); }

Metrics MeasureProgram(const std::string& input, const Program& program,
                       const PlanOptions& options, const PlanReport& report,
                       const PhaseClock& clock) {
  Metrics metrics;
  metrics.input = input;
  metrics.planner = std::string(Name(options.planner));
  metrics.is_program = true;
  metrics.runs = report.runs;
  for (const Module& module : program.modules) {
    for (const Function& function : module.functions) {
      metrics.instructions += function.num_instructions();
    }
  }
  metrics.use =
      MeasureUse(static_cast<int32_t>(program.modules.size()), report);
  metrics.dependences = Summarise(report.dependences);
  metrics.merged_copies = report.merged_copies;
  metrics.placement_hash = PlacementHash(program);
  TakeTimes(clock, metrics);
  return metrics;
}

Metrics MeasureInstance(const std::string& input, const Instance& instance,
                        const PlanOptions& options, const RunReport& run,
                        const PhaseClock& clock) {
  Metrics metrics;
  metrics.input = input;
  metrics.planner = std::string(Name(options.planner));
  metrics.runs = {run};
  metrics.placement_hash = PlacementHash(instance);
  TakeTimes(clock, metrics);
  return metrics;
}

std::string ToJson(const Metrics& m) {
  const RunReport& highest = m.Highest();
  bool proved = !m.runs.empty();
  uint64_t visits = 0;
  for (const RunReport& run : m.runs) {
    proved &= ProvedOptimal(run);
    visits += run.visits;
  }
  Json json;
  json["input"] = m.input;
  json["planner"] = m.planner;
  json["locations"] = m.Sum(&RunRecord::locations);
  json["intervals"] = m.Sum(&RunRecord::intervals);
  json["instructions"] = m.instructions;
  json["lower_bound"] = highest.record.lower_bound;
  json["peak"] = highest.record.peak;
  json["peak_without_cc_reserve"] = m.Max(&RunRecord::peak_without_cc_reserve);
  json["ratio"] = m.Ratio();
  json["proved_optimal"] = proved;
  json["floor"] = highest.record.floor;
  json["ceiling"] = highest.record.ceiling;
  json["real_cc_buffer_size"] = m.Max(&RunRecord::real_cc_buffer_size);
  json["allreduce_dram_hwm"] = m.Max(&RunRecord::allreduce_dram_hwm);
  json["cc_overflow_bytes"] = m.Sum(&RunRecord::cc_overflow_bytes);
  json["cc_intruder_bytes"] = m.Sum(&RunRecord::cc_intruder_bytes);
  json["unreferenced"] = m.Sum(&RunRecord::unreferenced);
  json["external"] = m.Sum(&RunRecord::external);
  json["reserved_space"] = highest.record.reserved_space;
  json["spill_bytes"] = m.Sum(&RunRecord::spill_bytes);
  json["aligned_spill_bytes"] = m.Sum(&RunRecord::aligned_spill_bytes);
  json["dram_bytes"] = m.Sum(&RunRecord::dram_bytes);
  Json seconds;
  const char* const names[] = {"read",  "liveness", "build",
                               "order", "place",    "validate"};
  for (int i = 0; i < 6; ++i) seconds[names[i]] = m.seconds[i];
  json["seconds"] = seconds;
  json["max_rss_bytes"] = m.max_rss_bytes;
  json["visits"] = visits;
  json["placement_hash"] = Hex(m.placement_hash);
  json["peak_bound"] = highest.peak_bound;
  json["peak_bound_kind"] = highest.peak_bound_kind;
  if (m.is_program) {
    json["modules"] = ModulesJson(m);
    json["shared_runs"] = SharedJson(m);
    json["shared_floor"] = m.use.shared_floor;
    json["shared_peak"] = m.use.shared_peak;
    json["program_total"] = m.use.program_total;
    json["dependences"] = DependencesJson(m.dependences);
    json["merged_dma_copies"] = m.merged_copies;
  }
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string ToTable(const std::vector<Metrics>& all) {
  Table table({"input", "planner", "locations", "lower bound", "peak", "ratio",
               "seconds", "valid"},
              {true, true, false, false, false, false, false, true});
  for (const Metrics& m : all) {
    const RunReport& highest = m.Highest();
    table.Add({m.input, m.planner, absl::StrCat(m.Sum(&RunRecord::locations)),
               absl::StrCat(highest.record.lower_bound),
               absl::StrCat(highest.record.peak),
               absl::StrFormat("%.4f", m.Ratio()), Seconds(m.total_seconds),
               m.validated ? "yes" : "not checked"});
    if (m.use.private_peak.size() > 1) {
      AddCoreRows(m, table);
    } else if (m.runs.size() > 1) {
      for (const RunReport& run : m.runs) {
        AddRow(RunName(run), run.record.locations, run.record, table);
      }
    }
  }
  std::string text = table.ToString();
  for (const Metrics& m : all) {
    text += BoundLine(m);
    if (m.is_program) text += DependencesLine(m);
  }
  return text;
}

}  // namespace berth
