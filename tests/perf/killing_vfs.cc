#include "tests/perf/killing_vfs.h"

#include <sqlite3.h>
#include <unistd.h>

#include <csignal>

namespace berth::perf {
namespace {

int writes_left = 0;
sqlite3_vfs* real_vfs = nullptr;
sqlite3_io_methods methods;  // the real ones but for those below
const sqlite3_io_methods* real_methods = nullptr;

bool IsFatal() { return --writes_left == 0; }

void Die() {
  kill(getpid(), SIGKILL);
  while (true) pause();
}

int DieOrWrite(sqlite3_file* file, const void* data, int size,
               sqlite3_int64 offset) {
  if (IsFatal()) {
    real_methods->xWrite(file, data, size / 2, offset);
    Die();
  }
  return real_methods->xWrite(file, data, size, offset);
}

int DieOrTruncate(sqlite3_file* file, sqlite3_int64 size) {
  if (IsFatal()) Die();
  return real_methods->xTruncate(file, size);
}

int DieOrSync(sqlite3_file* file, int flags) {
  if (IsFatal()) Die();
  return real_methods->xSync(file, flags);
}

int Open(sqlite3_vfs* /*vfs*/, const char* name, sqlite3_file* file, int flags,
         int* out_flags) {
  const int code = real_vfs->xOpen(real_vfs, name, file, flags, out_flags);
  if (file->pMethods != nullptr) {
    real_methods = file->pMethods;
    methods = *real_methods;
    methods.xWrite = DieOrWrite;
    methods.xTruncate = DieOrTruncate;
    methods.xSync = DieOrSync;
    file->pMethods = &methods;
  }
  return code;
}

int DieOrDelete(sqlite3_vfs* /*vfs*/, const char* name, int sync) {
  if (IsFatal()) Die();
  return real_vfs->xDelete(real_vfs, name, sync);
}

}  // namespace

void DieAtWrite(int n) {
  static sqlite3_vfs vfs;
  writes_left = n;
  real_vfs = sqlite3_vfs_find(nullptr);
  vfs = *real_vfs;
  vfs.zName = "killing";
  vfs.xOpen = Open;
  vfs.xDelete = DieOrDelete;
  sqlite3_vfs_register(&vfs, /*makeDflt=*/1);
}

}  // namespace berth::perf
