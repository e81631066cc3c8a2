// What the tool says on standard error: errors, notes, and a progress line that
// appears on a terminal only.
#ifndef BERTH_TOOLS_CLI_SAY_H_
#define BERTH_TOOLS_CLI_SAY_H_

#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace berth {

// "berth: MESSAGE".
void SayError(absl::string_view message);
// Prints the error and returns its exit code (exit_codes.h).
int Fail(const absl::Status& status);
// "note: MESSAGE".
void SayNote(absl::string_view message);

// One line that is rewritten in place while work goes on; gone when destroyed.
// Prints nothing unless standard error is a terminal.
class Progress {
 public:
  Progress();
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  void Show(absl::string_view text);
  void Clear();

 private:
  const bool on_terminal_;
  bool shown_ = false;
};

}  // namespace berth

#endif  // BERTH_TOOLS_CLI_SAY_H_
