// Where a field stands in a program's text.
//
// protobuf's own TextFormat::ParseInfoTree knows as well, but holds a place for
// every field: a dozen times the text. Faults need one place, so the tokens are
// walked for it, and nothing is kept.
#ifndef BERTH_ALLOCATOR_FORMATS_TEXT_PLACE_H_
#define BERTH_ALLOCATOR_FORMATS_TEXT_PLACE_H_

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "allocator/formats/field_path.h"

namespace berth {

// Counted from 0, as protobuf does; a tab goes to the next multiple of 8.
struct TextPlace {
  int line = 0;
  int column = 0;
};

// The place of the field `path` of the Program in `content`, or of the
// innermost field around it that is in the text, or the beginning.
// REQUIRES: TextFormat parses `content`, which is below 2 GiB.
// Thread-safety: pure. Cost: O(content) time, O(1) memory.
TextPlace FindTextPlace(absl::string_view content,
                        absl::Span<const FieldStep> path);

}  // namespace berth

#endif  // BERTH_ALLOCATOR_FORMATS_TEXT_PLACE_H_
