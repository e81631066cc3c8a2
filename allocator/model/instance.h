// An Instance: one placement problem as a CSV states it (spec §14), apart from
// any program. Rows are buffers with half-open lifetimes [lower, upper).
//
// Plain values. ReadCsv() (allocator/formats/csv.h) makes checked ones: unique
// ids, lower < upper, sizes below 2^63, alignment > 0, gaps sorted, disjoint
// and strictly inside, windows not empty and within the size.
#ifndef BERTH_ALLOCATOR_MODEL_INSTANCE_H_
#define BERTH_ALLOCATOR_MODEL_INSTANCE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace berth {

// Bytes [lower, upper) of a buffer, counted from its offset.
struct ByteWindow {
  uint64_t lower = 0;
  uint64_t upper = 0;

  friend bool operator==(const ByteWindow&, const ByteWindow&) = default;
};

// Nothing of the buffer is live in [lower, upper), or nothing but a window.
struct Gap {
  int64_t lower = 0;
  int64_t upper = 0;
  std::optional<ByteWindow> window = {};

  friend bool operator==(const Gap&, const Gap&) = default;
};

struct Buffer {
  std::string id;
  int64_t lower = 0;
  int64_t upper = 0;  // exclusive
  uint64_t size = 0;
  uint64_t alignment = 1;
  std::vector<Gap> gaps = {};
  std::optional<uint64_t> offset = {};  // an address somebody gave it

  friend bool operator==(const Buffer&, const Buffer&) = default;
};

struct Instance {
  std::vector<Buffer> buffers;  // file order

  friend bool operator==(const Instance&, const Instance&) = default;
};

}  // namespace berth

#endif  // BERTH_ALLOCATOR_MODEL_INSTANCE_H_
