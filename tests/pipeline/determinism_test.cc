// I6 and I7 over generated programs: same input, same bytes, whatever the order
// of modules; the reference planner and the fast one give one placement; both
// emissions too; and the validator accepts all of them.
#include <algorithm>
#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "allocator/gen/gen.h"
#include "allocator/model/options.h"
#include "allocator/model/program.h"
#include "allocator/pipeline/plan_program.h"
#include "allocator/pipeline/state.h"
#include "allocator/validate/validate.h"
#include "gtest/gtest.h"

namespace berth {
namespace {

Program Placed(Program program, const PlanOptions& options) {
  PlanReport report;
  const absl::Status status =
      PlanProgram(options, nullptr, nullptr, program, report);
  EXPECT_TRUE(status.ok()) << status;
  ValidateOptions validate;
  validate.plan = options;
  validate.full = true;
  const Report checked = ValidateProgram(program, nullptr, validate);
  EXPECT_TRUE(checked.ok()) << checked.ToString();
  return program;
}

TEST(Determinism, PlannersEmissionsAndRepetitionsAgreeOnEveryKind) {
  for (const GenKind& kind : GenKinds()) {
    for (uint64_t seed = 1; seed <= 6; ++seed) {
      GenOptions gen;
      gen.kind = kind.name;
      gen.size = 60;
      gen.seed = seed;
      gen.live = 8;
      const auto program = GenerateProgram(gen);
      ASSERT_TRUE(program.ok()) << kind.name << ": " << program.status();
      for (const auto rounding : {SizeRounding::kPage, SizeRounding::kNone}) {
        PlanOptions options;
        options.size_rounding = rounding;
        options.link_mode = seed % 2 ? LinkMode::kPre : LinkMode::kPost;
        const uint64_t hash = PlacementHash(Placed(*program, options));
        EXPECT_EQ(hash, PlacementHash(Placed(*program, options)));
        options.planner = Planner::kReference;
        EXPECT_EQ(hash, PlacementHash(Placed(*program, options)))
            << kind.name << " seed " << seed;
        options.emission = Emission::kPerEdge;
        EXPECT_EQ(hash, PlacementHash(Placed(*program, options)))
            << kind.name << " seed " << seed;
      }
    }
  }
}

}  // namespace
}  // namespace berth
