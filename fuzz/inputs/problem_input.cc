#include "fuzz/inputs/problem_input.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "allocator/base/int_math.h"
#include "allocator/model/instance.h"
#include "allocator/model/intervals.h"
#include "allocator/model/options.h"
#include "allocator/placement/problem.h"
#include "fuzz/inputs/byte_reader.h"

namespace berth::fuzz {
namespace {

constexpr uint64_t kAny = 0;
constexpr int32_t kMaxTimes = 40;
constexpr uint64_t kMapCeiling = 2047;

constexpr uint64_t kPages[] = {1, kDramPageBytes, 1, 64, kDramPageBytes, 8};
constexpr uint64_t kMapPages[] = {1, 8, 16, 64, 1, 32, 3};
constexpr uint64_t kUnits[] = {1,
                               512,
                               4096,
                               4095,
                               100,
                               uint64_t{1} << 20,
                               uint64_t{1} << 31,
                               uint64_t{1} << 57};
constexpr uint64_t kMapUnits[] = {1, 2, 3, 8};
constexpr uint64_t kFloors[] = {0, 0, 1, 3, 4096, 4095, 10'000};
constexpr uint64_t kHighFloors[] = {uint64_t{1} << 63,
                                    ~uint64_t{0} - (uint64_t{1} << 20)};

struct Header {
  uint64_t unit = 1;
  bool alignments = true;
};

uint64_t Capped(uint128 value) {
  return static_cast<uint64_t>(std::min<uint128>(value, ~uint64_t{0}));
}

Header ReadHeader(ByteReader& bytes, const ProblemInputOptions& options,
                  Problem& problem) {
  Header header;
  const bool map = options.byte_map;
  problem.page_bytes = map ? bytes.OneOf(kMapPages) : bytes.OneOf(kPages);
  header.unit = map ? bytes.OneOf(kMapUnits) : bytes.OneOf(kUnits);
  const uint8_t floor = bytes.Byte();
  if (map) {
    problem.floor = floor % 16;
  } else if (floor >= 240) {
    problem.floor = kHighFloors[floor % 2];
  } else {
    problem.floor = kFloors[floor % std::size(kFloors)];
  }
  problem.num_times = 1 + bytes.Byte() % kMaxTimes;
  const uint64_t ceiling = bytes.Number(2);
  const uint64_t most =
      map ? kMapCeiling
          : std::max(kNoCapacity,
                     problem.floor > kNoCapacity ? ~uint64_t{0} : kAny);
  problem.ceiling = most;
  if (ceiling != 0 && ceiling < 0xf000) {
    problem.ceiling = std::min(
        most,
        Capped(uint128{problem.floor} + uint128{ceiling % 512} * header.unit));
  } else if (ceiling >= 0xff00) {
    problem.ceiling = problem.floor / 2;  // a floor above the ceiling
  }
  const uint64_t cc = bytes.Number(2);
  problem.cc_end = std::min(
      problem.ceiling,
      Capped(uint128{problem.floor} + uint128{cc % 128} * header.unit));
  problem.cc_end = std::max(problem.cc_end, problem.floor);
  return header;
}

// Up to three runs from the record's bytes, never adjacent, cut at the end.
std::vector<Interval> ReadRuns(ByteReader& bytes, int count,
                               int32_t num_times) {
  std::vector<Interval> runs;
  const uint8_t lo = bytes.Byte();
  const uint8_t length = bytes.Byte();
  const uint8_t more = bytes.Byte();
  const auto end = [num_times](int32_t hi) {
    return std::min(hi, num_times - 1);
  };
  const int32_t first = lo % num_times;
  runs.push_back({first, end(first + length % 24)});
  for (int i = 0; i < count; ++i) {
    const int32_t next = runs.back().hi + 2 + ((more >> (4 * i)) & 3);
    if (next >= num_times) break;
    runs.push_back({next, end(next + ((more >> (4 * i + 2)) & 3))});
  }
  return runs;
}

// 0..31 units, sometimes one byte more or less, or about a page.
uint64_t ReadSize(uint8_t byte, const Header& header, const Problem& problem) {
  const uint64_t size = (byte & 31) * header.unit;
  switch (byte >> 5) {
    case 5:
      return size + 1;
    case 6:
      return size - std::min<uint64_t>(size, 1);
    case 7:
      return problem.page_bytes + (byte & 3) - 1;
    default:
      return size;
  }
}

uint64_t ReadAlignment(uint8_t byte, bool map) {
  if (byte < 160) return 1;
  if (byte < 208 || map) return 1 + byte % 16;
  return uint64_t{1} << (byte % 13);
}

void ReadRecord(ByteReader& bytes, const Header& header, bool map,
                Problem& problem) {
  const uint8_t kind = bytes.Byte();
  const uint64_t size = ReadSize(bytes.Byte(), header, problem);
  const std::vector<Interval> runs =
      ReadRuns(bytes, std::max(0, (kind & 3) - 1), problem.num_times);
  const uint64_t alignment = ReadAlignment(bytes.Byte(), map);
  const uint64_t address = bytes.Number(2);
  if (kind % 16 >= 14) {
    Pin pin;
    pin.address =
        Capped(uint128{problem.floor} / 2 +
               uint128{address % 256} * header.unit + (address >> 14));
    pin.end = Capped(uint128{pin.address} + size);
    problem.pins.push_back(pin);
    problem.pin_live.Append(runs);
    return;
  }
  problem.size_bytes.push_back(size);
  problem.alignment.push_back(alignment);
  uint64_t length = 0;
  for (const Interval& run : runs) length += run.hi - run.lo + 1;
  problem.occupied_length.push_back(length);
  problem.cc.push_back((kind & 16) != 0);
  problem.live.Append(runs);
}

void SetTimes(absl::Span<const Interval> runs, Buffer& buffer) {
  buffer.lower = runs.front().lo;
  buffer.upper = int64_t{runs.back().hi} + 1;
  for (size_t i = 1; i < runs.size(); ++i) {
    buffer.gaps.push_back({int64_t{runs[i - 1].hi} + 1, runs[i].lo});
  }
}

}  // namespace

Problem DecodeProblem(absl::string_view input,
                      const ProblemInputOptions& options) {
  ByteReader bytes(input);
  Problem problem;
  const Header header = ReadHeader(bytes, options, problem);
  for (size_t i = 0; i < kMaxProblemRecords && !bytes.empty(); ++i) {
    ReadRecord(bytes, header, options.byte_map, problem);
  }
  return problem;
}

Instance ToInstance(const Problem& problem) {
  Instance instance;
  for (int32_t id = 0; id < problem.num_nodes(); ++id) {
    Buffer& buffer = instance.buffers.emplace_back();
    buffer.id = absl::StrCat("n", id);
    buffer.size = std::min<uint64_t>(problem.size_bytes[id], kNoCapacity);
    buffer.alignment = problem.alignment[id];
    SetTimes(problem.live.of(id), buffer);
  }
  for (int32_t id = 0; id < problem.num_pins(); ++id) {
    const Pin& pin = problem.pins[id];
    if (pin.end > kNoCapacity) continue;
    Buffer& buffer = instance.buffers.emplace_back();
    buffer.id = absl::StrCat("p", id);
    buffer.size = pin.end - pin.address;
    buffer.offset = pin.address;
    SetTimes(problem.pin_live.of(id), buffer);
  }
  return instance;
}

}  // namespace berth::fuzz
