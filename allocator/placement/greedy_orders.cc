#include "allocator/placement/greedy_orders.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>
#include <utility>

#include "allocator/model/intervals.h"

namespace berth {
namespace {

// What the orders look at. Doubles are exact enough and the same everywhere:
// products and square roots are correctly rounded.
class Traits {
 public:
  Traits(const Problem& problem, int32_t peak_time)
      : problem_(problem), peak_time_(peak_time) {}

  double Size(int32_t node) const {
    return static_cast<double>(problem_.size_bytes[node]);
  }
  // Size to a power of two, and to a power of four.
  double SizeClass(int32_t node) const {
    return std::bit_width(problem_.size_bytes[node]);
  }
  double WideSizeClass(int32_t node) const {
    const int bits = std::bit_width(problem_.size_bytes[node]);
    return (bits + 1) / 2;  // NOLINT(bugprone-integer-division): rounded down
  }
  double Length(int32_t node) const {
    return static_cast<double>(problem_.occupied_length[node]);
  }
  double Begin(int32_t node) const { return problem_.live.of(node).front().lo; }
  double End(int32_t node) const { return problem_.live.of(node).back().hi; }
  // Times occupied: ranks of end points in a CSV, where Length() is original.
  double Times(int32_t node) const {
    double times = 0;
    for (const Interval& run : problem_.live.of(node)) {
      times += static_cast<double>(run.hi) - run.lo + 1;
    }
    return times;
  }
  // From the time of the greatest load to the nearest time when it is live.
  double Distance(int32_t node) const {
    double least = std::numeric_limits<double>::max();
    for (const Interval& run : problem_.live.of(node)) {
      least = std::min<double>(
          least, std::max({0, run.lo - peak_time_, peak_time_ - run.hi}));
    }
    return least;
  }

 private:
  const Problem& problem_;
  int32_t peak_time_;
};

// Higher keys come first; ties by the second key, then the larger, then by id.
struct Key {
  double first = 0;
  double second = 0;
};

using KeyOf = Key (*)(const Traits& traits, int32_t node);

// The most promising first: what comes later is given up the sooner. Size is
// what others do; the rest were chosen one after another, each as the one of
// 264 orders that gained most over those before it on instances of all kinds.
constexpr KeyOf kOrders[kGreedyOrders] = {
    // Outward from the peak; of equally distant ones the last to begin.
    [](const Traits& t, int32_t n) {
      return Key{-t.Distance(n), t.Begin(n)};
    },
    // Size; of equal sizes the longer first.
    [](const Traits& t, int32_t n) {
      return Key{t.Size(n), t.Length(n)};
    },
    // Size, and a little of length: times the fourth root of its times.
    [](const Traits& t, int32_t n) {
      return Key{t.Size(n) * std::sqrt(std::sqrt(t.Times(n))), t.Begin(n)};
    },
    // Roughly by size; within a class as time goes.
    [](const Traits& t, int32_t n) {
      return Key{t.SizeClass(n), -t.Begin(n)};
    },
    // As time goes, the small first.
    [](const Traits& t, int32_t n) {
      return Key{-t.Begin(n), -t.Size(n)};
    },
    // Length; of equal lengths as they come.
    [](const Traits& t, int32_t n) {
      return Key{t.Length(n), -static_cast<double>(n)};
    },
    // More roughly by size; within a class the longer first.
    [](const Traits& t, int32_t n) {
      return Key{t.WideSizeClass(n), t.Length(n)};
    },
    // Outward again; of equally distant ones the first to end.
    [](const Traits& t, int32_t n) {
      return Key{-t.Distance(n), -t.End(n)};
    },
    // Roughly by size; within a class against time.
    [](const Traits& t, int32_t n) {
      return Key{t.SizeClass(n), t.End(n)};
    },
};

// Sorts nodes by one key after another.
class Sorter {
 public:
  Sorter(const Problem& problem, const Traits& traits, KeyOf key_of)
      : problem_(problem), traits_(traits), key_of_(key_of) {}

  // All nodes.
  std::vector<int32_t> Sorted() {
    order_.resize(problem_.size_bytes.size());
    std::iota(order_.begin(), order_.end(), 0);
    entries_.resize(order_.size());
    other_.resize(order_.size());
    SortFrom(kFirst, 0, order_.size());
    return std::move(order_);
  }

 private:
  // From this many on, radix passes are faster than comparing.
  static constexpr size_t kFewNodes = 48;
  // What is compared, the most important first.
  enum Level { kFirst, kSecond, kSize, kLevels };
  struct Entry {
    uint64_t word = 0;
    int32_t node = 0;
  };

  // Less for what comes first.
  uint64_t Word(Level level, int32_t node) const {
    if (level == kSize) return ~problem_.size_bytes[node];
    const Key key = key_of_(traits_, node);
    // + 0: no zero is negative. The bits of positive numbers are in order,
    // those of negative ones in reverse and above them.
    const auto bits =
        std::bit_cast<uint64_t>((level == kFirst ? key.first : key.second) + 0);
    constexpr uint64_t kSign = uint64_t{1} << 63;
    return (bits & kSign) != 0 ? bits : kSign - 1 - bits;
  }

  // order_[begin, end), equal on all levels before, and by id.
  void SortFrom(Level level, size_t begin, size_t end) {
    if (level == kLevels) return;
    for (size_t i = begin; i < end; ++i) {
      entries_[i] = {Word(level, order_[i]), order_[i]};
    }
    SortEntries(begin, end);
    for (size_t i = begin; i < end; ++i) order_[i] = entries_[i].node;
    for (size_t run = begin; run < end;) {
      size_t next = run + 1;
      while (next < end && entries_[next].word == entries_[run].word) ++next;
      if (next - run > 1) SortFrom(static_cast<Level>(level + 1), run, next);
      run = next;
    }
  }

  // entries_[begin, end) by word, equal ones by id, as they are. A byte at a
  // time, the lowest first; bytes that all have in common are left out.
  void SortEntries(size_t begin, size_t end) {
    if (end - begin < kFewNodes) {
      std::sort(entries_.begin() + begin, entries_.begin() + end,
                [](const Entry& a, const Entry& b) {
                  return a.word != b.word ? a.word < b.word : a.node < b.node;
                });
      return;
    }
    constexpr int kBytes = 8;
    std::array<std::array<size_t, 256>, kBytes> places = {};
    for (size_t i = begin; i < end; ++i) {
      for (int byte = 0; byte < kBytes; ++byte) {
        ++places[byte][entries_[i].word >> (8 * byte) & 0xff];
      }
    }
    Entry* from = entries_.data();
    Entry* to = other_.data();
    for (int byte = 0; byte < kBytes; ++byte) {
      std::array<size_t, 256>& place = places[byte];
      if (place[from[begin].word >> (8 * byte) & 0xff] == end - begin) continue;
      std::exclusive_scan(place.begin(), place.end(), place.begin(), begin);
      for (size_t i = begin; i < end; ++i) {
        to[place[from[i].word >> (8 * byte) & 0xff]++] = from[i];
      }
      std::swap(from, to);
    }
    if (from != entries_.data()) {
      std::copy(from + begin, from + end, to + begin);
    }
  }

  const Problem& problem_;
  const Traits& traits_;
  KeyOf key_of_;
  std::vector<int32_t> order_;
  std::vector<Entry> entries_;
  std::vector<Entry> other_;  // room for a pass
};

}  // namespace

std::vector<int32_t> GreedyOrder(const Problem& problem, int32_t peak_time,
                                 int index) {
  const Traits traits(problem, peak_time);
  return Sorter(problem, traits, kOrders[index]).Sorted();
}

}  // namespace berth
