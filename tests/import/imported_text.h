// What importers give, in words that a test can state.
#ifndef BERTH_TESTS_IMPORT_IMPORTED_TEXT_H_
#define BERTH_TESTS_IMPORT_IMPORTED_TEXT_H_

#include <string>

#include "absl/status/statusor.h"
#include "tools/import/imported.h"

namespace berth::import {

// The content of testdata/`name`.
std::string Data(const std::string& name);

// "a0,0,2,24 a1,1,3,8": id, lower, upper, size, and @ the offset if any; or the
// error.
std::string Text(const absl::StatusOr<Imported>& imported);

// The notes, a line each.
std::string Notes(const absl::StatusOr<Imported>& imported);

}  // namespace berth::import

#endif  // BERTH_TESTS_IMPORT_IMPORTED_TEXT_H_
