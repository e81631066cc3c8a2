#include "tools/import/rehearse.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <functional>

namespace berth::import {
namespace {

// Without this a sanitizer reports, and exits, where a plain program dies.
void DieBySignals() {
  for (const int signal : {SIGFPE, SIGSEGV, SIGBUS, SIGILL, SIGABRT}) {
    std::signal(signal, SIG_DFL);
  }
}

[[noreturn]] void Act(const std::function<void()>& work, int cpu_seconds) {
  DieBySignals();
  const rlimit no_core = {.rlim_cur = 0, .rlim_max = 0};
  setrlimit(RLIMIT_CORE, &no_core);
  const rlimit cpu = {.rlim_cur = static_cast<rlim_t>(cpu_seconds),
                      .rlim_max = static_cast<rlim_t>(cpu_seconds) + 1};
  setrlimit(RLIMIT_CPU, &cpu);
  const int nowhere = open("/dev/null", O_RDWR);
  if (nowhere >= 0) {
    dup2(nowhere, STDOUT_FILENO);
    dup2(nowhere, STDERR_FILENO);
  }
  try {
    work();
  } catch (...) {
    // The parent meets it too.
  }
  _exit(0);
}

}  // namespace

int SignalOf(const std::function<void()>& work, int cpu_seconds) {
  const pid_t child = fork();
  if (child < 0) return 0;
  if (child == 0) Act(work, cpu_seconds);
  int status = 0;
  while (waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) return 0;
  }
  return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

}  // namespace berth::import
