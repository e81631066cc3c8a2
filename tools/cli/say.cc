#include "tools/cli/say.h"

#include <unistd.h>

#include <cstdio>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "tools/cli/exit_codes.h"

namespace berth {
namespace {

void Line(absl::string_view prefix, absl::string_view text) {
  std::string line(prefix);
  line.append(text.data(), text.size());
  line += '\n';
  std::fwrite(line.data(), 1, line.size(), stderr);
}

}  // namespace

void SayError(absl::string_view message) { Line("berth: ", message); }
void SayNote(absl::string_view message) { Line("note: ", message); }

int Fail(const absl::Status& status) {
  SayError(status.message());
  return ExitCodeOf(status);
}

Progress::Progress() : on_terminal_(isatty(STDERR_FILENO) == 1) {}
Progress::~Progress() { Clear(); }

void Progress::Show(absl::string_view text) {
  if (!on_terminal_) return;
  std::string line = "\r\x1b[K";
  line.append(text.data(), text.size());
  std::fwrite(line.data(), 1, line.size(), stderr);
  std::fflush(stderr);
  shown_ = true;
}

void Progress::Clear() {
  if (!shown_) return;
  std::fputs("\r\x1b[K", stderr);
  std::fflush(stderr);
  shown_ = false;
}

}  // namespace berth
