// From protobuf bytes to the model: names become indices, enums are looked at.
// Both readers end here; they differ in how they say where a fault stands.
//
// Thread-safety: pure functions.
#ifndef BERTH_ALLOCATOR_FORMATS_DECODE_H_
#define BERTH_ALLOCATOR_FORMATS_DECODE_H_

#include <optional>

#include "absl/strings/string_view.h"
#include "allocator/model/check_program.h"
#include "allocator/model/program.h"

namespace berth {

// Fills `program` from `wire`, a Program message, and checks it
// (FindProgramFault). On a fault `program` holds what was read so far.
// Cost: O(wire) time; memory: the model and one hash map entry per name of one
// function.
std::optional<ProgramFault> DecodeProgram(absl::string_view wire,
                                          Program& program);

}  // namespace berth

#endif  // BERTH_ALLOCATOR_FORMATS_DECODE_H_
