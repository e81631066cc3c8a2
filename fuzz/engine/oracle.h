// What a fuzz target says when something does not hold. Unlike assert, it stays
// on in release builds; unlike BERTH_CHECK, it says what was found.
#ifndef BERTH_FUZZ_ENGINE_ORACLE_H_
#define BERTH_FUZZ_ENGINE_ORACLE_H_

#include <cstdio>
#include <cstdlib>

#include "absl/strings/str_cat.h"

namespace berth::fuzz {

// Out of line, numbers by value: whoever asks thousands of questions has no
// room for their words on its stack, which a sanitizer would lay out at each
// call.
template <typename... Found>
[[noreturn, gnu::cold, gnu::noinline]] void OracleFailed(const char* condition,
                                                         const char* file,
                                                         int line,
                                                         Found... found) {
  std::fprintf(stderr, "%s:%d: does not hold: %s\n%s\n", file, line, condition,
               absl::StrCat("", found...).c_str());
  std::abort();
}

}  // namespace berth::fuzz

// ORACLE(a == b, "node ", id, ": ", a, " and ", b);
#define ORACLE(condition, ...)                             \
  (__builtin_expect(!!(condition), 1)                      \
       ? static_cast<void>(0)                              \
       : ::berth::fuzz::OracleFailed(#condition, __FILE__, \
                                     __LINE__ __VA_OPT__(, ) __VA_ARGS__))

#endif  // BERTH_FUZZ_ENGINE_ORACLE_H_
