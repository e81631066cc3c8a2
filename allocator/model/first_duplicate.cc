#include "allocator/model/first_duplicate.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/hash/hash.h"
#include "absl/strings/string_view.h"

namespace berth {
namespace {

// Names per bucket on average: 32 KiB of entries.
constexpr uint32_t kBucketNames = 2048;

struct Entry {
  uint64_t hash = 0;
  int32_t index = 0;
};

}  // namespace

std::optional<Duplicate> FirstDuplicate(
    int32_t count, absl::FunctionRef<absl::string_view(int32_t)> name_of) {
  if (count < 2) return std::nullopt;
  std::vector<Entry> unsorted(count);
  const uint32_t buckets =
      std::bit_ceil(static_cast<uint32_t>(count) / kBucketNames + 1);
  const int shift = 63 - std::countr_zero(buckets);
  const auto bucket = [&](const Entry& e) { return (e.hash >> 1) >> shift; };
  std::vector<int32_t> ends(buckets + 1, 0);
  for (int32_t i = 0; i < count; ++i) {
    unsorted[i] = {absl::Hash<absl::string_view>()(name_of(i)), i};
    ++ends[bucket(unsorted[i]) + 1];
  }
  for (uint32_t b = 0; b < buckets; ++b) ends[b + 1] += ends[b];
  std::vector<Entry> entries(count);
  // ends[b] is where b starts until its entries have moved it to its end.
  for (const Entry& e : unsorted) entries[ends[bucket(e)]++] = e;

  std::optional<Duplicate> found;
  // Few hashes are equal unless names are; then order by name, by index.
  const auto look_at_equal_hashes = [&](Entry* begin, Entry* end) {
    std::sort(begin, end, [&](const Entry& a, const Entry& b) {
      const int order = name_of(a.index).compare(name_of(b.index));
      return order != 0 ? order < 0 : a.index < b.index;
    });
    for (Entry* same = begin; same + 1 < end;) {
      Entry* next = same + 1;
      while (next < end && name_of(next->index) == name_of(same->index)) ++next;
      const bool pair = next - same > 1;
      if (pair && (!found || same[1].index < found->second)) {
        found = {same->index, same[1].index};
      }
      same = next;
    }
  };
  for (uint32_t b = 0; b < buckets; ++b) {
    Entry* const begin = entries.data() + (b == 0 ? 0 : ends[b - 1]);
    Entry* const end = entries.data() + ends[b];
    std::sort(begin, end,
              [](const Entry& a, const Entry& b) { return a.hash < b.hash; });
    for (Entry* same = begin; same < end;) {
      Entry* next = same + 1;
      while (next < end && next->hash == same->hash) ++next;
      if (next - same > 1) look_at_equal_hashes(same, next);
      same = next;
    }
  }
  return found;
}

}  // namespace berth
