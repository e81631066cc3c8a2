// Traces of malloc and free as placement problems: each allocation is a buffer,
// a0, a1, ... as they come. Time counts the events, so [lower, upper) goes from
// the allocation to the free, or to the end of the trace.
//
//   malloc(24) = 0x10      time 0      id,lower,upper,size
//   malloc(8) = 0x30       time 1      a0,0,2,24
//   free(0x10)             time 2      a1,1,3,8
//
// Sizes are those that were asked for, without what malloc adds. A realloc that
// moves keeps the old block for one event, in which both live; one that does
// not move ends the old and starts a new one at once. What does not pair up
// (freed but never allocated, as before a trace began) is counted in the notes.
#ifndef BERTH_TOOLS_IMPORT_MALLOC_TRACE_H_
#define BERTH_TOOLS_IMPORT_MALLOC_TRACE_H_

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "tools/import/imported.h"

namespace berth::import {

// heaptrack's data, uncompressed (zstdcat FILE.zst): raw, or as heaptrack
// writes it. The latter has no addresses: of several live allocations of one
// kind (size and call stack) the youngest is taken to be freed.
// kInvalidArgument names the line. Cost: O(content). Thread-safety: pure.
absl::StatusOr<Imported> FromHeaptrack(absl::string_view content,
                                       absl::string_view file);

// An ltrace log, of one or several threads, C++'s operators among it, demangled
// (-C) or not; lines of other functions are skipped. kInvalidArgument names the
// line. Cost: O(content). Pure.
absl::StatusOr<Imported> FromLtrace(absl::string_view content,
                                    absl::string_view file);

}  // namespace berth::import

#endif  // BERTH_TOOLS_IMPORT_MALLOC_TRACE_H_
