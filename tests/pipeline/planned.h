// Plans a program and lets the validator judge what was placed.
#ifndef BERTH_TESTS_PIPELINE_PLANNED_H_
#define BERTH_TESTS_PIPELINE_PLANNED_H_

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "allocator/model/options.h"
#include "allocator/model/program.h"
#include "allocator/pipeline/state.h"
#include "tests/testing/program_builder.h"

namespace berth::testing {

struct PlannedProgram {
  absl::Status status;
  Program program;
  PlanReport report;

  // The address of a location of core 0; stops the test if it has none.
  uint64_t at(const std::string& name, const std::string& function = "") const {
    return FindLocation(program, name, 0, function).address.value();
  }
  uint64_t at(int32_t core, const std::string& name) const {
    return FindLocation(program, name, core).address.value();
  }
  const RunRecord& record() const { return report.runs.at(0).record; }
  // The only SHARED run.
  const RunRecord& shared_record() const;
  std::string message() const { return std::string(status.message()); }
  // All event lines.
  std::string log() const;
};

// A placement that breaks an invariant, I9 included, fails the test.
PlannedProgram Planned(const Program& program, const PlanOptions& options = {});
PlannedProgram Planned(const ProgramBuilder& builder,
                       const PlanOptions& options = {});

}  // namespace berth::testing

#endif  // BERTH_TESTS_PIPELINE_PLANNED_H_
