// BERTH_CHECK: for our own bugs only. Bad input is an absl::Status.
//
// Stays on in release builds: a broken invariant of ours must stop the program
// rather than place a tensor wrongly. (Debian's Abseil has no log library.)
#ifndef BERTH_ALLOCATOR_BASE_CHECK_H_
#define BERTH_ALLOCATOR_BASE_CHECK_H_

namespace berth {

// Prints the failed condition and its place to standard error and aborts.
[[noreturn]] void CheckFailed(const char* condition, const char* file,
                              int line);

}  // namespace berth

#define BERTH_CHECK(condition)        \
  (__builtin_expect(!!(condition), 1) \
       ? static_cast<void>(0)         \
       : ::berth::CheckFailed(#condition, __FILE__, __LINE__))

// For conditions too costly for release builds.
#ifdef NDEBUG
#define BERTH_DCHECK(condition) static_cast<void>(0)
#else
#define BERTH_DCHECK(condition) BERTH_CHECK(condition)
#endif

#endif  // BERTH_ALLOCATOR_BASE_CHECK_H_
