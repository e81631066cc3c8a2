#include "allocator/interference/block_tree.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <tuple>
#include <utility>

#include "allocator/interference/filter.h"

namespace berth {
namespace {

constexpr int32_t kFanOut = 16;
constexpr int kFanOutBits = 4;
// log16 of 2^31 blocks.
constexpr int kMaxLevels = 8;
constexpr int32_t kNoTime = std::numeric_limits<int32_t>::min();

size_t RoundUp(size_t n, size_t granule) {
  return (n + granule - 1) / granule * granule;
}

}  // namespace

BlockTree::BlockTree(absl::Span<const OwnedInterval> intervals)
    : stored_(intervals), size_(static_cast<int32_t>(intervals.size())) {
  CheckIntervals(intervals);
  if (size_ == 0) return;
  Uninitialized<OwnedInterval> sorted = SortedByLo(intervals);
  const size_t n = sorted.size();
  const size_t padded = RoundUp(n, kBlock);
  lo_.resize(padded);
  hi_.resize(padded);
  id_.resize(padded);
  std::vector<int32_t> level;
  for (size_t begin = 0; begin < n; begin += kBlock) {
    const size_t end = std::min(n, begin + kBlock);
    block_lo_.push_back(sorted[begin].lo);
    std::sort(&sorted[begin], &sorted[begin] + (end - begin),
              [](const OwnedInterval& a, const OwnedInterval& b) {
                return std::tie(b.hi, a.lo, a.id) < std::tie(a.hi, b.lo, b.id);
              });
    for (size_t i = begin; i < end; ++i) {
      lo_[i] = sorted[i].lo;
      hi_[i] = sorted[i].hi;
      id_[i] = sorted[i].id;
    }
    level.push_back(sorted[begin].hi);
  }
  block_rank_ = RankTable(block_lo_);
  for (;;) {
    const size_t entries = level.size();
    level.resize(RoundUp(entries, kFanOut), kNoTime);
    max_.push_back(std::move(level));
    if (entries <= kFanOut) break;
    level.clear();
    const std::vector<int32_t>& below = max_.back();
    for (size_t i = 0; i < below.size(); i += kFanOut) {
      level.push_back(*std::max_element(&below[i], &below[i] + kFanOut));
    }
  }
}

uint64_t BlockTree::bytes() const {
  uint64_t entries =
      lo_.capacity() + hi_.capacity() + id_.capacity() + block_lo_.capacity();
  for (const std::vector<int32_t>& level : max_) entries += level.capacity();
  return entries * sizeof(int32_t) + block_rank_.bytes();
}

BlockTree::Range BlockTree::BlocksOf(int32_t lo, int32_t hi) const {
  const int32_t r = block_rank_.Rank(block_lo_.data(), hi);
  const int32_t l = block_rank_.Rank(block_lo_.data(), lo);
  return {std::max(0, l - 1), r};
}

int32_t BlockTree::BlockSize(int32_t b) const {
  return std::min(kBlock, size_ - b * kBlock);
}

template <typename Found>
void BlockTree::Descend(int32_t end, int32_t lo, Found found) {
  if (end == 0) return;
  const int top = static_cast<int>(max_.size()) - 1;
  int32_t base[kMaxLevels];
  uint32_t mask[kMaxLevels];
  int64_t visits = 0;
  // The children of one node that reach lo and have a block before `end`.
  const auto enter = [&](int level, int32_t first) {
    ++visits;
    base[level] = first;
    mask[level] = AtLeastMask16(&max_[level][first], lo);
    const int32_t last = ((end - 1) >> (kFanOutBits * level)) - first;
    if (last < kFanOut - 1) mask[level] &= (2u << last) - 1;
  };
  int level = top;
  enter(top, 0);
  for (;;) {
    while (mask[level] == 0) {
      if (level == top) {
        visits_ += visits;
        return;
      }
      ++level;
    }
    const int32_t child = base[level] + std::countr_zero(mask[level]);
    mask[level] &= mask[level] - 1;
    if (level == 0) {
      found(child);
    } else {
      enter(--level, child * kFanOut);
    }
  }
}

void BlockTree::Overlaps(int32_t lo, int32_t hi, IdList* out) {
  if (lo > hi || size_ == 0) return;
  const auto [l, r] = BlocksOf(lo, hi);
  if (r == 0) return;
  Appender append(out);
  Descend(l, lo, [&](int32_t b) {
    append.AdvanceTo(Filter().prefix(&hi_[b * kBlock], &id_[b * kBlock], kBlock,
                                     lo, append.Room(kBlock)));
    ++visits_;
  });
  const auto test = [&](int32_t b) {
    append.AdvanceTo(Filter().overlapping(&lo_[b * kBlock], &hi_[b * kBlock],
                                          &id_[b * kBlock], BlockSize(b), lo,
                                          hi, append.Room(kBlock)));
    visits_ += BlockSize(b);
  };
  test(l);
  if (r - 1 <= l) return;
  if (const int64_t run = int64_t{r - 2 - l} * kBlock; run > 0) {
    append.AdvanceTo(CopyIds(&id_[(l + 1) * kBlock], run, append.Room(run)));
    ++visits_;
  }
  test(r - 1);
}

absl::Status BlockTree::OverlapsOf(int32_t index, IdList* out) {
  if (absl::Status status = CheckIndex(index, stored_); !status.ok()) {
    return status;
  }
  Overlaps(stored_[index].lo, stored_[index].hi, out);
  return absl::OkStatus();
}

int64_t BlockTree::Count(int32_t lo, int32_t hi) {
  if (lo > hi || size_ == 0) return 0;
  const auto [l, r] = BlocksOf(lo, hi);
  if (r == 0) return 0;
  int64_t count = 0;
  Descend(l, lo, [&](int32_t b) {
    const int32_t* his = &hi_[b * kBlock];
    for (int32_t i = 0; i < kBlock; i += 16) {
      const int reach = std::popcount(AtLeastMask16(his + i, lo));
      count += reach;
      if (reach < 16) break;
    }
    ++visits_;
  });
  const auto test = [&](int32_t b) {
    count += Filter().count_overlapping(&lo_[b * kBlock], &hi_[b * kBlock],
                                        BlockSize(b), lo, hi);
    visits_ += BlockSize(b);
  };
  test(l);
  if (r - 1 > l) {
    count += int64_t{r - 2 - l} * kBlock;
    test(r - 1);
  }
  return count;
}

}  // namespace berth
