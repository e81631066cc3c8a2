#include "tools/cli/files.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace berth {
namespace {

struct CloseFile {
  void operator()(FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<FILE, CloseFile>;

absl::Status Fault(const std::string& path, absl::string_view what) {
  return absl::InvalidArgumentError(absl::StrCat(path, ": ", what));
}

absl::Status SystemFault(const std::string& path) {
  return Fault(path, std::strerror(errno));
}

absl::StatusOr<std::string> ReadAll(FILE* file, const std::string& path) {
  std::string content;
  struct stat info;
  if (fstat(fileno(file), &info) == 0) {
    if (S_ISDIR(info.st_mode)) return Fault(path, "is a directory");
    if (S_ISREG(info.st_mode)) {
      if (static_cast<uint64_t>(info.st_size) > kMaxInputBytes) {
        return Fault(path,
                     absl::StrCat("holds ", info.st_size, " bytes; at most ",
                                  kMaxInputBytes, " are read"));
      }
      content.reserve(static_cast<size_t>(info.st_size));
    }
  }
  char buffer[1 << 16];
  while (const size_t got = std::fread(buffer, 1, sizeof(buffer), file)) {
    content.append(buffer, got);
    if (content.size() > kMaxInputBytes) {
      return Fault(path,
                   absl::StrCat("holds more than ", kMaxInputBytes, " bytes"));
    }
  }
  if (std::ferror(file)) return SystemFault(path);
  return content;
}

absl::Status WriteAll(FILE* file, const std::string& path,
                      absl::string_view content) {
  if (std::fwrite(content.data(), 1, content.size(), file) != content.size() ||
      std::fflush(file) != 0) {
    return SystemFault(path);
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::string> ReadFile(const std::string& path) {
  if (path == "-") return ReadAll(stdin, "standard input");
  const File file(std::fopen(path.c_str(), "rb"));
  if (file == nullptr) return SystemFault(path);
  return ReadAll(file.get(), path);
}

absl::Status WriteFile(const std::string& path, absl::string_view content) {
  if (path == "-") return WriteAll(stdout, "standard output", content);
  struct stat info;
  const bool exists = stat(path.c_str(), &info) == 0;
  const bool in_place = exists && !S_ISREG(info.st_mode);
  const std::string target =
      in_place ? path : absl::StrCat(path, ".berth.", getpid(), ".tmp");
  absl::Status status;
  {
    const File file(std::fopen(target.c_str(), "wb"));
    if (file == nullptr) return SystemFault(path);
    status = WriteAll(file.get(), path, content);
  }
  if (in_place) return status;
  if (status.ok() && std::rename(target.c_str(), path.c_str()) != 0) {
    status = SystemFault(path);
  }
  if (!status.ok()) std::remove(target.c_str());
  return status;
}

}  // namespace berth
