// Columns of numbers, as numpy has them, as a placement problem and back.
#ifndef BERTH_TOOLS_PYTHON_INSTANCE_H_
#define BERTH_TOOLS_PYTHON_INSTANCE_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "allocator/model/instance.h"

namespace berth::python {

// One entry a buffer in each column; those that are optional may be absent.
struct Columns {
  absl::Span<const int64_t> lower;
  absl::Span<const int64_t> upper;  // exclusive
  absl::Span<const int64_t> size;
  std::optional<absl::Span<const int64_t>> alignment;
  std::optional<absl::Span<const int64_t>> offset;  // -1: not placed
};

// A checked instance (instance.h); buffer i has the id "i". kInvalidArgument:
// columns of different lengths, or what a CSV's reader would refuse, by buffer.
// Thread-safety: pure. Cost: O(buffers).
absl::StatusOr<Instance> ToInstance(const Columns& columns);

// The offsets, -1 where there is none. Cost: O(buffers).
std::vector<int64_t> OffsetsOf(const Instance& instance);

}  // namespace berth::python

#endif  // BERTH_TOOLS_PYTHON_INSTANCE_H_
