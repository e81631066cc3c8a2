#include "tools/perf/child.h"

#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fstream>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "allocator/base/status_macros.h"

namespace berth::perf {
namespace {

std::string CpuModel() {
  std::ifstream cpus("/proc/cpuinfo");
  std::string line;
  while (std::getline(cpus, line)) {
    if (absl::StartsWith(line, "model name")) {
      const size_t colon = line.find(": ");
      if (colon != std::string::npos) return line.substr(colon + 2);
    }
  }
  return "unknown CPU";
}

}  // namespace

absl::StatusOr<std::string> RunCommand(const std::string& command) {
  std::fflush(nullptr);
  FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) {
    return absl::InvalidArgumentError(
        absl::StrCat("cannot run '", command, "': ", std::strerror(errno)));
  }
  std::string out;
  char buffer[1 << 14];
  while (const size_t got = std::fread(buffer, 1, sizeof(buffer), pipe)) {
    out.append(buffer, got);
  }
  const int status = pclose(pipe);
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return out;
  const std::string how = WIFEXITED(status)
                              ? absl::StrCat("exit code ", WEXITSTATUS(status))
                              : absl::StrCat("signal ", WTERMSIG(status));
  return absl::InvalidArgumentError(
      absl::StrCat("'", command, "' failed (", how, ")"));
}

std::string ThisMachine() {
  char host[256] = {};
  if (gethostname(host, sizeof(host) - 1) != 0) host[0] = '\0';
  return absl::StrCat(host, ", ", CpuModel(), ", ",
                      sysconf(_SC_NPROCESSORS_ONLN), " CPUs");
}

double LoadAverage() {
  double load = 0;
  return getloadavg(&load, 1) == 1 ? load : 0;
}

std::string UtcNow() {
  const std::time_t now = std::time(nullptr);
  std::tm parts = {};
  gmtime_r(&now, &parts);
  char text[32];
  std::strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

absl::StatusOr<std::string> CurrentCommit() {
  BERTH_ASSIGN_OR_RETURN(std::string commit,
                         RunCommand("git rev-parse HEAD 2>/dev/null"));
  absl::StripTrailingAsciiWhitespace(&commit);
  BERTH_ASSIGN_OR_RETURN(
      const std::string changes,
      RunCommand("git status --porcelain --untracked-files=no 2>/dev/null"));
  return changes.empty() ? commit : commit + "-dirty";
}

}  // namespace berth::perf
