// One line of an ltrace log of malloc and free. Part of malloc_trace.h.
//
//   malloc(24)                              = 0x5581d2c0b2a0
//   [pid 7] calloc(1, 24 <unfinished ...>
//   [pid 7] <... calloc resumed> )          = 0x5581d2c0b2c0
//   libfoo.so->realloc(0x5581d2c0b2a0, 99)  = 0x5581d2c0b300
//   free(0x5581d2c0b300)                    = <void>
//   operator new(unsigned long)(24, 0x1)    = 0x5581d2c0b2a0
#ifndef BERTH_TOOLS_IMPORT_TRACE_LINE_H_
#define BERTH_TOOLS_IMPORT_TRACE_LINE_H_

#include <cstdint>

#include "absl/strings/string_view.h"

namespace berth::import {

struct TraceLine {
  enum class Kind : uint8_t {
    kOther,   // another function, or no call at all
    kBroken,  // a call of ours that cannot be read
    kCall,    // whole
    kBegin,   // <unfinished ...>: no result yet
    kEnd,     // <... resumed>: the result alone
  };
  enum class Function : uint8_t { kAllocate, kReallocate, kFree };
  Kind kind = Kind::kOther;
  Function function = Function::kAllocate;
  absl::string_view thread;     // "[pid 7]", "7"; empty: the only one
  uint64_t size_bytes = 0;      // kAllocate, kReallocate
  uint64_t address = 0;         // kFree, kReallocate: what is given back
  uint64_t result_address = 0;  // kAllocate, kReallocate; 0: it failed
};

// Thread-safety: pure. Cost: O(line). The result points into `line`.
TraceLine ParseTraceLine(absl::string_view line);

}  // namespace berth::import

#endif  // BERTH_TOOLS_IMPORT_TRACE_LINE_H_
