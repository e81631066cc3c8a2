#include "tests/show/sample_maps.h"

#include <limits>

#include "absl/strings/str_cat.h"
#include "allocator/base/rng.h"

namespace berth::show {
namespace {

constexpr uint64_t kMax64 = std::numeric_limits<uint64_t>::max();
constexpr int64_t kMinTime = std::numeric_limits<int64_t>::min();
constexpr int64_t kMaxTime = std::numeric_limits<int64_t>::max();

MemoryMap OnePanel(std::vector<MapRange> ranges) {
  MemoryMap map;
  map.title = "sample";
  MapPanel panel;
  panel.title = "panel";
  panel.ranges = std::move(ranges);
  map.panels.push_back(std::move(panel));
  return map;
}

MapRange Range(int64_t lo, int64_t hi, uint64_t address, uint64_t size_bytes,
               std::string label = "x") {
  MapRange range;
  range.lo = lo;
  range.hi = hi;
  range.address = address;
  range.size_bytes = size_bytes;
  range.label = std::move(label);
  return range;
}

MemoryMap EveryLookAndMark() {
  MemoryMap map = OnePanel({});
  MapPanel& panel = map.panels[0];
  for (const Usage usage :
       {Usage::kInput, Usage::kOutput, Usage::kWeight, Usage::kConstant,
        Usage::kIntermediate, Usage::kSpill}) {
    const uint64_t n = panel.ranges.size();
    MapRange range = Range(n, n + 3, 4096 * n, 4096, "usage");
    range.usage = usage;
    range.pinned = n % 2 == 0;
    range.cc = n == 4;
    range.placed_at = n;
    panel.ranges.push_back(range);
  }
  panel.cc_region = MapRegion{4096, 500u << 20};
  panel.marks = {{MarkKind::kFloor, 4096, "floor"},
                 {MarkKind::kLowerBound, 20000, "lower bound"},
                 {MarkKind::kPeak, 20000, "peak"},
                 {MarkKind::kCeiling, uint64_t{24} << 30, "ceiling"},
                 {MarkKind::kOther, kMax64, "far away"}};
  panel.num_unplaced = 3;
  return map;
}

MemoryMap ManyPanels() {
  MemoryMap map;
  map.title = "many panels";
  for (int i = 0; i < 20; ++i) {
    MapPanel panel;
    panel.title = absl::StrCat("core ", i);
    panel.ranges = {Range(0, i, 0, 4096 * (i + 1))};
    map.panels.push_back(panel);
  }
  return map;
}

}  // namespace

std::vector<NamedMap> SampleMaps() {
  MemoryMap note_only;
  note_only.note = "only a note";
  return {
      {"Nothing", MemoryMap()},
      {"NoteOnly", note_only},
      {"EmptyPanel", OnePanel({})},
      {"One", OnePanel({Range(0, 0, 0, 1)})},
      {"ZeroSize", OnePanel({Range(0, 4, 0, 0), Range(2, 3, 4096, 0)})},
      {"OneAndZeroSize", OnePanel({Range(0, 4, 0, 100), Range(2, 3, 100, 0)})},
      {"HugeAddress",
       OnePanel({Range(0, 1, uint64_t{1} << 63, 4096), Range(1, 2, 0, 4096)})},
      {"LastByte", OnePanel({Range(0, 1, kMax64, 1), Range(0, 1, kMax64, 0)})},
      {"EndPast64Bits", OnePanel({Range(0, 1, kMax64 - 1, 1000)})},
      {"WholeSpace", OnePanel({Range(0, 1, 0, kMax64)})},
      {"NegativeTimes",
       OnePanel({Range(-50, -41, 0, 10), Range(-45, 7, 10, 5)})},
      {"WholeTime", OnePanel({Range(kMinTime, kMaxTime, 0, 10),
                              Range(kMaxTime, kMaxTime, 10, 10),
                              Range(kMinTime, kMinTime, 20, 10)})},
      {"EndsBeforeItBegins", OnePanel({Range(5, 4, 0, 10)})},
      {"OddNames",
       OnePanel({Range(0, 9, 0, 10, "<a & \"b\">]]>"),
                 Range(0, 9, 10, 10, std::string("\x00\x1b\xff\xc3", 4)),
                 Range(0, 9, 20, 10,
                       "Gr\xc3\xb6\xc3\x9f"
                       "e \xe2\x82\xac"),
                 Range(0, 9, 30, 10, std::string(5000, 'w')),
                 Range(0, 9, 40, 10, "")})},
      {"EveryLookAndMark", EveryLookAndMark()},
      {"ManyPanels", ManyPanels()},
      {"Random300", RandomMap(300, 1)},
      {"Random5000", RandomMap(5000, 2)},
      {"Random20000", RandomMap(20000, 3)},
  };
}

MemoryMap RandomMap(int32_t count, uint64_t seed) {
  Rng rng(seed);
  MemoryMap map = OnePanel({});
  for (int32_t i = 0; i < count; ++i) {
    const int64_t lo = rng.Between(0, 2 * count);
    // One draw a statement: arguments are evaluated in any order.
    const uint64_t size = 1 + rng.Below(1u << 21);
    const uint64_t address = rng.Below(1u << 28);
    const int64_t length = rng.Between(0, count / 10);
    MapRange range =
        Range(lo, lo + length, address, size, absl::StrCat("r", i));
    range.cc = rng.OneIn(20);
    range.pinned = rng.OneIn(50);
    range.usage = rng.OneIn(4) ? Usage::kSpill : Usage::kIntermediate;
    map.panels[0].ranges.push_back(range);
  }
  return map;
}

int64_t NumValid(const MemoryMap& map) {
  int64_t count = 0;
  for (const MapPanel& panel : map.panels) {
    for (const MapRange& range : panel.ranges) count += range.lo <= range.hi;
  }
  return count;
}

}  // namespace berth::show
