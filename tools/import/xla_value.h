// Values of XLA's dumps. Internal to tools/import.
#ifndef BERTH_TOOLS_IMPORT_XLA_VALUE_H_
#define BERTH_TOOLS_IMPORT_XLA_VALUE_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "allocator/model/instance.h"

namespace berth::import {

struct XlaValue {
  int64_t id = 0;
  std::string name;  // with its tuple index, "while.3{1}"
  int64_t color = 0;
  int64_t allocation = -1;
  bool in_or_out = false;
  uint64_t offset = 0;
  uint64_t size_bytes = 0;
  int64_t lo = 0;  // closed
  int64_t hi = 0;
};

// "<36 while.3{1} (phi) @0>", as XLA names values: id, name and color. False
// for anything else. Cost: O(text).
bool ParseValueName(absl::string_view text, XlaValue& value);

// Its buffer, "36:while.3{1}". kInvalidArgument, naming `file` and the value,
// if a CSV cannot hold it.
absl::StatusOr<Buffer> ToBuffer(const XlaValue& value, absl::string_view file);

// XLA numbers values; a file that numbers two alike is not XLA's.
absl::Status CheckUnique(const Instance& instance, absl::string_view file);

// "12 values ...", unless there are none.
void NoteCount(size_t count, absl::string_view what,
               std::vector<std::string>& notes);

}  // namespace berth::import

#endif  // BERTH_TOOLS_IMPORT_XLA_VALUE_H_
