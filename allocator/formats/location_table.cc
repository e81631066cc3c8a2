#include "allocator/formats/location_table.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/hash/hash.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "allocator/base/check.h"
#include "allocator/model/program.h"

namespace berth {
namespace {

constexpr size_t kBatch = 32;

}  // namespace

size_t LocationTable::Probe(size_t at, uint32_t tag) const {
  at &= slots_.size() - 1;
  while (slots_[at].index >= 0 && slots_[at].tag != tag) {
    at = (at + 1) & (slots_.size() - 1);
  }
  return at;
}

LocationTable::LocationTable(const std::vector<Location>& locations)
    : locations_(locations), slots_(std::bit_ceil(2 * locations.size() + 1)) {
  uint64_t hashes[kBatch];
  for (size_t begin = 0; begin < locations.size(); begin += kBatch) {
    const size_t count = std::min(kBatch, locations.size() - begin);
    for (size_t i = 0; i < count; ++i) {
      hashes[i] = absl::Hash<absl::string_view>()(locations[begin + i].name);
      __builtin_prefetch(&slots_[hashes[i] & (slots_.size() - 1)], 1);
    }
    for (size_t i = 0; i < count; ++i) {
      const auto tag = static_cast<uint32_t>(hashes[i] >> 32);
      size_t at = Probe(hashes[i], tag);
      while (slots_[at].index >= 0 &&
             locations[slots_[at].index].name != locations[begin + i].name) {
        at = Probe(at + 1, tag);
      }
      if (slots_[at].index >= 0) continue;
      slots_[at] = {tag, static_cast<int32_t>(begin + i)};
    }
  }
}

void LocationTable::Find(absl::Span<const absl::string_view> names,
                         absl::Span<int32_t> indices) const {
  BERTH_CHECK(names.size() == indices.size());
  uint64_t hashes[kBatch];
  size_t slots[kBatch];
  for (size_t begin = 0; begin < names.size(); begin += kBatch) {
    const size_t count = std::min(kBatch, names.size() - begin);
    for (size_t i = 0; i < count; ++i) {
      hashes[i] = absl::Hash<absl::string_view>()(names[begin + i]);
      __builtin_prefetch(&slots_[hashes[i] & (slots_.size() - 1)]);
    }
    for (size_t i = 0; i < count; ++i) {
      slots[i] = Probe(hashes[i], static_cast<uint32_t>(hashes[i] >> 32));
      const int32_t index = slots_[slots[i]].index;
      if (index >= 0) __builtin_prefetch(&locations_[index].name);
    }
    for (size_t i = 0; i < count; ++i) {
      size_t at = slots[i];
      while (slots_[at].index >= 0 &&
             locations_[slots_[at].index].name != names[begin + i]) {
        at = Probe(at + 1, static_cast<uint32_t>(hashes[i] >> 32));
      }
      indices[begin + i] = slots_[at].index;
    }
  }
}

}  // namespace berth
