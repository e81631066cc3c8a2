#include "allocator/formats/field_path.h"

#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "allocator/model/check_program.h"

namespace berth {

std::vector<FieldStep> FieldPath(const ProgramPlace& place) {
  std::vector<FieldStep> path;
  const auto add = [&](absl::string_view name, int32_t index) {
    if (index >= 0) path.push_back({name, index});
  };
  add("modules", place.module);
  add("functions", place.function);
  add("locations", place.location);
  add("blocks", place.block);
  add("instructions", place.instruction);
  add("defs", place.def);
  add("uses", place.use);
  add("successors", place.successor);
  add("runs", place.run);
  if (!place.field.empty()) path.push_back({place.field, -1});
  return path;
}

std::string FieldPathText(const ProgramPlace& place) {
  std::string text;
  for (const FieldStep& step : FieldPath(place)) {
    absl::StrAppend(&text, text.empty() ? "" : ".", step.name);
    if (step.index >= 0) absl::StrAppend(&text, "[", step.index, "]");
  }
  return text;
}

}  // namespace berth
