// I12 and I13 of what the planner makes: the corpus, and generated programs of
// every kind.
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "allocator/dependence/dependence.h"
#include "allocator/dependence/program_dependences.h"
#include "allocator/formats/program_io.h"
#include "allocator/gen/gen.h"
#include "allocator/gen/split.h"
#include "allocator/model/options.h"
#include "allocator/model/program.h"
#include "allocator/pipeline/plan_program.h"
#include "allocator/pipeline/state.h"
#include "allocator/simulate/simulate.h"
#include "gtest/gtest.h"

namespace berth {
namespace {

// Plans and runs `program`; returns how many uses were checked.
int64_t PlanAndRun(Program program, const PlanOptions& plan,
                   const SimulateOptions& options, const std::string& what) {
  PlanReport planned;
  const absl::Status status =
      PlanProgram(plan, nullptr, nullptr, program, planned);
  EXPECT_TRUE(status.ok()) << what << ": " << status;
  if (!status.ok()) return 0;
  const auto report = Simulate(program, FindDependences(program), options);
  EXPECT_TRUE(report.ok()) << what << ": " << report.status();
  if (!report.ok()) return 0;
  EXPECT_TRUE(report->ok()) << what << ": " << report->fault->message;
  EXPECT_EQ(report->cut_paths, 0) << what;
  return report->uses;
}

constexpr LinkMode kLinkModes[] = {LinkMode::kPre, LinkMode::kPost};

TEST(PlannedPrograms, TheCorpusRuns) {
  int count = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator("corpus/programs")) {
    const std::string path = entry.path().string();
    if (!absl::EndsWith(path, ".textproto")) continue;
    std::ifstream file(path, std::ios::binary);
    std::ostringstream content;
    content << file.rdbuf();
    const auto program = ReadProgramText(content.str(), path);
    ASSERT_TRUE(program.ok()) << program.status();
    for (const LinkMode mode : kLinkModes) {
      PlanOptions plan;
      plan.link_mode = mode;
      SimulateOptions options;
      options.schedules = 100;
      PlanAndRun(*program, plan, options, path);
    }
    ++count;
  }
  EXPECT_GE(count, 15);
}

TEST(PlannedPrograms, GeneratedProgramsOfEveryKindRun) {
  for (const GenKind& kind : GenKinds()) {
    int64_t uses = 0;
    for (uint64_t seed = 1; seed <= 6; ++seed) {
      GenOptions gen;
      gen.kind = kind.name;
      gen.size = seed <= 3 ? 30 : 120;
      gen.seed = seed;
      gen.live = 8;
      const auto program = GenerateProgram(gen);
      ASSERT_TRUE(program.ok()) << kind.name << ": " << program.status();
      PlanOptions plan;
      plan.link_mode = kLinkModes[seed % 2];
      plan.size_rounding =
          seed % 3 == 0 ? SizeRounding::kNone : SizeRounding::kPage;
      SimulateOptions options;
      options.schedules = 48;
      options.seed = seed;
      uses += PlanAndRun(*program, plan, options,
                         absl::StrCat(kind.name, " seed ", seed));
    }
    EXPECT_GT(uses, 1000) << kind.name;
  }
}

// One program over several cores: parts, staging buffers, hand-overs.
TEST(PlannedPrograms, SplitProgramsRun) {
  for (const char* kind : {"transformer", "calls", "cnn", "loops"}) {
    for (const int32_t cores : {2, 3, 8}) {
      GenOptions gen;
      gen.kind = kind;
      gen.size = 80;
      gen.seed = static_cast<uint64_t>(cores);
      const auto whole = GenerateProgram(gen);
      ASSERT_TRUE(whole.ok()) << whole.status();
      const auto program = SplitProgram(*whole, cores);
      ASSERT_TRUE(program.ok()) << program.status();
      PlanOptions plan;
      plan.link_mode = kLinkModes[cores % 2];
      SimulateOptions options;
      options.schedules = 12;
      PlanAndRun(*program, plan, options,
                 absl::StrCat(kind, " over ", cores, " cores"));
    }
  }
}

TEST(PlannedPrograms, EveryPlannerRuns) {
  for (const Planner planner :
       {Planner::kReference, Planner::kGreedy, Planner::kTight}) {
    for (const char* kind : {"transformer", "loops", "branches", "calls"}) {
      GenOptions gen;
      gen.kind = kind;
      gen.size = 60;
      const auto program = GenerateProgram(gen);
      ASSERT_TRUE(program.ok()) << program.status();
      PlanOptions plan;
      plan.planner = planner;
      plan.budget_steps = 2000;
      SimulateOptions options;
      options.schedules = 24;
      PlanAndRun(*program, plan, options, kind);
    }
  }
}

// Whether `later` waits for `earlier` without the edge between the two that is
// `drop`.
bool Implied(const FunctionDependences& edges, const Dependence& drop) {
  std::vector<int32_t> open = {drop.earlier};
  std::set<int32_t> seen;
  while (!open.empty()) {
    const int32_t at = open.back();
    open.pop_back();
    if (at == drop.later) return true;
    if (!seen.insert(at).second) continue;
    for (const auto* list : {&edges.fdeps, &edges.local}) {
      for (const Dependence& edge : *list) {
        if (edge.earlier == at && !(edge == drop)) open.push_back(edge.later);
      }
    }
  }
  return false;
}

// Every anti edge that placement made and that nothing else implies is one that
// the machine misses when it is gone.
TEST(PlannedPrograms, DroppedEdgesOfATransformerAreFound) {
  int dropped = 0;
  for (uint64_t seed = 1; seed <= 4; ++seed) {
    GenOptions gen;
    gen.kind = "transformer";
    gen.size = 76;
    gen.seed = seed;
    auto program = GenerateProgram(gen);
    ASSERT_TRUE(program.ok()) << program.status();
    PlanOptions plan;
    plan.allreduce_buffer_mib = 0;
    PlanReport planned;
    ASSERT_TRUE(PlanProgram(plan, nullptr, nullptr, *program, planned).ok());
    const FunctionDependences all = planned.dependences.functions[0][0];
    SimulateOptions options;
    // Two that are fixed, then every instruction is rushed once.
    options.schedules =
        2 + 3 * program->modules[0].functions[0].num_instructions();
    for (size_t i = 0; i < all.local.size(); ++i) {
      const Dependence edge = all.local[i];
      if (edge.kind != DependenceKind::kAnti || Implied(all, edge)) continue;
      auto& local = planned.dependences.functions[0][0].local;
      local = all.local;
      local.erase(local.begin() + static_cast<std::ptrdiff_t>(i));
      const auto report = Simulate(*program, planned.dependences, options);
      ASSERT_TRUE(report.ok()) << report.status();
      EXPECT_FALSE(report->ok()) << edge.earlier << " before " << edge.later;
      ++dropped;
    }
  }
  EXPECT_GT(dropped, 20);
}

}  // namespace
}  // namespace berth
