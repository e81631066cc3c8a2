// XLA's dumps of its buffer assignment as placement problems.
//
// XLA numbers the instructions of a module's schedule; a value lives from the
// one that defines it to its last use, both INCLUSIVE (also in BufferInfo's
// end_time, whatever its comment says): half-open [start, end + 1) here. Ids
// are "number:name", commas in a tuple index written as semicolons.
//
// Only values of one memory space (options.xla_color) are taken. XLA's own
// offsets count within each of its allocations and are left out.
#ifndef BERTH_TOOLS_IMPORT_XLA_H_
#define BERTH_TOOLS_IMPORT_XLA_H_

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "tools/import/imported.h"

namespace berth::import {

// ...-buffer-assignment.txt: allocations with their values, and behind them the
// live ranges (HloLiveRange). Where XLA writes those into a file of their own,
// ...-live-range.txt, the two are put together (cat), in any order. Versions
// differ in what the text says beside that (addresses of allocations, bars
// round shapes, stack traces): all are read. Thread-local values and
// constants are left out. Parameters and what may live out of the module are
// what goes in and out: left out, pinned (one value's allocation after
// another), or placed.
//
// Values that XLA put on exactly the same bytes of one allocation although
// their live ranges meet are aliases (loop state, updates in place): they
// become one buffer, which the notes count.
//
// kInvalidArgument names the line, or the value that has no live range.
// Cost: O(content log content). Thread-safety: pure.
absl::StatusOr<Imported> FromXlaAssignment(absl::string_view content,
                                           absl::string_view file,
                                           const Options& options);

// The CSV of BufferInfoString(): buffer_id, buffer_name, offset, size,
// definition_time, end_time, ... It does not tell allocations apart: every
// value of the memory space is taken, aliases too. kInvalidArgument names the
// line. Cost: O(content). Thread-safety: pure.
absl::StatusOr<Imported> FromXlaBufferInfo(absl::string_view content,
                                           absl::string_view file,
                                           const Options& options);

}  // namespace berth::import

#endif  // BERTH_TOOLS_IMPORT_XLA_H_
