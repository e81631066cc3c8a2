#include "tests/pipeline/planned.h"

#include <string>

#include "allocator/base/check.h"
#include "allocator/pipeline/events.h"
#include "allocator/pipeline/plan_program.h"
#include "allocator/validate/validate.h"
#include "gtest/gtest.h"

namespace berth::testing {

const RunRecord& PlannedProgram::shared_record() const {
  const RunRecord* found = nullptr;
  for (const RunReport& run : report.runs) {
    if (run.record.space != Space::kShared) continue;
    BERTH_CHECK(found == nullptr);
    found = &run.record;
  }
  BERTH_CHECK(found != nullptr);
  return *found;
}

std::string PlannedProgram::log() const {
  std::string lines;
  for (const Event& event : report.events) lines += ToLine(event) + "\n";
  return lines;
}

PlannedProgram Planned(const Program& program, const PlanOptions& options) {
  PlannedProgram result;
  result.program = program;
  Program input = program;
  ClearOrPin(options.keep, input);
  result.status =
      PlanProgram(options, nullptr, nullptr, result.program, result.report);
  if (result.status.ok()) {
    ValidateOptions validate;
    validate.plan = options;
    validate.full = true;
    const Report report = ValidateProgram(result.program, &input, validate);
    EXPECT_TRUE(report.ok()) << report.ToString();
  }
  return result;
}

PlannedProgram Planned(const ProgramBuilder& builder,
                       const PlanOptions& options) {
  return Planned(builder.Build(), options);
}

}  // namespace berth::testing
