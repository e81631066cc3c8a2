#include "tests/liveness/liveness_text.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "allocator/base/check.h"
#include "allocator/liveness/liveness.h"
#include "allocator/model/intervals.h"
#include "allocator/model/options.h"
#include "allocator/model/program.h"
#include "tests/testing/program_builder.h"

namespace berth::testing {
namespace {

const Function& FirstFunction(const Program& program) {
  return program.modules[0].functions[0];
}

void AppendItem(std::string& text, const std::string& item) {
  absl::StrAppend(&text, text.empty() ? "" : " ", item);
}

}  // namespace

Liveness LivenessOf(const Function& function) {
  absl::StatusOr<Liveness> liveness = ComputeLiveness(function);
  BERTH_CHECK(liveness.ok());
  return *std::move(liveness);
}

std::string Occupied(const Program& program, absl::string_view name) {
  const Function& function = FirstFunction(program);
  const Liveness liveness = LivenessOf(function);
  std::string text;
  for (const Interval& run :
       liveness.occupied.of(LocationIndex(function, name))) {
    AppendItem(text, absl::StrCat(run.lo, "-", run.hi));
  }
  return text;
}

bool BlockLocal(const Program& program, absl::string_view name) {
  const Function& function = FirstFunction(program);
  return LivenessOf(function).block_local[LocationIndex(function, name)];
}

std::string UndefinedUses(const Program& program) {
  const Function& function = FirstFunction(program);
  std::string text;
  for (const UndefinedUse& use : LivenessOf(function).undefined_uses) {
    AppendItem(text, absl::StrCat(function.locations[use.location].name, "@",
                                  use.instruction));
  }
  return text;
}

std::string Emitted(const Program& program, Emission emission,
                    const std::vector<std::string>& names) {
  const Function& function = FirstFunction(program);
  std::vector<int32_t> nodes;
  for (const std::string& name : names) {
    nodes.push_back(LocationIndex(function, name));
  }
  const auto intervals =
      EmitIntervals(function, LivenessOf(function), emission, nodes);
  BERTH_CHECK(intervals.ok());
  std::string text;
  for (const OwnedInterval& interval : *intervals) {
    AppendItem(text,
               absl::StrCat(interval.id, ":", interval.lo, "-", interval.hi));
  }
  return text;
}

}  // namespace berth::testing
