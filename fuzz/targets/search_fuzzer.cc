// First fit (spec §7) against a map of single bytes: the plain one, the fast
// one and the largest gap, for any state of a placement and any question.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "allocator/model/intervals.h"
#include "allocator/placement/first_fit.h"
#include "allocator/placement/local_order.h"
#include "allocator/placement/plain_first_fit.h"
#include "allocator/placement/problem.h"
#include "allocator/placement/range_set.h"
#include "allocator/placement/regions.h"
#include "allocator/placement/sweep_first_fit.h"
#include "allocator/placement/timed_scan.h"
#include "allocator/placement/window_first_fit.h"
#include "allocator/placement/window_layout.h"
#include "fuzz/engine/oracle.h"
#include "fuzz/engine/target.h"
#include "fuzz/inputs/byte_reader.h"
#include "fuzz/inputs/problem_input.h"
#include "tests/placement/timed_table.h"

namespace berth::fuzz {
namespace {

std::string Show(std::optional<uint64_t> address) {
  return address.has_value() ? absl::StrCat(*address) : "nothing";
}

bool ShareTime(absl::Span<const Interval> a, absl::Span<const Interval> b) {
  for (const Interval& x : a) {
    for (const Interval& y : b) {
      if (!(x.hi < y.lo) && !(y.hi < x.lo)) return true;
    }
  }
  return false;
}

// Which bytes are taken for one node: what spec §7 says, byte by byte.
class ByteMap {
 public:
  ByteMap(const Problem& problem, int32_t node,
          const std::vector<std::optional<uint64_t>>& placed)
      : problem_(problem), node_(node), taken_(problem.ceiling, 0) {
    for (int32_t other = 0; other < problem.num_nodes(); ++other) {
      if (other != node && placed[other].has_value() &&
          ShareTime(problem.live.of(node), problem.live.of(other))) {
        Take(*placed[other], *placed[other] + problem.size_bytes[other]);
      }
    }
    for (int32_t pin = 0; pin < problem.num_pins(); ++pin) {
      if (ShareTime(problem.live.of(node), problem.pin_live.of(pin))) {
        Take(problem.pins[pin].address, problem.pins[pin].end);
      }
    }
    FindFreeRuns();
  }

  // The lowest address in [start, ceiling) that every rule allows.
  std::optional<uint64_t> Lowest(uint64_t start, uint64_t ceiling) const {
    const uint64_t size = problem_.size_bytes[node_];
    const uint64_t page = problem_.page_bytes;
    for (const auto& [lo, hi] : free_runs_) {
      const uint64_t end = std::min(hi, ceiling);
      for (uint64_t x = std::max(lo, start); x + size <= end; ++x) {
        if (x % problem_.alignment[node_] != 0) continue;
        if (size <= page && x / page != (x + size - 1) / page) continue;
        return x;
      }
    }
    return std::nullopt;
  }

  uint64_t LongestFree(uint64_t start, uint64_t ceiling) const {
    uint64_t longest = 0;
    for (const auto& [lo, hi] : free_runs_) {
      const uint64_t begin = std::max(lo, start);
      const uint64_t end = std::min(hi, ceiling);
      if (begin < end) longest = std::max(longest, end - begin);
    }
    return longest;
  }

 private:
  void Take(uint64_t lo, uint64_t hi) {
    const uint64_t end = std::min<uint64_t>(hi, taken_.size());
    if (lo < end) std::memset(taken_.data() + lo, 1, end - lo);
  }

  // The map is read once; the questions then step over what is taken.
  void FindFreeRuns() {
    for (size_t at = 0; at < taken_.size();) {
      const void* const found =
          std::memchr(taken_.data() + at, 1 - taken_[at], taken_.size() - at);
      const size_t next =
          found == nullptr
              ? taken_.size()
              : static_cast<size_t>(static_cast<const char*>(found) -
                                    taken_.data());
      if (taken_[at] == 0) free_runs_.emplace_back(at, next);
      at = next;
    }
  }

  const Problem& problem_;
  const int32_t node_;
  std::vector<char> taken_;  // 1: taken
  std::vector<std::pair<uint64_t, uint64_t>> free_runs_;
};

void AskAll(int32_t node, uint64_t lo, uint64_t hi, const ByteMap& map,
            PlainFirstFit& plain, WindowFirstFit& fast,
            std::optional<SweepFirstFit>& sweep) {
  const std::optional<uint64_t> want = map.Lowest(lo, hi);
  const std::optional<uint64_t> got = plain.Find(node, lo, hi);
  ORACLE(got == want, "plain, node ", node, " in [", lo, ", ", hi,
         "): ", Show(got), ", not ", Show(want));
  const std::optional<uint64_t> fast_got = fast.Find(node, lo, hi);
  ORACLE(fast_got == want, "fast, node ", node, " in [", lo, ", ", hi,
         "): ", Show(fast_got), ", not ", Show(want));
  if (!sweep.has_value()) return;
  const std::optional<uint64_t> sweep_got = sweep->Find(node, lo, hi);
  ORACLE(sweep_got == want, "sweep, node ", node, " in [", lo, ", ", hi,
         "): ", Show(sweep_got), ", not ", Show(want));
}

// What SweepFirstFit can take: no pins, the first run of each node.
void Simplify(Problem& problem) {
  problem.pins.clear();
  problem.pin_live = IntervalTable();
  problem.windows.clear();
  IntervalTable first_runs;
  for (int32_t node = 0; node < problem.num_nodes(); ++node) {
    first_runs.Append(problem.live.of(node).first(1));
  }
  problem.live = std::move(first_runs);
}

// Spec §9: a node's own region, then the other, last both at once.
std::optional<uint64_t> InRegions(const Problem& problem, int32_t node,
                                  const ByteMap& map) {
  const uint64_t floor = problem.floor;
  const uint64_t cc_end = problem.cc_end;
  const uint64_t ceiling = problem.ceiling;
  std::optional<uint64_t> found = problem.cc[node]
                                      ? map.Lowest(floor, cc_end)
                                      : map.Lowest(cc_end, ceiling);
  if (!found.has_value()) {
    found = problem.cc[node] ? map.Lowest(cc_end, ceiling)
                             : map.Lowest(floor, cc_end);
  }
  return found.has_value() ? found : map.Lowest(floor, ceiling);
}

// Four bytes an entry: where it begins (two), how long it is, when it lives.
TimedTable DecodeTable(absl::string_view input) {
  const auto byte = [input](size_t i) {
    return static_cast<uint32_t>(static_cast<uint8_t>(input[i]));
  };
  std::vector<TimedEntry> entries;
  for (size_t i = 0; i + 4 <= input.size(); i += 4) {
    const uint32_t begin = byte(i) << 8 | byte(i + 1);
    const uint32_t first = byte(i + 3) >> 4;
    const uint32_t last = std::max(first, byte(i + 3) & 15);
    entries.push_back({begin, begin + 1 + byte(i + 2),
                       PackEntryTimes(static_cast<int32_t>(first),
                                      static_cast<int32_t>(last))});
  }
  return TimedTable(std::move(entries));
}

// Every kernel of the innermost loop, entry by entry.
void AskKernels(absl::string_view input, uint8_t seed) {
  const TimedTable table = DecodeTable(input);
  const int32_t first = seed >> 4;
  const GapQuestion<uint32_t> question = {
      .from = uint32_t{seed} << 6,
      .size = 1u + (seed & 31) * (seed & 7),
      .asked = PackAskedTimes(first, std::max(first, seed & 15))};
  const GapAnswer want = DefinedGap(table, question, 0);
  for (const GapScan* kernel : AllGapScans()) {
    GapAnswer got = {};
    got.x = kernel->scan(table.entries(), question, got.position);
    ORACLE(got == want, kernel->name, ": gap at ", got.x, ", not ", want.x,
           ", in block ", got.position, ", not ", want.position);
  }
}

// A set of ranges in chunks of two against a flag an address. Four bytes a
// step: where, how long, what, and what gap is asked for.
void AskRanges(absl::string_view input) {
  constexpr size_t kSpace = 512;
  RangeSet<uint32_t, 2> set;
  std::array<bool, kSpace> taken = {};
  uint64_t visits = 0;
  const size_t end = std::min<size_t>(input.size(), 4 * size_t{64});
  for (size_t i = 0; i + 4 <= end; i += 4) {
    const auto byte = [&](size_t k) -> uint32_t {
      return static_cast<uint8_t>(input[i + k]);
    };
    const uint32_t lo = 2 * byte(0) % (kSpace - 16);
    uint32_t hi = lo + 1 + byte(1) % 15;
    const bool erase = byte(2) % 4 == 0;
    if (erase) {  // only what is there may be
      hi = static_cast<uint32_t>(std::find(&taken[lo], &taken[hi], false) -
                                 taken.data());
    }
    std::fill(&taken[lo], &taken[hi], !erase);
    if (lo < hi) erase ? set.Erase(lo, hi) : set.Insert(lo, hi);
    const uint32_t from = byte(2) / 4;
    const uint32_t size = 1 + byte(3) % 32;
    uint32_t want = from;
    for (uint32_t at = from; at < kSpace && at < want + size; ++at) {
      if (taken[at]) want = at + 1;
    }
    const uint32_t got = set.NextGap(from, size, visits);
    ORACLE(got == want, "gap of ", size, " from ", from, ": ", got, ", not ",
           want);
  }
}

// `order` rearranged, as finely as can be, gives every node the same address.
void PlaceLocally(const Problem& problem, absl::Span<const int32_t> order,
                  uint8_t seed,
                  const std::vector<std::optional<uint64_t>>& placed) {
  const WindowLayout layout(problem, 1 + seed % 4);
  const LocalOrder local(layout, order,
                         {.stretch_bytes = 0,
                          .least_bytes = 0,
                          .least_batch = size_t{2} << seed / 4 % 8,
                          .batches = size_t{1} << 40});
  WindowFirstFit first_fit(layout, local.nodes());
  ORACLE(local.nodes().size() == order.size(), "nodes ", local.nodes().size(),
         " of ", order.size());
  for (const int32_t node : local.nodes()) {
    if (problem.size_bytes[node] == 0) continue;
    const auto address = PlaceNode(first_fit, problem, node);
    ORACLE(address == placed[node], "locally node ", node, ": ", Show(address),
           ", not ", Show(placed[node]));
  }
}

void Run(absl::string_view input) {
  AskKernels(input, LastByte(input));
  AskRanges(input);
  Problem problem = DecodeProblem(input, {.byte_map = true});
  if (!CheckProblem(problem).ok()) return;
  std::vector<int32_t> order(problem.num_nodes());
  std::iota(order.begin(), order.end(), 0);
  // From the input too: which end first, and how many events a window.
  const uint8_t seed = LastByte(input);
  if (seed & 1) std::reverse(order.begin(), order.end());
  if (seed & 8) {
    Simplify(problem);
    std::sort(order.begin(), order.end(), [&](int32_t a, int32_t b) {
      return std::make_pair(problem.live.of(a)[0].lo, a) <
             std::make_pair(problem.live.of(b)[0].lo, b);
    });
  }
  PlainFirstFit plain(problem, order);
  WindowFirstFit fast = (seed & 6) == 0
                            ? WindowFirstFit(problem, order)
                            : WindowFirstFit(problem, order, (seed & 6) / 2);
  std::optional<SweepFirstFit> sweep;
  if (SweepFirstFit::Serves(problem, order)) sweep.emplace(problem, order);
  std::vector<std::optional<uint64_t>> placed(problem.num_nodes());
  for (const int32_t node : order) {
    const uint64_t size = problem.size_bytes[node];
    if (size == 0) {
      const uint64_t own = problem.cc[node] ? problem.floor : problem.cc_end;
      ORACLE(FindInRegions(plain, problem, node) == own, "w = 0, node ", node);
      continue;
    }
    const ByteMap map(problem, node, placed);
    const uint64_t middle = (problem.floor + problem.ceiling) / 2;
    AskAll(node, problem.floor, problem.ceiling, map, plain, fast, sweep);
    ORACLE(plain.LargestGap(node, problem.floor, problem.ceiling) ==
               map.LongestFree(problem.floor, problem.ceiling),
           "largest gap of node ", node);
    AskAll(node, problem.cc_end, problem.ceiling, map, plain, fast, sweep);
    AskAll(node, problem.floor, problem.cc_end, map, plain, fast, sweep);
    AskAll(node, problem.floor + size % 7, middle, map, plain, fast, sweep);
    placed[node] = FindInRegions(plain, problem, node);
    const std::optional<uint64_t> want = InRegions(problem, node, map);
    ORACLE(placed[node] == want, "node ", node,
           " in its regions: ", Show(placed[node]), ", not ", Show(want));
    if (!placed[node].has_value()) continue;
    plain.Place(node, *placed[node]);
    fast.Place(node, *placed[node]);
    if (sweep.has_value()) sweep->Place(node, *placed[node]);
  }
  PlaceLocally(problem, order, seed, placed);
}

const bool kRegistered = RegisterTarget({
    .name = "search_fuzzer",
    .summary = "first fit against a byte map, its kernels entry by entry",
    .max_bytes = kMaxProblemBytes,
    .run = Run,
});

}  // namespace
}  // namespace berth::fuzz
