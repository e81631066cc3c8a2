#include "tools/python/instance.h"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "allocator/base/int_math.h"
#include "allocator/base/status_macros.h"
#include "allocator/model/instance.h"

namespace berth::python {
namespace {

absl::Status SameLength(absl::string_view name, size_t length,
                        size_t expected) {
  if (length == expected) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(
      name, " has ", length, " entries, and lower has ", expected));
}

absl::Status Fault(size_t buffer, absl::string_view what) {
  return absl::InvalidArgumentError(
      absl::StrCat("buffer ", buffer, ": ", what));
}

// A value that must not be below `least`.
absl::Status AtLeast(size_t buffer, absl::string_view name, int64_t value,
                     int64_t least) {
  if (value >= least) return absl::OkStatus();
  return Fault(buffer, absl::StrCat(name, " ", value, " is not within ", least,
                                    " to 2^63 - 1"));
}

}  // namespace

absl::StatusOr<Instance> ToInstance(const Columns& columns) {
  const size_t count = columns.lower.size();
  BERTH_RETURN_IF_ERROR(SameLength("upper", columns.upper.size(), count));
  BERTH_RETURN_IF_ERROR(SameLength("size", columns.size.size(), count));
  if (columns.alignment) {
    BERTH_RETURN_IF_ERROR(
        SameLength("alignment", columns.alignment->size(), count));
  }
  if (columns.offset) {
    BERTH_RETURN_IF_ERROR(SameLength("offset", columns.offset->size(), count));
  }
  if (count + 1 >= static_cast<size_t>(kMaxCount)) {
    return absl::InvalidArgumentError("2^31 - 2 buffers are the most");
  }
  Instance instance;
  instance.buffers.resize(count);
  for (size_t i = 0; i < count; ++i) {
    Buffer& buffer = instance.buffers[i];
    buffer.id = absl::StrCat(i);
    buffer.lower = columns.lower[i];
    buffer.upper = columns.upper[i];
    if (buffer.lower >= buffer.upper) {
      return Fault(i, absl::StrCat("upper ", buffer.upper,
                                   " is not above lower ", buffer.lower));
    }
    BERTH_RETURN_IF_ERROR(AtLeast(i, "size", columns.size[i], 0));
    buffer.size = static_cast<uint64_t>(columns.size[i]);
    if (columns.alignment) {
      const int64_t alignment = (*columns.alignment)[i];
      BERTH_RETURN_IF_ERROR(AtLeast(i, "alignment", alignment, 1));
      buffer.alignment = static_cast<uint64_t>(alignment);
    }
    if (columns.offset) {
      const int64_t offset = (*columns.offset)[i];
      BERTH_RETURN_IF_ERROR(AtLeast(i, "offset", offset, -1));
      if (offset >= 0) buffer.offset = static_cast<uint64_t>(offset);
    }
  }
  return instance;
}

std::vector<int64_t> OffsetsOf(const Instance& instance) {
  std::vector<int64_t> offsets;
  offsets.reserve(instance.buffers.size());
  for (const Buffer& buffer : instance.buffers) {
    offsets.push_back(buffer.offset ? static_cast<int64_t>(*buffer.offset)
                                    : -1);
  }
  return offsets;
}

}  // namespace berth::python
