// Runs one command line and waits for it, at most so long: what `berth race`,
// `diff`, `shrink` and the external planners need of a process.
#ifndef BERTH_TOOLS_EXTERNAL_PROCESS_H_
#define BERTH_TOOLS_EXTERNAL_PROCESS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/statusor.h"

namespace berth {

struct ProcessLimits {
  // Wall-clock seconds; then the process and all that it started are killed.
  double seconds = 60;
  // Address space of each process (RLIMIT_AS); unset: no limit.
  std::optional<uint64_t> memory_bytes;
};

struct ProcessResult {
  bool timed_out = false;
  int exit_code = -1;      // -1 unless it exited by itself
  int signal = 0;          // what ended it (the time-out's SIGKILL not counted)
  double seconds = 0;      // wall clock, start to end
  double cpu_seconds = 0;  // user and system, children waited for included
  uint64_t max_rss_bytes = 0;  // the largest of its processes
  // The last bytes (at most kMaxProcessOutput) of its standard output and
  // standard error together.
  std::string output;
};

inline constexpr size_t kMaxProcessOutput = 4096;

// Runs `command` by /bin/sh -c in a process group of its own, its standard
// input empty, its output caught. A shell that reports a signal as 128 + n is
// told as that signal. SIGINT, SIGTERM or SIGHUP, if not ignored, kill the
// group, remove the temporary folders that are there, and end this program as
// they would have. An error only if no process can be started at all.
// Thread-safety: one run at a time, since signals are the process's. Cost: one
// fork; waits by polling, 10 ms at most after the end.
absl::StatusOr<ProcessResult> RunProcess(const std::string& command,
                                         const ProcessLimits& limits);

// `text` as one word of /bin/sh.
std::string ShellQuoted(const std::string& text);

// A new folder below $TMPDIR (or /tmp), removed with all its files when
// destroyed.
class TemporaryFolder {
 public:
  static absl::StatusOr<TemporaryFolder> Make();
  ~TemporaryFolder();
  TemporaryFolder(TemporaryFolder&& other) noexcept;
  TemporaryFolder& operator=(TemporaryFolder&&) = delete;

  const std::string& path() const { return path_; }

 private:
  explicit TemporaryFolder(std::string path) : path_(std::move(path)) {}
  std::string path_;  // empty once moved from
};

}  // namespace berth

#endif  // BERTH_TOOLS_EXTERNAL_PROCESS_H_
