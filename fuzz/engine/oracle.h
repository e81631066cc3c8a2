// What a fuzz target says when something does not hold. Unlike assert, it stays
// on in release builds; unlike BERTH_CHECK, it says what was found.
#ifndef BERTH_FUZZ_ENGINE_ORACLE_H_
#define BERTH_FUZZ_ENGINE_ORACLE_H_

#include <cstdio>
#include <cstdlib>
#include <string>

#include "absl/strings/str_cat.h"

namespace berth::fuzz {

[[noreturn]] inline void OracleFailed(const char* condition, const char* file,
                                      int line, const std::string& found) {
  std::fprintf(stderr, "%s:%d: does not hold: %s\n%s\n", file, line, condition,
               found.c_str());
  std::abort();
}

}  // namespace berth::fuzz

// ORACLE(a == b, "node ", id, ": ", a, " and ", b);
#define ORACLE(condition, ...)               \
  (__builtin_expect(!!(condition), 1)        \
       ? static_cast<void>(0)                \
       : ::berth::fuzz::OracleFailed(        \
             #condition, __FILE__, __LINE__, \
             ::absl::StrCat("" __VA_OPT__(, ) __VA_ARGS__)))

#endif  // BERTH_FUZZ_ENGINE_ORACLE_H_
