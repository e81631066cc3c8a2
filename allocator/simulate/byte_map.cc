#include "allocator/simulate/byte_map.h"

#include <cstdint>
#include <iterator>

namespace berth::machine {

void ByteMap::Split(uint64_t at) {
  auto it = runs_.lower_bound(at);
  if (it == runs_.begin()) return;
  --it;
  if (it->second.end <= at) return;
  const Run rest = {it->second.end, it->second.tag.Plus(at - it->first)};
  it->second.end = at;
  runs_.emplace(at, rest);
}

void ByteMap::Write(uint64_t lo, uint64_t hi, const Tag& tag) {
  Split(lo);
  Split(hi);
  const auto first = runs_.lower_bound(lo);
  const auto last = runs_.lower_bound(hi);
  runs_.erase(first, last);
  runs_.emplace(lo, Run{hi, tag});
}

}  // namespace berth::machine
