#include "tools/import/xla_value.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "allocator/formats/csv.h"
#include "allocator/model/check_program.h"
#include "allocator/model/first_duplicate.h"
#include "allocator/model/instance.h"
#include "allocator/model/options.h"

namespace berth::import {

bool ParseValueName(absl::string_view text, XlaValue& value) {
  if (!absl::ConsumePrefix(&text, "<") || !absl::ConsumeSuffix(&text, ">")) {
    return false;
  }
  const size_t space = text.find(' ');
  if (space == absl::string_view::npos ||
      !absl::SimpleAtoi(text.substr(0, space), &value.id)) {
    return false;
  }
  absl::string_view name = text.substr(space + 1);
  const size_t color = name.rfind(" @");
  if (color != absl::string_view::npos) {
    if (!absl::SimpleAtoi(name.substr(color + 2), &value.color)) return false;
    name = name.substr(0, color);
  }
  name = absl::StripSuffix(name, " (phi)");
  value.name = std::string(name);
  return !name.empty();
}

absl::StatusOr<Buffer> ToBuffer(const XlaValue& value, absl::string_view file) {
  Buffer buffer;
  buffer.id = absl::StrCat(value.id, ":",
                           absl::StrReplaceAll(value.name, {{",", ";"}}));
  const char* why = CsvIdFault(buffer.id);
  if (why == nullptr && value.size_bytes > kNoCapacity) {
    why = "has a size past 2^63 - 1";
  }
  if (why == nullptr && (value.lo > value.hi ||
                         value.hi == std::numeric_limits<int64_t>::max())) {
    why = "ends before it starts, or at 2^63 - 1";
  }
  if (why != nullptr) {
    return absl::InvalidArgumentError(
        absl::StrCat(file, ": value ", QuotedName(buffer.id), " ", why));
  }
  buffer.lower = value.lo;
  buffer.upper = value.hi + 1;
  buffer.size = value.size_bytes;
  return buffer;
}

absl::Status CheckUnique(const Instance& instance, absl::string_view file) {
  const std::vector<Buffer>& buffers = instance.buffers;
  const auto same = FirstDuplicate(
      static_cast<int32_t>(buffers.size()),
      [&](int32_t i) { return absl::string_view(buffers[i].id); });
  if (!same) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat(file, ": value ", QuotedName(buffers[same->second].id),
                   " is there twice"));
}

void NoteCount(size_t count, absl::string_view what,
               std::vector<std::string>& notes) {
  if (count > 0) notes.push_back(absl::StrCat(count, what));
}

}  // namespace berth::import
