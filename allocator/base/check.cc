#include "allocator/base/check.h"

#include <cstdio>
#include <cstdlib>

namespace berth {

void CheckFailed(const char* condition, const char* file, int line) {
  std::fprintf(stderr, "%s:%d: internal check failed: %s\n", file, line,
               condition);
  std::abort();
}

}  // namespace berth
