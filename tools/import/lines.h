// A text line by line, with the place for errors.
#ifndef BERTH_TOOLS_IMPORT_LINES_H_
#define BERTH_TOOLS_IMPORT_LINES_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace berth::import {

// Thread-safety: none. Cost: O(text) for all lines together.
class Lines {
 public:
  Lines(absl::string_view text, absl::string_view file)
      : rest_(text), file_(file) {}

  // The next line without its end (LF or CRLF); false at the end of the text.
  bool Next(absl::string_view& line) {
    if (rest_.empty()) return false;
    ++number_;
    const size_t length = std::min(rest_.find('\n'), rest_.size());
    line = rest_.substr(0, length);
    rest_.remove_prefix(std::min(length + 1, rest_.size()));
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    return true;
  }

  // "FILE:12: WHAT", of the line that Next() gave last.
  absl::Status Fault(absl::string_view what) const {
    return absl::InvalidArgumentError(
        absl::StrCat(file_, ":", number_, ": ", what));
  }

 private:
  absl::string_view rest_;
  absl::string_view file_;
  int64_t number_ = 0;
};

}  // namespace berth::import

#endif  // BERTH_TOOLS_IMPORT_LINES_H_
