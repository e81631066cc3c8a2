// Liveness as short text, so that tests read as data: "0-5 7-7".
#ifndef BERTH_TESTS_LIVENESS_LIVENESS_TEXT_H_
#define BERTH_TESTS_LIVENESS_LIVENESS_TEXT_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "allocator/liveness/liveness.h"
#include "allocator/model/intervals.h"
#include "allocator/model/options.h"
#include "allocator/model/program.h"

namespace berth::testing {

// The liveness of `function`; stops the test on an error.
Liveness LivenessOf(const Function& function);

// The runs that location `name` of the first function occupies, as "lo-hi"
// separated by spaces; "" if none.
std::string Occupied(const Program& program, absl::string_view name);

bool BlockLocal(const Program& program, absl::string_view name);

// "name@flat" of each undefined use of the first function, in order.
std::string UndefinedUses(const Program& program);

// What EmitIntervals() gives for locations `names` of the first function, as
// "id:lo-hi" in the order emitted; stops the test on an error.
std::string Emitted(const Program& program, Emission emission,
                    const std::vector<std::string>& names);

}  // namespace berth::testing

#endif  // BERTH_TESTS_LIVENESS_LIVENESS_TEXT_H_
