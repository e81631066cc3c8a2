// From names of locations to their indices, many at a time.
//
// A large program names each of its locations several times and far apart, so
// that every look-up is a chain of cache misses. Here they run side by side: a
// batch starts the loads of all its slots, then of all its candidates, and only
// then compares.
#ifndef BERTH_ALLOCATOR_FORMATS_LOCATION_TABLE_H_
#define BERTH_ALLOCATOR_FORMATS_LOCATION_TABLE_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "allocator/model/program.h"

namespace berth {

// Thread-safety: const use from several threads.
class LocationTable {
 public:
  // The first of several locations of one name is the one that is found.
  // REQUIRES: `locations` outlives the table, unchanged; below 2^31 of them.
  // Cost: O(locations + bytes of names); 16 to 32 bytes per location.
  explicit LocationTable(const std::vector<Location>& locations);

  // indices[i] = the location named names[i], or -1. REQUIRES: equal sizes.
  // Cost: O(bytes of names).
  void Find(absl::Span<const absl::string_view> names,
            absl::Span<int32_t> indices) const;

 private:
  struct Slot {
    uint32_t tag = 0;  // of the hash
    int32_t index = -1;
  };
  // The next of `name`'s slots from `at` on with its tag, or an empty one.
  size_t Probe(size_t at, uint32_t tag) const;

  const std::vector<Location>& locations_;
  std::vector<Slot> slots_;  // a power of two, at most half full
};

}  // namespace berth

#endif  // BERTH_ALLOCATOR_FORMATS_LOCATION_TABLE_H_
