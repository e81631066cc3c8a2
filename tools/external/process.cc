#include "tools/external/process.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <mutex>
#include <set>
#include <string>
#include <system_error>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "allocator/base/status_macros.h"

namespace berth {
namespace {

constexpr int kShellSignalBase = 128;

double Now() {
  timespec now = {};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * now.tv_nsec;
}

double SecondsOf(const timeval& time) {
  return static_cast<double>(time.tv_sec) + 1e-6 * time.tv_usec;
}

// In the child: never returns. Only calls that are safe after fork().
[[noreturn]] void Exec(const char* command, int output,
                       const ProcessLimits& limits) {
  setpgid(0, 0);
  const int nothing = open("/dev/null", O_RDONLY);
  dup2(nothing, STDIN_FILENO);
  dup2(output, STDOUT_FILENO);
  dup2(output, STDERR_FILENO);
  if (limits.memory_bytes.has_value()) {
    const rlimit limit = {*limits.memory_bytes, *limits.memory_bytes};
    setrlimit(RLIMIT_AS, &limit);
  }
  execl("/bin/sh", "sh", "-c", command, static_cast<char*>(nullptr));
  _exit(127);
}

// The last bytes of an open file.
std::string Tail(int file) {
  const off_t size = lseek(file, 0, SEEK_END);
  const off_t from =
      std::max<off_t>(0, size - static_cast<off_t>(kMaxProcessOutput));
  std::string text(static_cast<size_t>(std::max<off_t>(0, size - from)), '\0');
  const ssize_t got = pread(file, text.data(), text.size(), from);
  text.resize(static_cast<size_t>(std::max<ssize_t>(0, got)));
  return text;
}

void AddUsage(const rusage& usage, ProcessResult& result) {
  result.cpu_seconds += SecondsOf(usage.ru_utime) + SecondsOf(usage.ru_stime);
  result.max_rss_bytes = std::max(
      result.max_rss_bytes, static_cast<uint64_t>(usage.ru_maxrss) * 1024);
}

// Takes in what is left of a killed group: a shell that was killed did not wait
// for what it had started, so that this is where its time stands.
void ReapGroup(pid_t group, ProcessResult& result) {
  constexpr int kTries = 1000;  // of a millisecond: SIGKILL needs no more
  for (int i = 0; i < kTries; ++i) {
    rusage usage = {};
    const pid_t ended = wait4(-group, nullptr, WNOHANG, &usage);
    if (ended < 0) return;
    if (ended > 0) {
      AddUsage(usage, result);
    } else {
      usleep(1000);
    }
  }
}

// --- interrupts: this program ends by them, but leaves nothing behind ---

constexpr int kInterrupts[] = {SIGINT, SIGTERM, SIGHUP};
volatile sig_atomic_t interrupt = 0;

// Notes interrupts as long as it lives, those that were ignored excepted.
class Interruptible {
 public:
  Interruptible() {
    for (size_t i = 0; i < std::size(kInterrupts); ++i) {
      sigaction(kInterrupts[i], nullptr, &before_[i]);
      if (before_[i].sa_handler == SIG_IGN) continue;
      struct sigaction note = {};
      note.sa_handler = [](int signal) { interrupt = signal; };
      sigemptyset(&note.sa_mask);
      sigaction(kInterrupts[i], &note, nullptr);
    }
  }
  ~Interruptible() {
    for (size_t i = 0; i < std::size(kInterrupts); ++i) {
      sigaction(kInterrupts[i], &before_[i], nullptr);
    }
  }
  Interruptible(const Interruptible&) = delete;
  Interruptible& operator=(const Interruptible&) = delete;

 private:
  struct sigaction before_[std::size(kInterrupts)] = {};
};

// The folders that are there.
struct Folders {
  std::mutex mutex;
  std::set<std::string> paths;
};
Folders& LiveFolders() {
  static Folders& folders = *new Folders;
  return folders;
}

void Remove(const std::string& path) {
  std::error_code error;  // what cannot be removed stays; nobody can help it
  std::filesystem::remove_all(path, error);
}

void RemoveLiveFolders() {
  const std::lock_guard<std::mutex> lock(LiveFolders().mutex);
  for (const std::string& path : LiveFolders().paths) Remove(path);
}

// Waits for `child`; kills its group once time is up or an interrupt has come,
// and what it left behind.
void Wait(pid_t child, double start, const ProcessLimits& limits,
          ProcessResult& result) {
  int status = 0;
  rusage usage = {};
  useconds_t pause = 200;
  for (;;) {
    const pid_t ended = wait4(child, &status, WNOHANG, &usage);
    if (ended == child) break;
    if (interrupt != 0) kill(-child, SIGKILL);
    if (!result.timed_out && Now() - start >= limits.seconds) {
      result.timed_out = true;
      kill(-child, SIGKILL);
    }
    usleep(pause);
    pause = std::min<useconds_t>(10'000, pause * 2);
  }
  result.seconds = Now() - start;
  kill(-child, SIGKILL);
  AddUsage(usage, result);
  ReapGroup(child, result);
  if (result.timed_out) return;
  if (WIFSIGNALED(status)) {
    result.signal = WTERMSIG(status);
  } else if (WEXITSTATUS(status) > kShellSignalBase &&
             WEXITSTATUS(status) < kShellSignalBase + NSIG) {
    result.signal = WEXITSTATUS(status) - kShellSignalBase;
  } else {
    result.exit_code = WEXITSTATUS(status);
  }
}

absl::Status SystemError(const char* what) {
  return absl::UnavailableError(absl::StrCat(what, ": ", strerror(errno)));
}

}  // namespace

absl::StatusOr<ProcessResult> RunProcess(const std::string& command,
                                         const ProcessLimits& limits) {
  // Into a file rather than a pipe: nobody has to drain it.
  FILE* const output = std::tmpfile();
  if (output == nullptr) return SystemError("cannot make a temporary file");
  // Orphans of the group come to us: see ReapGroup().
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  ProcessResult result;
  {
    const Interruptible interruptible;
    const double start = Now();
    const pid_t child = fork();
    if (child == 0) Exec(command.c_str(), fileno(output), limits);
    if (child < 0) {
      std::fclose(output);
      return SystemError("cannot start a process");
    }
    setpgid(child, child);  // both sides do: whoever comes first
    Wait(child, start, limits, result);
  }
  if (const int signal = interrupt; signal != 0) {
    interrupt = 0;  // a program that handles it goes on
    RemoveLiveFolders();
    raise(signal);  // as it would have been without a handler
  }
  result.output = Tail(fileno(output));
  std::fclose(output);
  return result;
}

std::string ShellQuoted(const std::string& text) {
  std::string quoted = "'";
  for (const char c : text) {
    if (c == '\'') {
      quoted += "'\\''";
    } else {
      quoted += c;
    }
  }
  return quoted + "'";
}

absl::StatusOr<TemporaryFolder> TemporaryFolder::Make() {
  std::error_code error;
  const auto base = std::filesystem::temp_directory_path(error);
  std::string path =
      absl::StrCat(error ? "/tmp" : base.string(), "/berth.XXXXXX");
  if (mkdtemp(path.data()) == nullptr) return SystemError(path.c_str());
  const std::lock_guard<std::mutex> lock(LiveFolders().mutex);
  LiveFolders().paths.insert(path);
  return TemporaryFolder(path);
}

TemporaryFolder::TemporaryFolder(TemporaryFolder&& other) noexcept
    : path_(std::exchange(other.path_, "")) {}

TemporaryFolder::~TemporaryFolder() {
  if (path_.empty()) return;
  Remove(path_);
  const std::lock_guard<std::mutex> lock(LiveFolders().mutex);
  LiveFolders().paths.erase(path_);
}

}  // namespace berth
