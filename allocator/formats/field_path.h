// A ProgramPlace as fields of program.proto, from the outermost inwards.
#ifndef BERTH_ALLOCATOR_FORMATS_FIELD_PATH_H_
#define BERTH_ALLOCATOR_FORMATS_FIELD_PATH_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "allocator/model/check_program.h"

namespace berth {

struct FieldStep {
  absl::string_view name;
  int32_t index = -1;  // -1: not a repeated field
};

std::vector<FieldStep> FieldPath(const ProgramPlace& place);

// "modules[0].functions[1].locations[3].alignment"; empty for the program.
std::string FieldPathText(const ProgramPlace& place);

}  // namespace berth

#endif  // BERTH_ALLOCATOR_FORMATS_FIELD_PATH_H_
