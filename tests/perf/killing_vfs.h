// Makes this process die in the middle of SQLite's work.
#ifndef BERTH_TESTS_PERF_KILLING_VFS_H_
#define BERTH_TESTS_PERF_KILLING_VFS_H_

namespace berth::perf {

// From now on SQLite writes through a layer that kills this process (SIGKILL)
// at the n-th change of a file: a write (half of it is done), a truncation, a
// sync or a removal. n counts from 1.
void DieAtWrite(int n);

}  // namespace berth::perf

#endif  // BERTH_TESTS_PERF_KILLING_VFS_H_
