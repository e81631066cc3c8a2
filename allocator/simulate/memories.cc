#include "allocator/simulate/memories.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "allocator/simulate/byte_map.h"
#include "allocator/simulate/expectation.h"
#include "allocator/simulate/layout.h"
#include "allocator/simulate/trace.h"

namespace berth::machine {

Memories::Memories(const Layout& layout, const Trace& trace,
                   const Expectation& expectation)
    : layout_(&layout),
      trace_(&trace),
      expectation_(&expectation),
      private_(layout.cores.size()) {
  ForEachLoaded(layout, [&](int32_t core, int32_t function, int32_t location) {
    const LocationPlace& place =
        layout.cores[core].functions[function].places[location];
    if (place.placed) Put(core, place, 0, place.bytes, LoadTag(place));
  });
}

template <typename Visit>
void Memories::ForEachPart(const Layout& layout, bool shared, uint64_t lo,
                           uint64_t hi, Visit visit) {
  if (shared) return visit(true, lo, hi);
  const auto& ranges = layout.shared_bytes;
  auto range = std::upper_bound(
      ranges.begin(), ranges.end(), lo,
      [](uint64_t at, const auto& r) { return at < r.second; });
  while (lo < hi) {
    if (range == ranges.end() || hi <= range->first) {
      return visit(false, lo, hi);
    }
    if (lo < range->first) {
      visit(false, lo, range->first);
      lo = range->first;
    }
    const uint64_t end = std::min(hi, range->second);
    visit(true, lo, end);
    lo = end;
    ++range;
  }
}

void Memories::Put(int32_t core, const LocationPlace& place, uint64_t offset,
                   uint64_t bytes, const Tag& tag) {
  const uint64_t begin = place.address + offset;
  ForEachPart(
      *layout_, place.shared, begin, begin + bytes,
      [&](bool shared, uint64_t lo, uint64_t hi) {
        (shared ? shared_ : private_[core]).Write(lo, hi, tag.Plus(lo - begin));
      });
}

void Memories::Write(int32_t core, int32_t e) {
  const TraceEvent& event = trace_->cores[core].events[e];
  const FunctionLayout& f = layout_->cores[core].functions[event.function];
  ForEachWrite(f, event,
               [&](int32_t location, uint64_t offset, uint64_t bytes) {
                 const LocationPlace& place = f.places[location];
                 if (!place.placed) return;
                 Put(core, place, offset, bytes, TagOf(event, place, offset));
               });
}

std::optional<Fault> Memories::Check(
    int32_t core, int32_t event,
    absl::Span<const ExpectedBytes> expected) const {
  for (const ExpectedBytes& want : expected) {
    const LocationPlace& place =
        layout_->cores[core].functions[want.function].places[want.location];
    const uint64_t begin = place.address + want.lo;
    const uint64_t end = place.address + want.hi;
    uint64_t good = begin;  // bytes [begin, good) are right
    std::optional<Tag> seen;
    bool bad = false;
    ForEachPart(*layout_, place.shared, begin, end,
                [&](bool shared, uint64_t lo, uint64_t hi) {
                  const ByteMap& map = shared ? shared_ : private_[core];
                  map.ForEach(
                      lo, hi, [&](uint64_t from, uint64_t to, const Tag& tag) {
                        if (bad || from != good) {
                          bad = true;  // a hole
                        } else if (tag.Same(want.tag.Plus(from - begin))) {
                          good = to;
                        } else {
                          bad = true;
                          seen = tag;
                        }
                      });
                });
    if (good == end) continue;
    Fault fault;
    fault.core = core;
    fault.event = event;
    fault.expected = want;
    fault.first = want.lo + (good - begin);
    fault.wanted = want.tag.Plus(good - begin);
    fault.seen = seen;
    return fault;
  }
  return std::nullopt;
}

std::optional<Fault> Memories::Read(int32_t core, int32_t event) const {
  return Check(core, event, expectation_->Of(core, event));
}

std::optional<Fault> Memories::AtEnd() const {
  for (size_t c = 0; c < layout_->cores.size(); ++c) {
    const auto core = static_cast<int32_t>(c);
    std::optional<Fault> fault = Check(core, -1, expectation_->AtEnd(core));
    if (fault) return fault;
  }
  return std::nullopt;
}

std::string Memories::Fingerprint() const {
  std::string text;
  const auto add = [&text](const ByteMap& map) {
    map.ForEach(0, std::numeric_limits<uint64_t>::max(),
                [&text](uint64_t lo, uint64_t hi, const Tag& tag) {
                  absl::StrAppend(&text, lo, "-", hi, ":", tag.writer, ".",
                                  tag.memory, ".", tag.origin, ",");
                });
    text += ';';
  };
  for (const ByteMap& map : private_) add(map);
  add(shared_);
  return text;
}

}  // namespace berth::machine
